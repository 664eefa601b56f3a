"""Scorecards: a model as a baseline and tables of points, with what they leave out."""

from glasswood.explain.scorecards._make import scorecard
from glasswood.explain.scorecards._scorecard import Fidelity, Scorecard

__all__ = ["Fidelity", "Scorecard", "scorecard"]
