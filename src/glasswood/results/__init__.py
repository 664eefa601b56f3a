"""Results: frozen tables that become a frame, a JSON document or a picture."""

from glasswood.results._cells import Cells
from glasswood.results._credibility import CredibilityGrid
from glasswood.results._effects import Effects
from glasswood.results._feature_effect import FeatureEffect
from glasswood.results._history import TrainingHistory
from glasswood.results._importance import Importance
from glasswood.results._interaction import Interaction
from glasswood.results._interactions import Interactions
from glasswood.results._ledger import Ledger
from glasswood.results._outputs import outputs_last, weighted_mean
from glasswood.results._tree_diagram import TreeDiagram
from glasswood.results._tree_profile import DepthBox, TreeProfile

__all__ = [
    "Cells",
    "CredibilityGrid",
    "DepthBox",
    "Effects",
    "FeatureEffect",
    "Importance",
    "Interaction",
    "Interactions",
    "Ledger",
    "TrainingHistory",
    "TreeDiagram",
    "TreeProfile",
    "outputs_last",
    "weighted_mean",
]
