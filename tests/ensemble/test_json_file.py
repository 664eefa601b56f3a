"""An ensemble as a JSON document, there and back."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from glasswood.ensemble import Ensemble, is_glasswood_json, json_text, loads_json
from glasswood.errors import ModelFileError
from tests.reference.built import built_with_columns


@given(built_with_columns(n_rows=1))
@settings(max_examples=60)
def test_a_document_gives_the_same_ensemble(case: tuple[Ensemble, Any]) -> None:
    content = json_text(case[0]).encode()
    found = loads_json(content, "model.json")
    assert is_glasswood_json(content) and found == case[0] and found.source == case[0].source
    assert not found.value.flags.writeable


@pytest.fixture
def document() -> dict[str, Any]:
    import glasswood as gw

    tree = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    return json.loads(json_text(tree.ensemble_))


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("feature", ["x"]),
        ("feature", [0.5, -1, -1]),
        ("left", [2**40, -1, -1]),
        ("value", [[1.0], [2.0, 3.0], [1.0]]),
        ("threshold", "none"),
        ("missing_left", [0, 1, 1]),
        ("tree_start", [0, 7]),
        ("value", [[1.0], ["Infinity"], [1.0]]),
    ],
)
def test_damaged_arrays_are_refused(document: dict[str, Any], field: str, wrong: Any) -> None:
    document["arrays"][field] = wrong
    with pytest.raises(ModelFileError, match=r"model\.json: the document does not describe a valid ensemble"):
        loads_json(json.dumps(document).encode(), "model.json")


def test_other_versions_and_documents_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ModelFileError, match="version 2 is newer"):
        loads_json(json.dumps(document | {"version": 2}).encode(), "model.json")
    for content in (b"[]", b"{", json.dumps(document | {"version": "1"}).encode(), b"\xff"):
        with pytest.raises(ModelFileError, match="does not describe"):
            loads_json(content, "model.json")
    del document["arrays"]["left"]
    with pytest.raises(ModelFileError, match="left"):
        loads_json(json.dumps(document).encode(), "model.json")
