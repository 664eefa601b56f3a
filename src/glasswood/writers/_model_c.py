"""A model as one C file without dependencies."""

import math
from collections.abc import Iterable

from glasswood.ensemble import ZERO, Ensemble, LinkKind
from glasswood.writers._model_tables import check_writable, model_tables

_LINKS = {
    LinkKind.IDENTITY: "(void)k;",
    LinkKind.LOG: "for (k = 0; k < N_OUTPUTS; ++k) out[k] = exp(out[k]);",
    LinkKind.LOGIT: "for (k = 0; k < N_OUTPUTS; ++k) out[k] = 1.0 / (1.0 + exp(-({scale} * out[k])));",
    LinkKind.OVA: "for (k = 0; k < N_OUTPUTS; ++k) out[k] = 1.0 / (1.0 + exp(-({scale} * out[k])));",
    LinkKind.SOFTMAX: (
        "double top = out[0], total = 0.0;\n"
        "    for (k = 1; k < N_OUTPUTS; ++k) if (out[k] > top) top = out[k];\n"
        "    for (k = 0; k < N_OUTPUTS; ++k) total += out[k] = exp(out[k] - top);\n"
        "    for (k = 0; k < N_OUTPUTS; ++k) out[k] /= total;"
    ),
}
_CODE = """
/* Sum over the trees. x holds one number per feature: NaN is missing; a category is its code, -1 is missing,
   its number of levels and above is a level that the model does not know. */
void predict_raw(const double *x, double *raw) {
    int k, t;
    for (k = 0; k < N_OUTPUTS; ++k) raw[k] = baseline[k];
    for (t = 0; t < N_TREES; ++t) {
        int node = root[t];
        while (feature[node] >= 0) {
            const int j = feature[node];
            const double v = x[j];
            int left;
            if (n_levels[j] > 0) {
                if (!(v >= 0)) left = missing_left[node];
                else if (v >= n_levels[j]) left = unseen_left[node];
                else {
                    int i;
                    left = 0;
                    for (i = set_start[node]; i < set_start[node + 1]; ++i) if (member[i] == (int)v) left = 1;
                }
            } else if (v != v || (zero_is_missing[j] && fabs(v) <= ZERO)) left = missing_left[node];
            else left = v <= threshold[node];
            node = left ? left_child[node] : right_child[node];
        }
        for (k = 0; k < WIDTH; ++k) raw[first_output[t] + k] += value[(long)node * WIDTH + k];
    }
}

/* Prediction: raw after the inverse link. */
void predict_all(const double *x, double *out) {
    int k;
    predict_raw(x, out);
    LINK
}

/* Prediction of the first output. */
double predict(const double *x) {
    double out[N_OUTPUTS];
    predict_all(x, out);
    return out[0];
}
"""


_DECLARATIONS = """
#ifdef __cplusplus
extern "C" {
#endif
/* Sum over the trees; x holds one number per feature, raw one per output. */
void predict_raw(const double *x, double *raw);
/* Prediction: raw after the inverse link. */
void predict_all(const double *x, double *out);
/* Prediction of the first output. */
double predict(const double *x);
#ifdef __cplusplus
}
#endif
#endif
"""


def model_h(ensemble: Ensemble) -> str:
    """Declarations of what `model_c` defines, with the same list of features, levels and outputs."""
    check_writable(ensemble)
    return f"#ifndef GLASSWOOD_MODEL_H\n#define GLASSWOOD_MODEL_H\n{_comment(ensemble)}{_DECLARATIONS}"


def model_c(ensemble: Ensemble) -> str:
    """A C file with ``predict_raw``, ``predict_all`` and ``predict``; categories are codes, listed in a comment."""
    tables = model_tables(ensemble)
    width = ensemble.value.shape[1]
    starts = [0]
    for codes in tables.members:
        starts.append(starts[-1] + len(codes))
    lists = [
        _array("double", "baseline", map(_number, tables.baseline)),
        _array("int", "n_levels", (len(levels or ()) for levels in tables.levels)),
        _array("int", "zero_is_missing", map(int, tables.zero_is_missing)),
        _array("int", "root", tables.root),
        _array("int", "first_output", tables.first_output),
        _array("int", "feature", tables.feature),
        _array("double", "threshold", map(_number, tables.threshold)),
        _array("int", "left_child", tables.left),
        _array("int", "right_child", tables.right),
        _array("int", "missing_left", map(int, tables.missing_left)),
        _array("int", "unseen_left", map(int, tables.unseen_left)),
        _array("int", "set_start", starts),
        _array("int", "member", (code for codes in tables.members for code in codes)),
        _array("double", "value", (_number(v) for row in tables.value for v in (row or [0.0] * width))),
    ]
    sizes = {"N_OUTPUTS": ensemble.n_outputs, "N_TREES": ensemble.n_trees, "WIDTH": width, "ZERO": repr(ZERO)}
    link = _LINKS[ensemble.link.kind].replace("{scale}", repr(float(ensemble.link.scale)))
    head = ["#include <math.h>", _comment(ensemble), *(f"#define {name} {size}" for name, size in sizes.items())]
    return "\n".join([*head, *lists]) + _CODE.replace("LINK", link)


def _array(kind: str, name: str, items: Iterable[object]) -> str:
    return f"static const {kind} {name}[] = {{{', '.join(map(str, items)) or '0'}}};"


def _number(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else "HUGE_VAL" if value > 0 else "-HUGE_VAL"


def _comment(ensemble: Ensemble) -> str:
    """Features and their levels; what would end the comment, or is not ASCII, is written as an escape."""
    lines = []
    for j, (name, levels) in enumerate(zip(ensemble.features.names, ensemble.features.categories, strict=True)):
        coded = "" if not levels else ": " + ", ".join(f"{k} = {level!a}" for k, level in enumerate(levels))
        lines.append(f"   x[{j}] {name!a}{coded}".replace("*/", "* /").replace("/*", "/ *"))
    return "\n".join(
        ["/* Features:", *lines, "   Outputs: " + ascii(list(ensemble.outputs)).replace("*/", "* /"), "*/"]
    )
