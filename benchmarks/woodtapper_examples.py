"""The peer's side of bench_examples.py: runs in a separate environment, which pins another scikit-learn.

Called with a folder that holds X.npy, y.npy and queries.npy, and the number of trees. Writes weights.npy there, its
similarities of the first queries; then every line on stdin is answered with the seconds an explanation of all took.
"""

import os
import sys
import time
from pathlib import Path

import numpy as np
from woodtapper.example_sampling import RandomForestRegressorExplained

# importing it may print; only answers go to the caller
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)

folder = Path(sys.argv[1])
X, y, queries = (np.load(folder / f"{name}.npy") for name in ("X", "y", "queries"))
model = RandomForestRegressorExplained(n_estimators=int(sys.argv[2]), random_state=0)
model.fit(X, y)
np.save(folder / "weights.npy", model.get_weights_cython(queries[:20]))
answers.write("ready\n")
for _ in sys.stdin:
    start = time.perf_counter()
    model.explanation(queries, n_examples=5)
    answers.write(f"{time.perf_counter() - start}\n")
