from glasswood.web._subject import Subject


def test_targets_need_not_be_known() -> None:
    assert Subject("t", model=None, X=[[1.0]]).y is None
