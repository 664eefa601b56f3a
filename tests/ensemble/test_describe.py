"""The reprs describe an ensemble and escape names."""

import dataclasses

from glasswood.ensemble import FeatureSchema, Parity, describe_features
from tests.ensemble.examples import category_tree, stump, two_trees


def test_text_names_trees_leaves_depth_features_and_source() -> None:
    text = repr(two_trees())
    for part in (
        "trees         2",
        "leaves        6 (3 in each tree)",
        "depth         2",
        "f1, f2",
        "hand 1",
        "not checked",
    ):
        assert part in text


def test_categories_are_counted() -> None:
    assert "1, 1 of them categories, 1 used: colour" in repr(category_tree())


def test_html_shows_the_certificate() -> None:
    ensemble = stump()
    proved = dataclasses.replace(ensemble.source, parity=Parity(1000, True, 1e-15, 1e-12))
    assert "✓" in dataclasses.replace(ensemble, source=proved)._repr_html_()
    assert "✓" not in ensemble._repr_html_()


def test_hostile_names_are_escaped() -> None:
    hostile = dataclasses.replace(stump(), features=FeatureSchema.numeric(["<script>alert(1)</script>"]))
    assert "<script>" not in hostile._repr_html_()


def test_long_lists_are_shortened() -> None:
    many = dataclasses.replace(
        stump(), outputs=tuple(f"class{k}" for k in range(20)), baseline=stump().baseline.repeat(20)
    )
    assert "and 12 more" in repr(many)


def test_features_are_listed_with_their_categories() -> None:
    assert describe_features(category_tree()).splitlines() == [
        "Features",
        "  colour        2 splits  category: blue, green, red",
    ]
    assert "f1        2 splits  number" in describe_features(two_trees())


def test_a_model_of_our_own_has_nothing_to_be_compared_with() -> None:
    ensemble = stump()
    own = dataclasses.replace(ensemble, source=dataclasses.replace(ensemble.source, library="glasswood"))
    assert "parity        this is the model itself" in repr(own)
