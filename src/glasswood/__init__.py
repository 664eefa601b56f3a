"""glasswood: read a tree ensemble exactly, check it against its library, and see what it does."""

import importlib
import logging
from typing import TYPE_CHECKING, Any

from glasswood._version import __version__

if TYPE_CHECKING:
    from glasswood.artefacts import export as export
    from glasswood.ensemble import Ensemble as Ensemble
    from glasswood.ensemble import load as load
    from glasswood.errors import AdditivityError as AdditivityError
    from glasswood.errors import DeviceError as DeviceError
    from glasswood.errors import DivergenceWarning as DivergenceWarning
    from glasswood.errors import GlasswoodError as GlasswoodError
    from glasswood.errors import GlasswoodWarning as GlasswoodWarning
    from glasswood.errors import InvalidEnsembleError as InvalidEnsembleError
    from glasswood.errors import KeyNotFoundError as KeyNotFoundError
    from glasswood.errors import MissingDependencyError as MissingDependencyError
    from glasswood.errors import ModelFileError as ModelFileError
    from glasswood.errors import NoNeighbourWarning as NoNeighbourWarning
    from glasswood.errors import OptionError as OptionError
    from glasswood.errors import ParityError as ParityError
    from glasswood.errors import ParityWarning as ParityWarning
    from glasswood.errors import PrecisionWarning as PrecisionWarning
    from glasswood.errors import TableError as TableError
    from glasswood.errors import TeamLostError as TeamLostError
    from glasswood.errors import UnsupportedModelError as UnsupportedModelError
    from glasswood.estimators import BoostingClassifier as BoostingClassifier
    from glasswood.estimators import BoostingRegressor as BoostingRegressor
    from glasswood.estimators import ForestClassifier as ForestClassifier
    from glasswood.estimators import ForestRegressor as ForestRegressor
    from glasswood.estimators import SirusClassifier as SirusClassifier
    from glasswood.estimators import SirusRegressor as SirusRegressor
    from glasswood.estimators import TreeClassifier as TreeClassifier
    from glasswood.estimators import TreeRegressor as TreeRegressor
    from glasswood.estimators import rule_cv as rule_cv
    from glasswood.explain import credibility_grid as credibility_grid
    from glasswood.explain.attributions import Attributor as Attributor
    from glasswood.explain.attributions import attributions as attributions
    from glasswood.explain.attributions import attributor as attributor
    from glasswood.explain.compare import Comparison as Comparison
    from glasswood.explain.compare import Losses as Losses
    from glasswood.explain.compare import compare as compare
    from glasswood.explain.compare import difference as difference
    from glasswood.explain.effects import effects as effects
    from glasswood.explain.effects import interactions as interactions
    from glasswood.explain.effects import ledger as ledger
    from glasswood.explain.effects import usage as usage
    from glasswood.explain.examples import ExampleIndex as ExampleIndex
    from glasswood.explain.examples import examples as examples
    from glasswood.explain.proofs import bounds as bounds
    from glasswood.explain.proofs import counterfactuals as counterfactuals
    from glasswood.explain.proofs import monotone as monotone
    from glasswood.explain.proofs import robustness as robustness
    from glasswood.explain.rules import RuleSet as RuleSet
    from glasswood.explain.rules import rules as rules
    from glasswood.explain.scorecards import Fidelity as Fidelity
    from glasswood.explain.scorecards import Scorecard as Scorecard
    from glasswood.explain.scorecards import scorecard as scorecard
    from glasswood.explain.trees import tree_profile as tree_profile
    from glasswood.readers import forget as forget
    from glasswood.readers import read as read
    from glasswood.results import Attributions as Attributions
    from glasswood.results import Bounds as Bounds
    from glasswood.results import Cells as Cells
    from glasswood.results import Condition as Condition
    from glasswood.results import Counterfactuals as Counterfactuals
    from glasswood.results import CredibilityGrid as CredibilityGrid
    from glasswood.results import DepthBox as DepthBox
    from glasswood.results import DepthBoxes as DepthBoxes
    from glasswood.results import Effects as Effects
    from glasswood.results import FeatureEffect as FeatureEffect
    from glasswood.results import Frontiers as Frontiers
    from glasswood.results import Importance as Importance
    from glasswood.results import Interaction as Interaction
    from glasswood.results import Interactions as Interactions
    from glasswood.results import Ledger as Ledger
    from glasswood.results import MonotoneProof as MonotoneProof
    from glasswood.results import Neighbours as Neighbours
    from glasswood.results import Ranking as Ranking
    from glasswood.results import Robustness as Robustness
    from glasswood.results import RowAttribution as RowAttribution
    from glasswood.results import Rule as Rule
    from glasswood.results import RuleCV as RuleCV
    from glasswood.results import RuleExplanation as RuleExplanation
    from glasswood.results import TrainingHistory as TrainingHistory
    from glasswood.results import TreeDiagram as TreeDiagram
    from glasswood.results import TreeProfile as TreeProfile
    from glasswood.results import Usage as Usage
    from glasswood.train.boosting import CustomLoss as CustomLoss
    from glasswood.web import Page as Page
    from glasswood.web import explore as explore
    from glasswood.web import report as report

