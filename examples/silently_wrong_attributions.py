"""Attributions of other tools that do not add up, or do not use all the rows they were given.

Needs shap: pip install shap
"""

try:
    import shap
except ImportError as error:
    raise SystemExit("this example needs shap: pip install shap") from error

import catboost
import lightgbm
import numpy as np
import pandas as pd

import glasswood as gw

rng = np.random.default_rng(0)
n = 2000
X = pd.DataFrame({"size": rng.normal(size=n), "wood": rng.integers(0, 12, n), "age": rng.normal(size=n)})
y = 5 * rng.normal(size=12)[X["wood"]] * (X["size"] > 0) + X["size"] + X["age"]
print(f"shap {shap.__version__}, LightGBM {lightgbm.__version__}, CatBoost {catboost.__version__}")

numbers = X[["size", "age"]]
model = lightgbm.LGBMRegressor(n_estimators=50, verbose=-1).fit(numbers, y)
explainer = shap.TreeExplainer(model, numbers)
theirs = explainer(numbers).values
print(f"\nbackground of {n:,} rows: shap keeps {len(explainer.data)}")
print(f"mean prediction {model.predict(numbers).mean():.3f}, shap's expected value {explainer.expected_value:.3f}")
ours = gw.attributions(model, numbers, background=numbers)
few = gw.attributions(model, numbers, background=pd.DataFrame(explainer.data, columns=numbers.columns))
print(f"glasswood's baseline {ours.baseline[0]:.3f}")
print(f"values differ from shap's by up to {abs(ours.values - theirs).max():.2f},")
print(f"over the 100 rows shap kept by up to {abs(few.values - theirs).max():.0e}")

model = lightgbm.LGBMRegressor(n_estimators=50, min_data_per_group=5, cat_smooth=1, verbose=-1)
model.fit(X, y, categorical_feature=["wood"])
explainer = shap.TreeExplainer(model)
values, pairs = explainer(X).values, explainer.shap_interaction_values(X)
ours = gw.attributions(model, X, interactions=True)
prediction = model.predict(X)
print("\nLightGBM with a category, sum of all cells of the interaction matrix against the prediction:")
print(f"shap misses by up to {abs(pairs.sum(axis=(1, 2)) + explainer.expected_value - prediction).max():.2f}", end=", ")
print(f"glasswood by up to {abs(ours.interactions.sum(axis=(1, 2)) + ours.baseline - prediction).max():.0e}")
miss = abs(values.sum(axis=1) + explainer.expected_value - prediction).max()
print(f"(shap's values, which it asks LightGBM for, miss by up to {miss:.0e})")

forest = lightgbm.LGBMRegressor(
    n_estimators=10, boosting_type="rf", bagging_freq=1, bagging_fraction=0.6, verbose=-1
).fit(numbers, y)
contributions = forest.predict(numbers, pred_contrib=True)
ours = gw.attributions(forest, numbers)
print("\nLightGBM's random forest of 10 trees, first row:")
print(f"prediction {forest.predict(numbers)[0]:.4f}, sum of its pred_contrib {contributions[0].sum():.4f}", end=", ")
print(f"of ours {ours.values[0].sum() + ours.baseline[0]:.4f}")

text = X.assign(wood=X["wood"].astype(str))
model = catboost.CatBoostRegressor(
    n_estimators=30, max_depth=4, verbose=0, one_hot_max_size=20, cat_features=["wood"], allow_writing_files=False
).fit(text, y)
pool = catboost.Pool(text, cat_features=["wood"])
pairs = model.get_feature_importance(pool, type="ShapInteractionValues")
ours = gw.attributions(model, text, interactions=True)
print("\nCatBoost's interaction matrix has a last row and column for the baseline:")
print(f"the whole matrix misses the prediction by up to {abs(pairs.sum(axis=(1, 2)) - model.predict(text)).max():.2f},")
print(f"without them it equals ours to {abs(pairs[:, :-1, :-1] - ours.interactions).max():.0e}")
