"""`glasswood report`: one page from a model file and a table."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from glasswood.web.panels import _interactions
from tests.cli.example import FEATURES


def test_a_model_file_and_a_table_become_a_page(
    lightgbm_titanic, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report.html"
    command = ["report", *lightgbm_titanic, "--target", "survived", "--title", "A <title>", "--weight", "pclass"]
    assert main([*command, "-o", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert "A &lt;title&gt;" in text and len(text) < 2_000_000
    assert capsys.readouterr().out.startswith(f"{out}: ")


def test_what_could_not_be_shown_is_named(lightgbm_titanic, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", *lightgbm_titanic, "--examples", "0", "-o", str(tmp_path / "r.html")]) == 0
    assert "Rules, Examples could not be shown" in capsys.readouterr().out
    assert main(["report", *lightgbm_titanic, "--quiet", "-o", str(tmp_path / "r.html")]) == 0
    assert "<title>model.txt (LightGBM)</title>" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""


def test_training_rows_and_another_model_are_shown(titanic, tmp_path: Path) -> None:
    model, data = titanic
    out = tmp_path / "report.html"
    more = ["--target", "survived", "--train", data, "--other", model, "--quiet"]
    assert main(["report", model, data, *more, "-o", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert "On the training data" in text and '"kind":"comparison"' in text
    assert main(["report", model, data, "--train", data, "-o", str(out)]) == 1


def test_a_page_must_be_named(titanic) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["report", *titanic])
    assert stop.value.code == 2


def panels_in(file: Path) -> dict[str, Any]:
    """The data of the panels of a written page."""
    data = file.read_text(encoding="utf-8").split('id="page-data">')[1].split("</script>")[0]
    return {section["kind"]: section["data"] for section in json.loads(data)["sections"]}


def told(out: Path, *command: str) -> Any:
    """What a command writes as JSON."""
    assert main([*command, "--quiet", "-o", str(out)]) == 0
    return json.loads(out.read_text())


@pytest.mark.parametrize("resolution", [None, 32])
def test_page_command_line_and_python_tell_the_same_numbers(
    titanic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, resolution: int | None
) -> None:
    """Ledger, pairs and contributions; with a model that has too many cells, pairs on coarse ones."""
    model, file = titanic
    table = pd.read_csv(file).iloc[::14]  # at most 100 rows: all of them are the background of the page
    rows = str(tmp_path / "rows.csv")
    table.to_csv(rows, index=False)
    X = pd.read_csv(rows)[FEATURES]
    if resolution is not None:
        monkeypatch.setattr(_interactions, "_MAX_TABLE_CELLS", 10)
    coarse = [] if resolution is None else ["--resolution", str(resolution)]
    assert main(["report", model, rows, "--target", "survived", "--quiet", "-o", str(tmp_path / "page.html")]) == 0
    page = panels_in(tmp_path / "page.html")
    said = partial(told, tmp_path / "said.json")
    known = gw.ledger(model, X).to_dict()
    assert said("ledger", model, rows) == known
    shares = [part["share"] for part in page["overview"]["ledger"]["parts"][0]["shares"]]
    assert shares == pytest.approx([known[name][0] for name in ("effects", "pairs", "left_over")], abs=1e-5)

    pairs = gw.interactions(model, X, resolution=resolution)
    assert said("interactions", model, rows, *coarse) == pairs.to_dict()
    strength = {frozenset(pair): table.strength for pair, table in pairs.items()}
    for pair in page["interactions"]["ranking"]:
        assert pair["size"][0] == pytest.approx(strength[frozenset(pair["features"])], rel=1e-5)

    at = gw.attributions(model, X, background=X)
    for row in page["prediction"]["rows"][:3]:
        one = said("explain", model, rows, "--row", str(row["row"]), "--background", rows)
        assert one["values"] == pytest.approx(at.values[row["row"]].tolist(), abs=1e-12)
        parts = dict(zip([f["name"] for f in page["prediction"]["features"]], row["parts"][0], strict=True))
        by_name = dict(zip(at.names, at.values[row["row"]].tolist(), strict=True))
        assert parts == pytest.approx({name: by_name[name] for name in parts}, abs=1e-12)


def test_the_three_tell_the_same_numbers_of_several_classes(titanic, tmp_path: Path) -> None:
    """Ledger, pairs and contributions of each output."""
    import lightgbm as lgb

    passengers = pd.read_csv(titanic[1])
    names = [name for name in FEATURES if name != "pclass"]
    as_trained = passengers[names].astype({"sex": "category", "embarked": "category"})
    booster = lgb.LGBMClassifier(n_estimators=5, num_leaves=7, verbose=-1, n_jobs=1).fit(
        as_trained, passengers["pclass"]
    )
    model, rows = str(tmp_path / "classes.gw"), str(tmp_path / "rows.csv")
    gw.read(booster).save(model)
    passengers.iloc[::14].to_csv(rows, index=False)
    X = pd.read_csv(rows)[names]
    assert main(["report", model, rows, "--target", "pclass", "--quiet", "-o", str(tmp_path / "page.html")]) == 0
    page = panels_in(tmp_path / "page.html")
    said = partial(told, tmp_path / "said.json")

    known = gw.ledger(model, X).to_dict()
    assert said("ledger", model, rows) == known
    for output, part in enumerate(page["overview"]["ledger"]["parts"]):
        wanted = [known[name][output] for name in ("effects", "pairs", "left_over")]
        assert [share["share"] for share in part["shares"]] == pytest.approx(wanted, abs=1e-5)

    pairs = gw.interactions(model, X)
    assert said("interactions", model, rows) == pairs.to_dict()
    strength = {frozenset(pair): np.atleast_1d(table.strength) for pair, table in pairs.items()}
    ranked = {frozenset(pair["features"]): pair["size"] for pair in page["interactions"]["ranking"]}
    assert ranked.keys() >= {pair for pair, size in strength.items() if size.max() > 1e-12} != set()
    for features, size in ranked.items():
        np.testing.assert_allclose(size, strength[features], rtol=1e-5, atol=1e-15)

    at = gw.attributions(model, X, background=X)
    for row in page["prediction"]["rows"][:3]:
        one = said("explain", model, rows, "--row", str(row["row"]), "--background", rows)
        np.testing.assert_allclose(one["values"], at.values[row["row"]], atol=1e-12)
        shown = [at.names.index(feature["name"]) for feature in page["prediction"]["features"]]
        np.testing.assert_allclose(row["parts"], at.values[row["row"]][shown].T, atol=1e-12)
