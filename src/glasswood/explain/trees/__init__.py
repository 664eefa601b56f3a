"""Trees: one tree as a diagram and as a profile by depth."""

from glasswood.explain.trees._diagram import make_diagram, tree_diagram
from glasswood.explain.trees._node_rows import NodeRows, levels_left, node_rows
from glasswood.explain.trees._profile import class_impurity, tree_profile

__all__ = ["NodeRows", "class_impurity", "levels_left", "make_diagram", "node_rows", "tree_diagram", "tree_profile"]
