"""Ranking: the scores of interactions, strongest first."""

import json

import numpy as np
import pytest
from matplotlib.figure import Figure

import glasswood as gw
from tests.results.examples import interactions, two_outputs


@pytest.mark.parametrize("by", ["strength", "h2", "term_sd"])
def test_the_score_asked_for_decides_the_order(by: str) -> None:
    X = np.random.default_rng(0).integers(0, 4, (60, 3)).astype(float)
    ix = gw.interactions(two_outputs(), X)
    ranking = ix.ranking(by=by)
    score = getattr(ranking, by)
    assert len(ranking) == len(ix) * 2 and np.all(np.diff(score) <= 0)
    for names, output, strength, h2 in zip(ranking.features, ranking.output, ranking.strength, ranking.h2, strict=True):
        o = ix.outputs.index(output)
        assert (strength, h2) == (ix[names].strength[o], ix[names].h2[o])
    assert "output" in ranking._repr_html_()
    assert len(ranking.plot(Figure().add_subplot(), output=1).get_yticklabels()) == len(ix)


def test_unknown_scores_come_last() -> None:
    ranking = gw.interactions(two_outputs()).ranking(by="h2")  # without a table there is no H²
    assert np.isnan(ranking.h2).all() and "H²" in ranking._repr_html_()
    assert json.loads(json.dumps(ranking.to_dict(), allow_nan=False))["h2"] == [None] * 6


def test_it_is_json_ready() -> None:
    found = json.loads(json.dumps(interactions().ranking().to_dict(), allow_nan=False))
    assert found["features"] == [["f1", "f2"]] and found["by"] == "strength"
    assert repr(interactions().ranking()) == "Ranking(1 entries of degree 2, by='strength', method='interventional')"
