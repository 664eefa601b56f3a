"""The first example of the README: a LightGBM model of the Titanic, read, checked and explained.

With a file name as argument, saves the picture there.
"""

import sys

from lightgbm import LGBMClassifier

import glasswood as gw
from glasswood.data import load_titanic

passengers = load_titanic("pandas")
X = passengers[["pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"]].astype(
    {"sex": "category", "embarked": "category"}
)
y = passengers["survived"].astype(int)
model = LGBMClassifier(n_estimators=150, num_leaves=15, learning_rate=0.05, verbose=-1).fit(X, y)

ens = gw.read(model, X)
print(ens)

fx = gw.effects(model, X)
print(fx.importance().to_frame().round(3))
print(fx["age"].to_frame().tail(4)[["lower", "upper", "missing", "effect", "weight"]].round(3))

ix = gw.interactions(model, X)
print(ix.ranking().to_frame().head(3).round(3))

print(gw.ledger(model, X).to_frame().round(3))

if len(sys.argv) > 1:
    from matplotlib import pyplot

    pyplot.switch_backend("Agg")
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained", width_ratios=[1.1, 1])
    fx["age"].plot(left)
    ix["age", "sex"].plot(right)
    figure.savefig(sys.argv[1], dpi=110)
