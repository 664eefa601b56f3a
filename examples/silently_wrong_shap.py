"""shap on HistGradientBoosting with native categories: the values do not sum to the prediction, and the check passes.

Needs shap: pip install shap
"""

try:
    import shap
except ImportError as error:
    raise SystemExit("this example needs shap: pip install shap") from error

import numpy as np
import pandas as pd
import sklearn
from sklearn.ensemble import HistGradientBoostingRegressor

import glasswood as gw

rng = np.random.default_rng(0)
X = pd.DataFrame({"size": rng.normal(size=2000), "wood": rng.integers(0, 12, 2000)})
y = 5 * rng.normal(size=12)[X["wood"]] + X["size"]


def largest_miss(model: HistGradientBoostingRegressor) -> float:
    """The largest difference between the sum of shap's values and the model's prediction; shap's own check is on."""
    explained = shap.TreeExplainer(model)(X, check_additivity=True)
    return float(np.abs(explained.values.sum(axis=1) + explained.base_values - model.predict(X)).max())


numbers = HistGradientBoostingRegressor(random_state=0).fit(X, y)
categories = HistGradientBoostingRegressor(categorical_features=["wood"], random_state=0).fit(X, y)

print(f"shap {shap.__version__}, scikit-learn {sklearn.__version__}")
print(f"sd of the predictions: {categories.predict(X).std():.2f}")
print(f"shap, wood as a number:   sum of values misses the prediction by at most {largest_miss(numbers):.1e}")
print(f"shap, wood as a category: sum of values misses the prediction by at most {largest_miss(categories):.2f}")
print(f"glasswood, wood as a category: {gw.read(categories, X).source.parity}")
