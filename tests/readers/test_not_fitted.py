"""not_fitted: the error names the class and says what to do."""

from glasswood.readers._not_fitted import not_fitted


class Forest:
    pass


def test_the_class_is_named() -> None:
    assert str(not_fitted(Forest())) == "this Forest is not fitted; call fit first"
