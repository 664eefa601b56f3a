"""Hashed categories: CatBoost's hash of a text, and codes found by it."""

import numpy as np
import pytest

from glasswood.ensemble import FeatureSchema, align, as_text, distinct_texts, text_hash
from glasswood.ensemble._category_hash import codes_of_hashes
from glasswood.errors import InvalidEnsembleError
from glasswood.tables import CategoryColumn


# hashes as CatBoost 1.2.10 writes them into a JSON file saved with its pool
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", 593172586),
        ("é", 468052468),
        ("77", 2661116776),
        ("red", 3052168893),
        ("green", 1390465085),
        ("a long label beyond sixteen bytes", 1479013076),
    ],
)
def test_texts_are_hashed_as_catboost_does(text: str, expected: int) -> None:
    assert text_hash(text) == expected


def test_every_length_is_hashed_as_catboost_does(tmp_path: object) -> None:
    import json
    from pathlib import Path

    import pandas as pd
    from catboost import CatBoostRegressor, Pool

    rng = np.random.default_rng(0)
    texts = ["".join(rng.choice(list("abcß漢 01"), n)) for n in range(200)]
    frame = pd.DataFrame({"text": texts, "x": rng.normal(size=200)})
    pool = Pool(frame, frame["x"], cat_features=["text"])
    model = CatBoostRegressor(iterations=1, one_hot_max_size=255, verbose=0, allow_writing_files=False, thread_count=1)
    path = Path(str(tmp_path)) / "model.json"
    model.fit(pool).save_model(str(path), format="json", pool=pool)
    pairs = json.loads(path.read_text())["features_info"]["cat_features_hash"]
    assert len(pairs) == 200
    assert all(text_hash(pair["value"]) == pair["hash"] for pair in pairs)


def test_booleans_and_whole_numbers_have_the_text_catboost_hashes() -> None:
    assert [as_text(value) for value in (True, False, 3, 3.0, 2.5, "3")] == ["1", "0", "3", "3", "2.5", "3"]


def test_numbers_and_categories_find_the_same_codes() -> None:
    hashes = [text_hash("3"), text_hash("10")]
    numbers = np.array([10.0, 3.0, np.nan, 11.0])
    assert codes_of_hashes(numbers, hashes).tolist() == [1, 0, -1, 2]
    text = CategoryColumn(codes=np.array([1, 0, -1, 2], dtype=np.int32), labels=("3", "10", "11"), declared=False)
    assert codes_of_hashes(text, hashes).tolist() == [1, 0, -1, 2]
    assert distinct_texts(numbers)[0] == ("0", "3", "10", "11")


def schema(**parts: object) -> FeatureSchema:
    flags = {name: np.zeros(1, dtype=bool) for name in ("coded", "missing_routed", "zero_is_missing")}
    return FeatureSchema(names=("c",), named=True, **{**flags, **parts})  # type: ignore[arg-type]


def test_a_category_without_levels_takes_any_column() -> None:
    features = schema(categories=((),), hashes=((),))
    assert align(np.array([["a"], ["b"]], dtype=object), features).data[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("hashes", [((1,), (2,)), ((1,),), ((1, 1),)])
def test_there_is_one_distinct_hash_per_label(hashes: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(InvalidEnsembleError, match="hash"):
        schema(categories=(("a", "b"),), hashes=hashes).validate()
