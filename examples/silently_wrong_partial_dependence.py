"""scikit-learn's partial dependence with missing values: the grid shifts, then becomes NaN and the curve is flat."""

import warnings

import numpy as np
import sklearn
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.inspection import partial_dependence

import glasswood as gw

warnings.simplefilter("always")  # to show that there is no warning
np.set_printoptions(precision=2, suppress=True)

print(f"scikit-learn {sklearn.__version__}")
for share in (0.0, 0.04, 0.08):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 2))
    y = 2 * X[:, 0] + X[:, 1]
    X[rng.random(2000) < share, 0] = np.nan
    model = HistGradientBoostingRegressor(random_state=0).fit(X, y)
    curve = partial_dependence(model, X, [0], grid_resolution=5, method="brute")
    print(f"\n{share:.0%} missing")
    print("  scikit-learn  at", curve["grid_values"][0], "is", curve["average"][0])

    # The same average by hand, on the model as glasswood read it; missing is a separate point.
    ensemble = gw.read(model, X)
    grid = np.append(np.linspace(*np.nanquantile(X[:, 0], [0.05, 0.95]), 5), np.nan)
    average = []
    for point in grid:
        rows = X.copy()
        rows[:, 0] = point
        average.append(ensemble.predict(rows).mean())
    print("  by hand       at", grid, "is", np.array(average))
    cells = gw.effects(model, X)["x0"].to_frame("pandas")
    if cells["missing"].any():
        print(
            f"  gw.effects has {len(cells)} cells; the one for missing is {cells['value'][cells['missing']].item():.2f}"
        )
    print("  glasswood:", ensemble.source.parity)
