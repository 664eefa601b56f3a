"""The passengers most like one passenger: the rows behind a prediction of a forest on the Titanic."""

import numpy as np

import glasswood as gw
from glasswood.data import load_titanic

passengers = load_titanic("pandas")
X = passengers[["pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"]]
y = np.where(passengers["survived"] == 1, "survived", "died")

# Leave one passenger out of the training rows and ask about her.
asked = int(passengers.index[passengers["name"].str.startswith("Andersson, Miss. Ida Augusta")][0])
others = np.flatnonzero(np.arange(len(X)) != asked)
train = X.iloc[others].reset_index(drop=True)
forest = gw.ForestClassifier(500, min_samples_leaf=3, random_state=0).fit(train, y[others])
query = X.iloc[[asked]]
print(passengers.loc[asked, "name"])
print(query.to_string(index=False))
print(f"in truth: {y[asked]}")
print(dict(zip(forest.classes_.tolist(), forest.predict_proba(query)[0].round(3).tolist(), strict=True)))

index = gw.examples(forest, train, y[others])
print(index)
found = index.nearest(query, k=5)
shown = found.rows(0).assign(similarity=found.similarity[0].round(3), target=found.target[0].tolist())
print(shown.to_string())
print("; ".join(passengers["name"].iloc[others[found.row[0]]]))

# The rows the forest really averaged: each counts as often as it was drawn.
inbag = gw.examples(forest, train, y[others], method="inbag")
weights = inbag.weights(query)
print(f"{weights.nnz} of {len(train)} passengers stand behind the prediction")
print(f"weight of those who survived: {(weights @ (y[others] == 'survived'))[0]:.12f}")
print(f"the forest says:              {forest.predict_proba(query)[0, 1]:.12f}")

# Leaves with fewer than 10 passengers are ignored, for privacy.
private = gw.examples(forest, train, y[others], min_rows_per_leaf=10).nearest(query, k=5)
print(private.to_frame("pandas").round(3).to_string(index=False))
