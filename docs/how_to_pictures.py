"""Make the pictures of the how-to pages and of the examples.

``python docs/how_to_pictures.py`` runs the code of each how-to page below and keeps in ``docs/img`` what it saves: a
page saves a picture under a short name; here stands what it is called in the documentation. Then it runs the examples
that draw pictures of the README and of the guides.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PICTURES = {
    "read-a-model.md": {"city.png": "pipeline-city.png"},
    "compare.md": {"change.png": "compare-features.png", "fare.png": "compare-fare.png"},
    "prove.md": {"counterfactual.png": "prove-counterfactual.png", "robustness.png": "prove-robustness.png"},
    "export.md": {"card.png": "export-scorecard.png"},
}
EXAMPLES = {"titanic.py": "img/titanic.png", "titanic_rules.py": "img", "which_effect.py": "img"}


def main() -> None:
    """Run every page in a folder of its own and copy its pictures; run the examples."""
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
    for example, where in EXAMPLES.items():
        path = HERE.parent / "examples" / example
        subprocess.run([sys.executable, path, HERE / where], check=True, stdout=subprocess.DEVNULL)
        sys.stdout.write(f"written: {where} by {example}\n")


if __name__ == "__main__":
    main()
