"""Writes docs/credibility.md and its figures from the results of benchmarks/study_credibility.py.

python docs/credibility_page.py
"""

import json
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

import glasswood as gw

mpl.use("Agg")
from matplotlib import pyplot as plt

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
IMAGES = ROOT / "docs" / "img"
RULES = ("cred_var", "cred_std", "welch")
COLOURS = {"newton": "#5b6770", "cred_var": "#c98a2b", "cred_std": "#2b7bba", "welch": "#0f8a6d"}
Ratios = dict[str, dict[str, list[float]]]

PAGE = """\
# Does credibility help?

`gw.BoostingRegressor` and `gw.BoostingClassifier` offer four rules for choosing a split (`gain=`). This page compares
their test errors and says when to use which. `python docs/credibility_page.py` writes it from the results of
`benchmarks/study_credibility.py`.

`newton`, the default, ranks a split by how much it reduces the loss. `cred_var` and `cred_std` weight each child's
mean by a credibility Z, which compares the square of the mean (`cred_var`) or its absolute value (`cred_std`) with the
noise in the child. `welch`, introduced by glasswood, divides the reduction of the loss by the reduction that pure
noise would give with the same number of rows.

![Two children of 5 rows each](img/credibility-children-5.png)

![Two children of 1,000 rows each](img/credibility-children-1000.png)

The published Z ignores the number of rows: it is the same for 5 rows and for 1,000. `welch` takes it into account.

![Z by spread and sd](img/credibility-grid.png)

## How the rules are compared

Every rule gets the same training rows, the same eight configurations (3 or 6 levels, leaves of at least 1 or 20 rows,
ridge 1 or 20; at most 300 rounds) and the same validation rows, which decide when to stop and choose the
configuration. Nodes choose their questions by themselves (`symmetric=False`); the symmetric trees that are the
default below 10,000 rows came later and were not studied. The error is measured on separate **test** rows and divided
by the error of `newton` tuned the same way: below 1, the rule is better than `newton`. The tables show the mean ±
standard error over {seeds} seeds (real tables: five splits). A cell is bold if it is more than two standard errors
away from 1; by chance, this happens in one cell of twenty.

## Which feature is split first

One feature of ten controls the size of the noise and nothing else. How often is it used for the first split?

![First splits on a feature that only controls the noise](img/credibility-first.png)

{first}

Here the rules differ most. The mean of a few noisy rows is often far from 0 by chance, and newton splits there. With
`cred_var` and `cred_std` this happens about a third less often; with `welch`, less often than by pure chance.

## Generated tables with noise of known shape

Ten features, of which the true function uses five; 1,500 rows. The error is measured against the true function.

![Test error by shape of noise](img/credibility-noise.png)

{noise}

`welch` wins if the noise is unequal (by a feature, claims) and ties if it is not. `cred_std` wins by less. `cred_var`
loses more often than it wins.

## Real tables, counts and classes

At most 12,000 rows of each table. The error is the root mean square error (prices as logs), the mean Poisson deviance
(fremtpl2, with exposure) or the log loss.

![Test error on real tables](img/credibility-real.png)

{real}

Here credibility does not help, and it can hurt: **for classification `welch` loses** (adult, covertype, generated),
and `cred_var` loses on covertype. A likely reason: the noise of a class is p(1 − p), which the hessian already
contains. Estimating it from the rows favours almost pure leaves over the splits that separate most. `cred_std` differs
from newton by less than one per cent everywhere.

## Categories with 2 to 20 rows

150 categories, each with its own effect; 30 seeds. The error is measured on new rows of the same categories, against
the true effect.

{small}

We expected rules that ignore the number of rows to fail here. With little noise, `cred_var` and `cred_std` lose one or
two per cent; `welch` is level with newton. The gain matters less here than the treatment of categories: under every
rule, a level is ordered by its mean only if that mean is credible ([decision
0036](decisions/0036-credible-levels.md)).

## The power of welch

`welch` divides by N0^ρ. We chose ρ on another function (jumps and a wave in four other features), with other seeds,
and on two real tables that are not used above:

{rho}

ρ = 1 has the smallest geometric mean (0.5 to 1.25 are hardly worse). It is also the definition, so we keep it.

## Conclusions

- `welch` rarely splits on features that only control the noise. Over the eight generated settings its test error is
  {noise_welch} of tuned newton's (`cred_std` {noise_cred_std}, `cred_var` {noise_cred_var}).
- On the real tables no rule beats newton, and for classification the best improvement is under one per cent: welch
  {real_welch}, cred_std {real_cred_std}, cred_var {real_cred_var}.
- So `newton` is the default. Use `welch` for regression if you know that the noise is unequal; do not use it for
  classification.
"""


def read(part: str) -> Any:
    """Results of one part."""
    return json.loads((RESULTS / f"credibility-{part}.json").read_text())


def cell(ratios: list[float]) -> str:
    """Mean ± standard error, bold where it is more than two of them away from 1."""
    mean, error = np.mean(ratios), np.std(ratios, ddof=1) / np.sqrt(len(ratios))
    text = f"{mean:.3f} ± {error:.3f}"
    return f"**{text}**" if abs(mean - 1) > 2 * error else text


