"""The ensemble: the one model format, what it expects of a table, and its file."""

from glasswood.ensemble._align import AlignedRows, align, align_in_order, column_order, model_table
from glasswood.ensemble._boxes import Boxes, boxes
from glasswood.ensemble._build import build_ensemble
from glasswood.ensemble._category_hash import as_text, distinct_texts, text_hash
from glasswood.ensemble._category_set import pack_set, unpack_set
from glasswood.ensemble._class_shares import holds_shares, largest_share, predicted_class, shares_of
from glasswood.ensemble._code_labels import label_codes
from glasswood.ensemble._columns_for import features_of, known_levels
from glasswood.ensemble._derivation import Derivation
from glasswood.ensemble._describe import describe_features, facts
from glasswood.ensemble._ensemble import Ensemble
from glasswood.ensemble._file import is_glasswood, load, loads
from glasswood.ensemble._join import join
from glasswood.ensemble._json_file import is_glasswood_json, json_text, loads_json
from glasswood.ensemble._label import category_label, join_names, number_label, rough_number, short_number, shown_number
from glasswood.ensemble._link import IDENTITY, LOG, LOGIT, NO_LINK, OVA, SOFTMAX, Link, LinkKind
from glasswood.ensemble._made_up_rows import made_up_rows
from glasswood.ensemble._node_depths import node_depths
from glasswood.ensemble._one_output import one_output
from glasswood.ensemble._one_tree import one_tree
from glasswood.ensemble._place import placed
from glasswood.ensemble._provenance import (
    NOT_CHECKED,
    OWN_TABLE,
    VALUES_READ,
    Parity,
    Provenance,
    WeightKind,
    fit_outputs,
)
from glasswood.ensemble._restate import restate
from glasswood.ensemble._restated_threshold import at_most, below, float32_at_most, float32_below
from glasswood.ensemble._schema import ZERO, FeatureSchema
from glasswood.ensemble._split_nodes import split_nodes
from glasswood.ensemble._subtract import is_difference, subtract
from glasswood.ensemble._unite import unite
from glasswood.tables import Label

__all__ = [
    "IDENTITY",
    "LOG",
    "LOGIT",
    "NOT_CHECKED",
    "NO_LINK",
    "OVA",
    "OWN_TABLE",
    "SOFTMAX",
    "VALUES_READ",
    "ZERO",
    "AlignedRows",
    "Boxes",
    "Derivation",
    "Ensemble",
    "FeatureSchema",
    "Label",
    "Link",
    "LinkKind",
    "Parity",
    "Provenance",
    "WeightKind",
    "align",
    "align_in_order",
    "as_text",
    "at_most",
    "below",
    "boxes",
    "build_ensemble",
    "category_label",
    "column_order",
    "describe_features",
    "distinct_texts",
    "facts",
    "features_of",
    "fit_outputs",
    "float32_at_most",
    "float32_below",
    "holds_shares",
    "is_difference",
    "is_glasswood",
    "is_glasswood_json",
    "join",
    "join_names",
    "json_text",
    "known_levels",
    "label_codes",
    "largest_share",
    "load",
    "loads",
    "loads_json",
    "made_up_rows",
    "model_table",
    "node_depths",
    "number_label",
    "one_output",
    "one_tree",
    "pack_set",
    "placed",
    "predicted_class",
    "restate",
    "rough_number",
    "shares_of",
    "short_number",
    "shown_number",
    "split_nodes",
    "subtract",
    "text_hash",
    "unite",
    "unpack_set",
]
