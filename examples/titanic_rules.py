"""The example of docs/rules.md: from a model of the Titanic to ten rules.

With a folder as argument, saves the pictures of the page there.
"""

import sys
from pathlib import Path

from lightgbm import LGBMClassifier

import glasswood as gw
from glasswood.data import load_titanic

passengers = load_titanic("pandas")
X = passengers[["pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"]].astype(
    {"sex": "category", "embarked": "category"}
)
y = passengers["survived"].astype(int)

sirus = gw.SirusClassifier(p0=0.0, max_rules=10, random_state=0).fit(X, y)
rules = sirus.rules_
print(rules)

fynney = X[passengers["name"].str.startswith("Fynney")].head(1)
explained = rules.explain(fynney)
print(explained.to_frame().round(3))

model = LGBMClassifier(n_estimators=100, num_leaves=15, learning_rate=0.05, verbose=-1, random_state=0).fit(X, y)
print(gw.rules(model, X, y, max_rules=10))

found = gw.rule_cv(gw.SirusClassifier(300, random_state=0), X, y, n_splits=5, n_repeats=3, random_state=0)
print(f"p0_pred {found.p0_pred:.3f}, p0_stab {found.p0_stab:.3f}")

if len(sys.argv) > 1:
    from matplotlib import pyplot

    pyplot.switch_backend("Agg")
    folder = Path(sys.argv[1])
    rules.plot().figure.savefig(folder / "rules.png", dpi=100)
    explained.plot().figure.savefig(folder / "rules-one-row.png", dpi=100)
    found.plot().figure.savefig(folder / "rules-cv.png", dpi=100)
