"""Make the pictures of the how-to pages: run the code of each page and keep what it saves.

``python docs/how_to_pictures.py`` rewrites the pictures of the pages below in ``docs/img``. A page saves one under
a short name; here stands what it is called in the documentation.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PICTURES = {
    "compare.md": {"change.png": "compare-features.png", "fare.png": "compare-fare.png"},
    "prove.md": {"counterfactual.png": "prove-counterfactual.png", "robustness.png": "prove-robustness.png"},
    "export.md": {"card.png": "export-scorecard.png"},
}


def main() -> None:
    """Run every page in a folder of its own and copy its pictures."""
    import matplotlib as mpl

    mpl.use("Agg")
    for page, pictures in PICTURES.items():
        text = (HERE / "how-to" / page).read_text()
        code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            exec(compile(code, page, "exec"), {"__name__": page})
            for saved, name in pictures.items():
                (HERE / "img" / name).write_bytes(Path(saved).read_bytes())
                sys.stdout.write(f"written: img/{name}\n")
        os.chdir(HERE)


if __name__ == "__main__":
    main()
