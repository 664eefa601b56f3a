"""Rules in SQL, run by SQLite."""

import sqlite3

import numpy as np

import glasswood as gw
from glasswood.writers import rules_sql


def test_a_database_computes_what_the_rules_predict() -> None:
    rng = np.random.default_rng(4)
    X = np.round(rng.normal(size=(300, 3)), 2)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.nan_to_num(X[:, 0]) * 2 + (np.nan_to_num(X[:, 1]) > 0.3)
    found = gw.SirusRegressor(40, random_state=0).fit(X, y).rules_
    names = ", ".join(f'"{name}"' for name in found.features.names)
    with sqlite3.connect(":memory:") as database:
        database.execute(f"CREATE TABLE t ({names})")
        rows = [[None if np.isnan(v) else v for v in row] for row in X.tolist()]
        database.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        answers = [row[0] for row in database.execute(f"SELECT {rules_sql(found, 0)} FROM t ORDER BY rowid")]
    np.testing.assert_allclose(answers, found.predict(X), rtol=1e-12)