# public name → the module it is loaded from when first used
_PUBLIC = {
    "Ensemble": "glasswood.ensemble",
    "load": "glasswood.ensemble",
    "export": "glasswood.artefacts",
    "forget": "glasswood.readers",
    "read": "glasswood.readers",
    "BoostingClassifier": "glasswood.estimators",
    "BoostingRegressor": "glasswood.estimators",
    "ForestClassifier": "glasswood.estimators",
    "ForestRegressor": "glasswood.estimators",
    "SirusClassifier": "glasswood.estimators",
    "SirusRegressor": "glasswood.estimators",
    "TreeClassifier": "glasswood.estimators",
    "TreeRegressor": "glasswood.estimators",
    "Attributions": "glasswood.results",
    "Attributor": "glasswood.explain.attributions",
    "attributions": "glasswood.explain.attributions",
    "attributor": "glasswood.explain.attributions",
    "credibility_grid": "glasswood.explain",
    "bounds": "glasswood.explain.proofs",
    "compare": "glasswood.explain.compare",
    "difference": "glasswood.explain.compare",
    "rule_cv": "glasswood.estimators",
    "RuleSet": "glasswood.explain.rules",
    "effects": "glasswood.explain.effects",
    "examples": "glasswood.explain.examples",
    "interactions": "glasswood.explain.effects",
    "ledger": "glasswood.explain.effects",
    "counterfactuals": "glasswood.explain.proofs",
    "monotone": "glasswood.explain.proofs",
    "robustness": "glasswood.explain.proofs",
    "scorecard": "glasswood.explain.scorecards",
    "Fidelity": "glasswood.explain.scorecards",
    "Scorecard": "glasswood.explain.scorecards",
    "rules": "glasswood.explain.rules",
    "tree_profile": "glasswood.explain.trees",
    "usage": "glasswood.explain.effects",
    "Bounds": "glasswood.results",
    "Counterfactuals": "glasswood.results",
    "Cells": "glasswood.results",
    "Comparison": "glasswood.explain.compare",
    "Condition": "glasswood.results",
    "CredibilityGrid": "glasswood.results",
    "CustomLoss": "glasswood.train.boosting",
    "DepthBox": "glasswood.results",
    "DepthBoxes": "glasswood.results",
    "Effects": "glasswood.results",
    "ExampleIndex": "glasswood.explain.examples",
    "FeatureEffect": "glasswood.results",
    "Frontiers": "glasswood.results",
    "Importance": "glasswood.results",
    "Interaction": "glasswood.results",
    "Interactions": "glasswood.results",
    "Ledger": "glasswood.results",
    "Losses": "glasswood.explain.compare",
    "MonotoneProof": "glasswood.results",
    "Neighbours": "glasswood.results",
    "Page": "glasswood.web",
    "Ranking": "glasswood.results",
    "Robustness": "glasswood.results",
    "RowAttribution": "glasswood.results",
    "Rule": "glasswood.results",
    "RuleCV": "glasswood.results",
    "RuleExplanation": "glasswood.results",
    "TrainingHistory": "glasswood.results",
    "TreeDiagram": "glasswood.results",
    "TreeProfile": "glasswood.results",
    "Usage": "glasswood.results",
    "explore": "glasswood.web",
    "report": "glasswood.web",
    "DivergenceWarning": "glasswood.errors",
    "AdditivityError": "glasswood.errors",
    "DeviceError": "glasswood.errors",
    "GlasswoodError": "glasswood.errors",
    "GlasswoodWarning": "glasswood.errors",
    "InvalidEnsembleError": "glasswood.errors",
    "KeyNotFoundError": "glasswood.errors",
    "MissingDependencyError": "glasswood.errors",
    "ModelFileError": "glasswood.errors",
    "NoNeighbourWarning": "glasswood.errors",
    "OptionError": "glasswood.errors",
    "ParityError": "glasswood.errors",
    "ParityWarning": "glasswood.errors",
    "PrecisionWarning": "glasswood.errors",
    "TableError": "glasswood.errors",
    "TeamLostError": "glasswood.errors",
    "UnsupportedModelError": "glasswood.errors",
}

__all__ = ["__version__", *_PUBLIC]

logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(importlib.import_module(_PUBLIC[name]), name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "sklearn":
            raise
        missing = importlib.import_module("glasswood.errors").MissingDependencyError
        raise missing(f"gw.{name} needs scikit-learn: pip install 'glasswood[sklearn]'") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
