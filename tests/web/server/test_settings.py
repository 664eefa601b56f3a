import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasswood.web.server._settings import FieldError, Settings, read_settings


def test_missing_settings_have_defaults() -> None:
    assert read_settings({}) == Settings()
    assert read_settings({"max_depth": ""}).max_depth is None
    assert read_settings({"seed": " 12 ", "noise": "1e-1", "max_depth": "3"}) == Settings(
        seed=12, noise=0.1, max_depth=3
    )


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("seed", "abc", "the seed must be a whole number between 0 and 4,294,967,295"),
        ("seed", "-1", "the seed must be"),
        ("seed", "4294967296", "the seed must be"),
        ("seed", "9" * 10_000, "the seed must be"),
        ("seed", "٣", "the seed must be"),
        ("seed", "", "the seed must be"),
        ("n", "3", "rows must be a whole number between 4 and 10,000"),
        ("n", "1e3", "rows must be"),
        ("n", "99999999", "rows must be"),
        ("classes", "6", "classes must be a whole number between 2 and 5"),
        ("noise", "nan", "noise must be a number between 0 and 5"),
        ("noise", "inf", "noise must be"),
        ("noise", "-0.1", "noise must be"),
        ("max_depth", "0", "the largest depth must be a whole number between 1 and 30"),
        ("data", "../../etc/passwd", "data must be one of moons, circles, blobs, xor, table, given"),
        ("sead", "1", "there is no setting 'sead'"),
        ("check", "yes", "check is 1"),
    ],
)
def test_a_bad_field_is_named(name: str, text: str, said: str) -> None:
    with pytest.raises(FieldError, match=said) as refused:
        read_settings({name: text})
    assert refused.value.field == name


def test_every_class_needs_a_row() -> None:
    with pytest.raises(FieldError, match="5 classes need at least 5 rows"):
        read_settings({"classes": "5", "n": "4"})


@given(st.dictionaries(st.sampled_from(["seed", "n", "classes", "noise", "max_depth", "data", "table"]), st.text()))
def test_any_text_is_read_or_refused(given_fields: dict[str, str]) -> None:
    try:
        assert isinstance(read_settings(given_fields), Settings)
    except FieldError as error:
        assert error.field in given_fields
