"""report: everything about a model on one page that needs no server and no network."""

from collections.abc import Sequence, Sized
from dataclasses import replace
from typing import Any

import numpy as np

from glasswood._progress import progress_bar
from glasswood.ensemble import align
from glasswood.errors import GlasswoodError, OptionError, TableError
from glasswood.explain.compare import columns_for
from glasswood.readers import as_ensemble
from glasswood.tables import Table, n_rows_of, replayable
from glasswood.web.page._budget import page_within
from glasswood.web.page._page import Page
from glasswood.web.page._section import Section
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._registry import PANELS
from glasswood.web.panels._subject import OtherModel, Subject, Training

_MAX_NODES = 1_600
_MAX_VALUES = 20_000
_TREE_BYTES = 450_000
_WIDE = 500  # from this number of used features on, the rows get more of the page and the trees less
_WIDE_TREE_BYTES = 300_000
_ROW_BYTES = 250_000  # of the rows of This prediction
_MIN_ROWS = 4
_PAGE_BYTES = 1_750_000  # with its scripts the page stays below 2 MB
_LARGEST = 1e150  # of a leaf value, because variances square it


def report(
    model: Any,
    X: Table,
    y: Any = None,
    *,
    train: tuple[Table, Any] | None = None,
    other: Any = None,
    title: str | None = None,
    panels: Sequence[str] | None = None,
    n_examples: int = 24,
    min_rows_per_leaf: int = 1,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Page:
    """Put everything about a model on one page: what was read, how it was checked, single predictions, effects, …

    A panel that cannot be shown (too many cells, a target that does not fit, …) says why; the others stay. The page
    contains the numbers it draws. Of the table it contains only rows that it draws: the examples with their neighbours,
    the points of the tree's regions, and, as whole numbers, 100 rows with which single predictions are compared.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes. A model that does not pass its check is refused.
    X : table
        Rows to explain the model on.
    y : array, (n_rows,), optional
        Their targets; without them there are no rules.
    train : tuple of table and array, optional
        Rows that the model was trained on and their targets. *How good is it* then shows them beside the rows of X,
        which the model should not have seen.
    other : fitted model, path or Ensemble, optional
        Another model, or another version of this one, with which a panel compares it (see `glasswood.compare`). X
        may then have the columns of both.
    title : str, optional
        Title of the page; by default a description of the model.
    panels : list of str, optional
        Only these panels, such as ``["effects"]``; by default all. Fewer panels take less time.
    n_examples : int
        Number of rows to choose from in the panels This prediction and Examples, spread over the range of predictions.
        0 leaves out all panels that show rows of X: these two and Tree.
    min_rows_per_leaf : int
        Privacy limit of the examples: a leaf with fewer rows counts as empty.
    sample_weight : array, (n_rows,), optional
        Weight of each row; the tree panel counts rows without weights.
    n_jobs : int, optional
        Threads; None is 1, −1 all cores.
    progress : bool
        Show bars on stderr: one with a step per panel, and those of the long work inside a panel.

    Returns
    -------
    Page
        ``save("report.html")`` writes one offline file; notebooks show it; ``serve()`` serves it.

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> page = gw.report(gw.ForestClassifier(10, random_state=0).fit(X, y), X, y)
    >>> [section.kind for section in page.sections]
    ['overview', 'performance', 'prediction', 'tree', 'effects', 'interactions', 'rules', 'examples']
    """
    if X is None:
        raise TableError("a report explains a model on rows: pass X")
    if isinstance(n_examples, bool) or not isinstance(n_examples, int | np.integer) or n_examples < 0:
        raise OptionError(f"n_examples must be a whole number, at least 0; got {n_examples!r}")
    X = replayable(X)
    both, n_rows = X, n_rows_of(X)
    if other is not None:
        X = columns_for(X, as_ensemble(model).features)
    if not n_rows:
        raise TableError("a report explains a model on rows: X has none")
    if y is not None and _length("y", y) != n_rows:
        raise TableError(f"y has {len(y):,} values for {n_rows:,} rows of X")
    subject = Subject(
        "",
        model,
        X,
        y,
        sample_weight,
        training=_training(train, y),
        other=None if other is None else OtherModel(other, both),
        n_examples=int(n_examples),
        min_rows_per_leaf=min_rows_per_leaf,
        n_jobs=n_jobs,
        progress=progress,
    )
    source = subject.ensemble().source
    name = title or f"{source.model} ({source.library})"
    return report_on(subject, name, panels=_chosen(panels), progress=progress)


def _training(train: Any, y: Any) -> Training | None:
    """Training rows and their targets, checked."""
    if train is None:
        return None
    if not isinstance(train, tuple | list) or len(train) != 2:
        raise OptionError("train holds the training rows and their targets: train=(X_train, y_train)")
    if y is None:
        raise OptionError("train is compared with the rows of X: pass their targets y too")
    X, target = replayable(train[0]), train[1]
    if not n_rows_of(X) or _length("the target of train", target) != n_rows_of(X):
        raise TableError(f"train has {len(target):,} targets for {n_rows_of(X):,} rows")
    return Training(X, target)


def _length(what: str, target: Any) -> int:
    """Number of targets."""
    if isinstance(target, str) or not isinstance(target, Sized) or getattr(target, "ndim", 1) == 0:
        raise TableError(f"{what} must hold one value per row, got {type(target).__name__}")
    return len(target)


def _chosen(kinds: Sequence[str] | None) -> tuple[Panel, ...]:
    """The panels of some kinds, in the order of the page."""
    if kinds is None:
        return tuple(PANELS.values())
    listed = isinstance(kinds, Sequence | set | frozenset) and not isinstance(kinds, str) and len(kinds) > 0
    if not listed or not all(isinstance(kind, str) and kind in PANELS for kind in kinds):
        raise OptionError(f"panels must be a list of some of {', '.join(PANELS)}; got {kinds!r}")
    return tuple(panel for kind, panel in PANELS.items() if kind in kinds)


def report_on(
    subject: Subject, title: str, *, panels: tuple[Panel, ...] = tuple(PANELS.values()), progress: bool = False
) -> Page:
    """Panels about a subject, on one page of limited size."""
    features = subject.ensemble().features
    # a table that does not fit the model is an error of the whole report, not of one panel
    align(subject.rows(), features)
    if not np.abs(subject.ensemble().value).max(initial=0.0) <= _LARGEST:
        raise TableError(f"leaves of the model hold values beyond ±{_LARGEST:g}, whose variance no number can hold")
    used = len(np.unique(subject.ensemble().feature))
    fitting = replace(
        subject,
        max_nodes=_MAX_NODES,
        max_values=_MAX_VALUES,
        max_tree_bytes=_TREE_BYTES if used < _WIDE else _WIDE_TREE_BYTES,
        n_examples=min(subject.n_examples, max(_MIN_ROWS, _ROW_BYTES // (used * _bytes_of_a_part(subject)))),
    )
    with progress_bar(panels, "panels", show=progress) as each:
        sections = (_part(panel, fitting) for panel in each)
        return Page(title, page_within((section for section in sections if section is not None), _PAGE_BYTES))


def _bytes_of_a_part(subject: Subject) -> int:
    """About how many bytes a feature of one row of *This prediction* takes: its value, and its part of each output."""
    return 14 + 22 * len(subject.ensemble().outputs)


def _part(panel: Panel, subject: Subject) -> Section | None:
    """The section of a panel, or one that says why the panel cannot be shown."""
    try:
        return panel.section(subject)
    except GlasswoodError as error:
        return panel.refused(str(error))
    except MemoryError:
        return panel.refused("there is not enough memory for this part")
