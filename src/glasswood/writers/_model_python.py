"""A model as one Python module that needs nothing but the standard library."""

from glasswood.ensemble import ZERO, Ensemble, LinkKind
from glasswood.writers._model_tables import ModelTables, model_tables

_LINKS = {
    LinkKind.IDENTITY: "return raw",
    LinkKind.LOG: "return [_exp(r) for r in raw]",
    LinkKind.LOGIT: "return [_expit({scale} * r) for r in raw]",
    LinkKind.OVA: "return [_expit({scale} * r) for r in raw]",
    LinkKind.SOFTMAX: (
        "top = max(raw)\n    shares = [math.exp(r - top) for r in raw]\n"
        "    total = sum(shares)\n    return [share / total for share in shares]"
    ),
}
_CODE = '''

def _code(j, value):
    """Number of a level; -1 if it is missing, the number of levels if the model does not know it."""
    if value is None or value != value:
        return -1
    return CODES[j].get(value, len(CODES[j]))


def _number(j, value):
    """A number; NaN if it is missing."""
    if value is None or value != value or (ZERO_IS_MISSING[j] and abs(value) <= {zero!r}):
        return math.nan
    return float(value)


def predict_raw(row):
    """Sum over the trees, one number per output; row maps features to values, None and NaN are missing."""
    x = [_number(j, row[name]) if CODES[j] is None else _code(j, row[name]) for j, name in enumerate(FEATURES)]
    raw = list(BASELINE)
    for root, first in zip(ROOT, FIRST_OUTPUT):
        node = root
        while FEATURE[node] >= 0:
            j = FEATURE[node]
            v = x[j]
            if CODES[j] is not None:
                if v < 0:
                    left = MISSING_LEFT[node]
                elif v >= len(CODES[j]):
                    left = UNSEEN_LEFT[node]
                else:
                    left = v in MEMBERS[node]
            else:
                left = MISSING_LEFT[node] if v != v else v <= THRESHOLD[node]
            node = LEFT[node] if left else RIGHT[node]
        for k, value in enumerate(VALUE[node]):
            raw[first + k] += value
    return raw


def _exp(r):
    try:
        return math.exp(r)
    except OverflowError:
        return inf


def _expit(r):
    if r >= 0:
        return 1.0 / (1.0 + math.exp(-r))
    return math.exp(r) / (1.0 + math.exp(r))


def predict(row):
    """Prediction, one number per output."""
    raw = predict_raw(row)
    {link}
'''


def model_python(ensemble: Ensemble) -> str:
    """A module with ``predict_raw(row)`` and ``predict(row)``, where row maps features to values."""
    tables = model_tables(ensemble)
    link = _LINKS[ensemble.link.kind].format(scale=repr(float(ensemble.link.scale)))
    code = _CODE.replace("{zero!r}", repr(ZERO)).replace("{link}", link)
    about = f'"""{ensemble.n_trees} trees; outputs: in the order of OUTPUTS."""\n\nimport math\n\ninf = math.inf\n'
    return about + "\n".join(_lists(tables, ensemble.outputs)) + code


def _lists(tables: ModelTables, outputs: tuple[str, ...]) -> list[str]:
    codes = [None if levels is None else {level: k for k, level in enumerate(levels)} for levels in tables.levels]
    return [
        f"FEATURES = {tables.names!r}",
        f"OUTPUTS = {outputs!r}",
        f"CODES = {codes!r}",
        f"ZERO_IS_MISSING = {tables.zero_is_missing!r}",
        f"ROOT = {tables.root!r}",
        f"FIRST_OUTPUT = {tables.first_output!r}",
        f"FEATURE = {tables.feature!r}",
        f"THRESHOLD = {tables.threshold!r}",
        f"LEFT = {tables.left!r}",
        f"RIGHT = {tables.right!r}",
        f"MISSING_LEFT = {tables.missing_left!r}",
        f"UNSEEN_LEFT = {tables.unseen_left!r}",
        f"MEMBERS = {[frozenset(codes) if codes else () for codes in tables.members]!r}",
        f"VALUE = {tables.value!r}",
        f"BASELINE = {tables.baseline!r}",
    ]
