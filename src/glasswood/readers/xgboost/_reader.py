"""Reader: a saved XGBoost model → Ensemble."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, FeatureSchema, Provenance, build_ensemble, float32_below
from glasswood.errors import InvalidEnsembleError, ModelFileError, UnsupportedModelError
from glasswood.readers._classes import classes_of
from glasswood.readers._fingerprint import digest, vars_but
from glasswood.readers._not_fitted import not_fitted
from glasswood.readers.xgboost._binary import is_old_xgboost
from glasswood.readers.xgboost._categories import read_categories
from glasswood.readers.xgboost._document import Part, Records, open_document, whole
from glasswood.readers.xgboost._objective import baseline_of, is_known, link_of, output_names
from glasswood.readers.xgboost._stated_threshold import stated_threshold
from glasswood.readers.xgboost._trees import flatten

_MAX_FEATURES = 1_000_000  # with more features, the file must be correspondingly large


def recognises(content: bytes) -> bool:
    """Whether this is an XGBoost model: JSON, UBJSON or the old binary format."""
    if is_old_xgboost(content):
        return True
    return content[:1024].lstrip()[:1] == b"{" and b"learner" in content and b"gradient_booster" in content


def written(model: Any) -> bytes:
    """The bytes that XGBoost saves for a Booster or a fitted XGB* estimator."""
    return _saved(booster_of(model), type(model).__name__)


def fingerprint(model: Any, content: bytes) -> bytes:
    """Digest of the saved bytes and, for an estimator, of its other attributes."""
    return digest(type(model), content, {} if booster_of(model) is model else vars_but(model, "_Booster"))


def read_model(model: Any, content: bytes | None = None) -> Ensemble:
    """Read a Booster or a fitted XGB* estimator, with the trees that its own predict uses."""
    booster = booster_of(model)
    kind = type(model).__name__
    document = open_document(written(model) if content is None else content, kind)
    rounds = best_rounds(booster) if booster is not model else None
    ensemble = _read(document, kind, kind, n_bytes=1 << 26, rounds=rounds)
    if ensemble.source.n_targets > 1:  # then XGBoost lists the two classes of each target
        return ensemble
    return ensemble._with_source(dataclasses.replace(ensemble.source, classes=classes_of(model, ensemble.n_outputs)))


def read_file(content: bytes, name: str) -> Ensemble:
    """Read the bytes of a saved model, which may be malicious. A file of an estimator predicts like the estimator."""
    document = open_document(content, name)
    attributes = document.part("learner").fields.get("attributes", {})
    rounds = None
    if isinstance(attributes, dict) and "scikit_learn" in attributes and "best_iteration" in attributes:
        rounds = Part(attributes, name).integer("best_iteration") + 1
    return _read(document, name, "model file", n_bytes=len(content), rounds=rounds)


def booster_of(model: Any) -> Any:
    """The Booster of an estimator, or the Booster itself."""
    if hasattr(model, "save_raw"):
        return model
    if not hasattr(model, "get_booster"):
        raise UnsupportedModelError(
            f"XGBoost's {type(model).__name__} is not a model glasswood reads; pass a Booster or a fitted XGB estimator"
        )
    try:
        booster = model.get_booster()
    except Exception as error:  # scikit-learn's NotFittedError if it is installed, otherwise XGBoost's own
        raise not_fitted(model) from error
    missing = getattr(model, "missing", np.nan)
    if missing is not None and not np.isnan(missing):
        raise UnsupportedModelError(
            f"this {type(model).__name__} has missing={missing!r}, which is not stored in its trees; read "
            f"model.get_booster() instead, with a table that has NaN in place of {missing!r}"
        )
    return booster


def _saved(booster: Any, kind: str) -> bytes:
    try:
        return bytes(booster.save_raw("ubj"))
    except Exception as error:  # XGBoostError, which only XGBoost defines
        said = (str(error).strip().splitlines() or [""])[0]
        raise UnsupportedModelError(
            f"this {kind} holds no model that could be saved; train it or load a model into it first (XGBoost: {said})"
        ) from error


def best_rounds(booster: Any) -> int | None:
    """Number of rounds that an estimator predicts with after early stopping; None for a Booster, which uses all."""
    best = booster.attr("best_iteration")
    return None if best is None else int(best) + 1


def _read(document: Part, name: str, kind: str, *, n_bytes: int, rounds: int | None) -> Ensemble:
    try:
        return _assemble(document, kind, n_bytes, rounds)
    except InvalidEnsembleError as error:
        raise ModelFileError(f"{name}: {error}") from error


def _assemble(document: Part, kind: str, n_bytes: int, rounds: int | None) -> Ensemble:
    learner = document.part("learner")
    objective = learner.part("objective")
    objective_name = objective.text("name")
    booster = learner.part("gradient_booster")
    model, tree_weight = _tree_model(booster)
    parts, tree_output = _used_trees(model, rounds)
    parameters = learner.part("learner_model_param")
    n_targets = max(parameters.integer("num_target", 1), 1)
    n_outputs = max(parameters.integer("num_class", 0), 1) * n_targets
    names, named = _feature_names(learner, parameters.integer("num_feature"), n_bytes)
    if not len(parts):
        raise UnsupportedModelError(f"{document.path}: the model has no trees; train at least one round")
    trees = flatten(parts, model.path)
    if n_outputs > len(parts) * trees.value.shape[1]:
        raise ModelFileError(f"{document.path}: {n_outputs} outputs, but only {len(parts)} trees")
    if np.any(trees.feature >= len(names)):
        raise ModelFileError(f"{document.path}: a split uses a feature that does not exist; there are {len(names)}")
    categories = read_categories(model, trees, names, _feature_types(learner, len(names)), n_bytes)
    numeric = ~trees.leaf & ~trees.is_category
    n_nodes = np.diff(trees.tree_start)
    weight = np.repeat(np.ones(len(parts)) if tree_weight is None else tree_weight[: len(parts)], n_nodes)
    with np.errstate(all="ignore"):  # results that are not finite are refused later
        value = np.where(trees.leaf[:, None], trees.value, 0.0) * weight[:, None]
    return build_ensemble(
        tree_start=trees.tree_start,
        tree_output=tree_output,
        feature=trees.feature,
        threshold=np.where(numeric, float32_below(trees.condition), np.nan),
        stated_threshold=np.where(numeric, stated_threshold(trees.condition), np.nan),
        left=trees.left,
        right=trees.right,
        missing_left=trees.default_left,
        category_set=np.where(trees.is_category, np.cumsum(trees.is_category) - 1, -1),
        unseen_left=trees.is_category,
        leaf_id=np.where(trees.leaf, trees.number, -1),
        value=value,
        weight=trees.hessian,
        gain=trees.gain,
        set_start=categories.set_start,
        set_bits=categories.set_bits,
        baseline=baseline_of(learner, objective_name, n_outputs),
        link=link_of(objective_name, n_outputs),
        features=FeatureSchema(
            names=names,
            named=named,
            categories=categories.labels,
            coded=categories.coded,
            missing_routed=np.ones(len(names), dtype=bool),
            zero_is_missing=np.zeros(len(names), dtype=bool),
        ),
        outputs=output_names(objective, n_outputs),
        source=Provenance(
            library="XGBoost",
            version=_version(document),
            model=kind,
            objective=objective_name,
            weight_kind="none" if np.isnan(trees.hessian).any() else "hessian",
            notes=(*categories.notes, *_notes(learner, objective_name, rounds)),
            n_targets=n_targets,
        ),
    )


def _tree_model(booster: Part) -> tuple[Part, NDArray[np.float64] | None]:
    """The trees, and for a DART model the weight of each."""
    kind = booster.text("name")
    if kind == "gbtree":
        return booster.part("model"), None
    if kind == "dart":
        model = booster.part("gbtree").part("model")
        with np.errstate(all="ignore"):
            weight = booster.column("weight_drop").astype(np.float32).astype(np.float64)
        if len(weight) != len(model.records("trees")):
            raise ModelFileError(f"{booster.path}: {len(weight)} DART weights for {len(model.records('trees'))} trees")
        return model, weight
    raise UnsupportedModelError(
        f"{booster.path}: the booster {kind!r} has no trees glasswood could read; train with booster='gbtree' or 'dart'"
    )


def _used_trees(model: Part, rounds: int | None) -> tuple[Records, NDArray[np.int64]]:
    """The trees of the first rounds, and the output that each adds to."""
    parts = model.records("trees")
    tree_output = whole(model.column("tree_info"), "tree_info", model.path)
    if len(tree_output) != len(parts):
        raise ModelFileError(f"{model.path}: tree_info has {len(tree_output)} entries for {len(parts)} trees")
    if rounds is None:
        return parts, tree_output
    if "iteration_indptr" not in model.fields:
        raise UnsupportedModelError(
            f"{model.path}: the model was trained with early stopping and saved by XGBoost before 2.0, which does not "
            "store the trees of each round; load it in a newer XGBoost and save it again"
        )
    ends = whole(model.column("iteration_indptr"), "iteration_indptr", model.path)
    if rounds >= len(ends) or not 0 <= ends[rounds] <= len(parts):
        raise ModelFileError(f"{model.path}: best_iteration {rounds - 1} is not among the rounds")
    return parts.first(int(ends[rounds])), tree_output[: int(ends[rounds])]


def _feature_names(learner: Part, n_features: int, n_bytes: int) -> tuple[tuple[str, ...], bool]:
    names = learner.texts("feature_names")
    if names:
        if len(names) != n_features:
            raise ModelFileError(f"{learner.path}: {len(names)} feature names for {n_features} features")
        return tuple(names), True
    if n_features > _MAX_FEATURES + n_bytes:
        raise ModelFileError(f"{learner.path}: {n_features} features are announced, more than the file could use")
    return FeatureSchema.positions(n_features), False


def _feature_types(learner: Part, n_features: int) -> list[str]:
    types = learner.texts("feature_types")
    if len(types) not in (0, n_features):
        raise ModelFileError(f"{learner.path}: {len(types)} feature types for {n_features} features")
    return types


def _version(document: Part) -> str:
    numbers = document.column("version") if "version" in document.fields else np.zeros(0, dtype=np.int64)
    return ".".join(str(number) for number in numbers[:3].tolist()) or "unknown"


def _notes(learner: Part, objective: str, rounds: int | None) -> tuple[str, ...]:
    notes = []
    if not is_known(objective):
        notes.append(f"base_score is taken as raw: how the objective {objective!r} transforms it is not known")
    attributes = learner.fields.get("attributes")
    if isinstance(attributes, dict) and "best_iteration" in attributes:
        notes.append(
            "has the trees of all rounds, like Booster.predict"
            if rounds is None
            else f"has the trees of the first {rounds} rounds, up to best_iteration"
        )
    return tuple(notes)
