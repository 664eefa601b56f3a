"""The child process in which CatBoost loads a file: request in, raw and leaves out, through one folder."""

import json
import sys
from pathlib import Path

import numpy as np

from glasswood.readers.catboost._ask import ask_object
from glasswood.readers.catboost._rows import Rows


def main(folder: Path) -> None:
    """Answer the request in `folder`."""
    import catboost

    request = json.loads((folder / "request.json").read_text())
    numbers = np.load(folder / "numbers.npy", allow_pickle=False)
    model = catboost.CatBoost().load_model(str(folder / "model"), format=request["format"])
    texts = {int(column): values for column, values in request["texts"].items()}
    oracle = ask_object(model, Rows(numbers=numbers, texts=texts))
    np.save(folder / "raw.npy", oracle.raw)
    np.save(folder / "leaves.npy", np.asarray(oracle.leaves))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
