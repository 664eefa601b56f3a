"""explore: a page with the trees of a model, depth by depth."""

from typing import Any

from glasswood._checks import whole_number
from glasswood.errors import TableError
from glasswood.tables import Table
from glasswood.web.page._page import Page
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.tree._section import TREE, build_tree

_MAX_BYTES = 1_600_000  # the whole page then stays below 2 MB


def explore(model: Any, X: Table, y: Any, *, first_tree: int = 0, progress: bool = False) -> Page:
    """Look at a model tree by tree: structure, impurity by depth, and the regions of the tree cut at any depth.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `read` takes.
    X : table
        Rows to send through the trees; all of them are counted, at most 2,000 are drawn.
    y : array, (n_rows,)
        Their targets: classes or numbers.
    first_tree : int
        Number of the first tree to show, from 0; as many trees after it follow as fit the page.
    progress : bool
        Show a bar on stderr, with a step per tree.

    Returns
    -------
    Page
        Notebooks show it; ``save("tree.html")`` writes one offline file, ``serve()`` serves it.

    Raises
    ------
    TableError
        The table or the targets do not fit the model.
    UnsupportedModelError
        The model cannot be read exactly.

    Notes
    -----
    Nodes show the values of the model and count the given rows. With more than two features, the regions are a slice:
    the features that are not drawn have the values of one row, which can be chosen.

    Examples
    --------
    >>> import glasswood as gw
    >>> tree = gw.TreeClassifier().fit([[0.0], [1.0], [2.0]], ["no", "no", "yes"])
    >>> page = gw.explore(tree, [[0.0], [1.0], [2.0]], ["no", "no", "yes"])
    >>> page.sections[0].data["trees"][0]["label"]
    ['x0 <= 1.5', 'Leaf', 'Leaf']
    """
    if y is None:
        raise TableError("explore counts the targets in every node; pass y")
    subject = Subject(
        "",
        model,
        X,
        y,
        max_tree_bytes=_MAX_BYTES,
        progress=progress,
        first_tree=whole_number("first_tree", first_tree, 0),
    )
    data = build_tree(subject)
    source = subject.ensemble().source
    name = source.model if source.library == "glasswood" else f"{source.model} ({source.library})"
    trees = len(data["trees"])
    title = f"{name}, depth by depth" if trees == 1 else f"{name}, tree by tree"
    return Page(title, (TREE.filled(data),))
