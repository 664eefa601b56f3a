"""The peer's side of bench_rules.py: runs in a separate environment, which pins another scikit-learn.

Called with the class to use, such as ``woodtapper.extract_rules:SirusClassifier``. Every line on stdin is a JSON
request: the file with X, y and perhaps X_test, and the parameters of the class; it is answered with the seconds a fit
took, the peak memory of the process in MB, the number of rules and, where there are rows to test on, the probabilities.
"""

import importlib
import json
import os
import sys
import time
import warnings

import numpy as np

from memory import peak

# importing or fitting may print; only answers go to the caller
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)
warnings.simplefilter("ignore")

module, _, name = sys.argv[1].partition(":")
estimator = getattr(importlib.import_module(module), name)
for line in sys.stdin:
    request = json.loads(line)
    with np.load(request["file"]) as data:
        X, y, X_test = data["X"], data["y"], data.get("X_test")
    model = estimator(**request["options"])
    start = time.perf_counter()
    model.fit(X, y)
    answer = {"seconds": time.perf_counter() - start, "n_rules": len(model.rules_)}
    answer["peak"] = peak() / 1e6
    if X_test is not None:
        answer["probability"] = np.asarray(model.predict_proba(X_test))[:, 1].tolist()
    answers.write(json.dumps(answer) + "\n")
