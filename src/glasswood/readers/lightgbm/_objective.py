"""Objective: LightGBM's objective line → Link."""

from glasswood.ensemble import IDENTITY, LOG, LOGIT, NO_LINK, OVA, SOFTMAX, Link, LinkKind

_LINKS = {
    "regression": IDENTITY,
    "regression_l1": IDENTITY,
    "huber": IDENTITY,
    "fair": IDENTITY,
    "quantile": IDENTITY,
    "mape": IDENTITY,
    "lambdarank": IDENTITY,
    "rank_xendcg": IDENTITY,
    "poisson": LOG,
    "gamma": LOG,
    "tweedie": LOG,
    "binary": LOGIT,
    "cross_entropy": LOGIT,
    "multiclass": SOFTMAX,
    "multiclassova": OVA,
}


def link_of(objective: str, n_outputs: int) -> Link:
    """Link of an objective line such as ``binary sigmoid:1``; no link if it is unknown or changed by an option."""
    kind, *options = objective.split(" ")
    link = _LINKS.get(kind, NO_LINK)
    if link.kind in (LinkKind.LOGIT, LinkKind.OVA):
        return Link(link.kind, _sigmoid(options)) if _known(options) else NO_LINK
    if (link.kind is LinkKind.SOFTMAX) != (n_outputs > 1) and link is not NO_LINK:
        return NO_LINK
    # "regression sqrt" squares its prediction
    return link if _known(options) else NO_LINK


def _sigmoid(options: list[str]) -> float:
    for option in options:
        name, _, value = option.partition(":")
        if name == "sigmoid":
            return float(value)
    return 1.0


def _known(options: list[str]) -> bool:
    for option in options:
        name, _, value = option.partition(":")
        try:
            number = float(value)
        except ValueError:
            return False
        if name not in ("sigmoid", "num_class") or not 0 < number < float("inf"):
            return False
    return True
