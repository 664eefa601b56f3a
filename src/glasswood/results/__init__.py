"""Results: frozen tables that can be turned into a frame, a JSON document or a picture."""

from glasswood.results._attributed_rows import AttributedRows
from glasswood.results._attributions import Attributions
from glasswood.results._bounds import Bounds
from glasswood.results._cells import Cells
from glasswood.results._counterfactuals import Counterfactuals
from glasswood.results._credibility import CredibilityGrid
from glasswood.results._depth_boxes import DepthBox, DepthBoxes, Frontiers
from glasswood.results._effects import Effects
from glasswood.results._feature_effect import FeatureEffect
from glasswood.results._history import TrainingHistory
from glasswood.results._html import html_table
from glasswood.results._importance import Importance
from glasswood.results._interaction import Interaction
from glasswood.results._interaction_ranking import Ranking
from glasswood.results._interactions import Interactions
from glasswood.results._json_values import to_json
from glasswood.results._lazy_table import LazyTable
from glasswood.results._ledger import Ledger
from glasswood.results._main_terms import main_terms
from glasswood.results._monotone_proof import MonotoneProof
from glasswood.results._neighbours import Neighbours
from glasswood.results._outputs import output_index, outputs_last, weighted_mean, with_output
from glasswood.results._robustness import Robustness
from glasswood.results._row_attribution import RowAttribution
from glasswood.results._row_source import RowSource
from glasswood.results._rule import Condition, Rule
from glasswood.results._rule_cv import RuleCV
from glasswood.results._rule_explanation import RuleExplanation
from glasswood.results._tree_diagram import TreeDiagram
from glasswood.results._tree_profile import TreeProfile
from glasswood.results._usage import Usage

__all__ = [
    "AttributedRows",
    "Attributions",
    "Bounds",
    "Cells",
    "Condition",
    "Counterfactuals",
    "CredibilityGrid",
    "DepthBox",
    "DepthBoxes",
    "Effects",
    "FeatureEffect",
    "Frontiers",
    "Importance",
    "Interaction",
    "Interactions",
    "LazyTable",
    "Ledger",
    "MonotoneProof",
    "Neighbours",
    "Ranking",
    "Robustness",
    "RowAttribution",
    "RowSource",
    "Rule",
    "RuleCV",
    "RuleExplanation",
    "TrainingHistory",
    "TreeDiagram",
    "TreeProfile",
    "Usage",
    "html_table",
    "main_terms",
    "output_index",
    "outputs_last",
    "to_json",
    "weighted_mean",
    "with_output",
]