def table(results: Ratios, rules: tuple[str, ...], first: str) -> str:
    """One line per setting, and the geometric mean over settings."""
    lines = [f"| {first} | {' | '.join(rules)} |", "|---|" + "---|" * len(rules)]
    for name, ratios in results.items():
        lines.append(f"| {name} | {' | '.join(cell(ratios[rule]) for rule in rules)} |")
    means = [overall(results, rule) for rule in rules]
    below = [sum(np.mean(ratios[rule]) < 1 for ratios in results.values()) for rule in rules]
    summary = (f"{mean:.3f}, below 1 in {n} of {len(results)}" for mean, n in zip(means, below, strict=True))
    return "\n".join([*lines, f"| geometric mean | {' | '.join(summary)} |"])


def overall(results: Ratios, rule: str) -> float:
    """Geometric mean of the ratios, every setting counting the same."""
    return float(np.exp(np.mean([np.mean(np.log(ratios[rule])) for ratios in results.values()])))


def draw_ratios(results: Ratios, path: Path) -> None:
    """Ratios to newton with two standard errors, a row per setting."""
    figure, ax = plt.subplots(figsize=(8.0, 0.42 * len(results) + 1.2), layout="constrained")
    names = list(results)
    for k, rule in enumerate(RULES):
        mean = [np.mean(results[name][rule]) for name in names]
        error = [2 * np.std(results[name][rule], ddof=1) / np.sqrt(len(results[name][rule])) for name in names]
        place = np.arange(len(names)) + 0.2 * (k - 1)
        ax.errorbar(mean, place, xerr=error, fmt="o", color=COLOURS[rule], label=rule, markersize=5, linewidth=1.4)
    ax.axvline(1.0, color=COLOURS["newton"], linewidth=1.0)
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.set_xlabel("test error as a ratio to newton's (below 1 is better), ± 2 standard errors")
    ax.legend(frameon=False, ncols=3, loc="lower left", bbox_to_anchor=(0.0, 1.0))
    ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def draw_first(results: dict[str, dict[str, float]], path: Path) -> None:
    """Share of first splits on the feature that only controls the noise."""
    figure, ax = plt.subplots(figsize=(8.0, 3.4), layout="constrained")
    for k, rule in enumerate(("newton", *RULES)):
        place = np.arange(len(results)) + 0.2 * (k - 1.5)
        ax.bar(place, [shares[rule] for shares in results.values()], 0.18, color=COLOURS[rule], label=rule)
    ax.axhline(0.1, color="#333333", linewidth=1.0, linestyle=":")
    ax.set_xticks(range(len(results)), [name.replace(" (", "\n(").replace(", ", ",\n") for name in results], fontsize=8)
    ax.set_ylabel("share of first splits")
    ax.legend(frameon=False, ncols=4)
    ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def draw_grids() -> None:
    """How the rules depend on spread, sd and rows: the two children, and Z as heat maps."""
    rules = ("newton", "cred_var", "cred_std", "welch")
    grid = gw.credibility_grid(spread=[0.1, 0.5], sd=[0.1, 0.5, 2.0], n=[5, 1000], gain=rules)
    for n in (5, 1000):
        panels = grid.plot_children(n=n)
        panels[0, 0].figure.savefig(IMAGES / f"credibility-children-{n}.png", dpi=130)
    figure, axes = plt.subplots(1, 3, figsize=(15.0, 3.9), layout="constrained")
    wide = gw.credibility_grid(n=[5, 1000], gain=rules)
    for ax, rule, n in zip(axes, ("cred_std", "welch", "welch"), (1000, 5, 1000), strict=True):
        wide.plot(ax, rule=rule, n=n)
    figure.savefig(IMAGES / "credibility-grid.png", dpi=110)
    plt.close(figure)


def first_table(results: dict[str, dict[str, float]]) -> str:
    """Shares of first splits."""
    lines = ["| target | newton | cred_var | cred_std | welch |", "|---|---|---|---|---|"]
    return "\n".join(
        [*lines, *(f"| {name} | {' | '.join(f'{s:.2f}' for s in r.values())} |" for name, r in results.items())]
    )


def page() -> str:
    """The page with the figures of the saved results."""
    noise, real, first, small, rho = (read(part) for part in ("noise", "real", "first", "small", "rho"))
    powers = tuple(name for name in next(iter(rho.values())) if name != "newton")
    seeds = len(next(iter(noise.values()))["newton"])
    return PAGE.format(
        noise=table(noise, RULES, "noise"),
        real=table(real, RULES, "table"),
        first=first_table(first),
        small=table(small, RULES, "categories of 2 to 20 rows"),
        rho=table(rho, powers, "setting, power"),
        seeds=seeds,
        **{f"noise_{rule}": f"{overall(noise, rule):.3f}" for rule in RULES},
        **{f"real_{rule}": f"{overall(real, rule):.3f}" for rule in RULES},
    )


def main() -> None:
    """Draw the figures and write the page."""
    draw_ratios(read("noise"), IMAGES / "credibility-noise.png")
    draw_ratios(read("real"), IMAGES / "credibility-real.png")
    draw_first(read("first"), IMAGES / "credibility-first.png")
    draw_grids()
    (ROOT / "docs" / "credibility.md").write_text(page())


if __name__ == "__main__":
    main()
