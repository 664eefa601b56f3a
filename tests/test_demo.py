"""The demo says what it read, and that it is right."""

from glasswood.demo import FEATURES, demo, passengers


def test_the_demo_proves_what_it_read() -> None:
    said: list[str] = []
    demo(said.append)
    text = "\n".join(said)
    assert "checked on 1,309 rows: leaves equal" in text
    assert "1,309 passengers" in text


def test_passengers_are_numbers_with_missing_values() -> None:
    X, y = passengers()
    assert tuple(X.columns) == FEATURES
    assert X["age"].isna().sum() == 263
    assert X["embarked"].isna().sum() == 2
    assert set(y.tolist()) == {0, 1}
