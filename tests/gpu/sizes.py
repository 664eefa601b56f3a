"""Sizes: the most registers, stack and shared memory of every kernel on every architecture, over all variants.

`python -m tests.gpu.sizes` writes the table that a test holds the kernels to; it takes a few minutes and no GPU.
"""

import json
from pathlib import Path
from typing import Any

from tests.gpu.cubin import kernel_sizes
from tests.gpu.nvrtc import compiled, version
from tests.gpu.variants import other_variants, tree_variants

FILE = Path(__file__).parent / "sizes.json"


def main() -> None:
    """Compile every variant and write down what its kernels need."""
    found: dict[str, dict[str, list[int]]] = {}
    for source, macros, architecture in [*other_variants(), *tree_variants()]:
        log, cubin = compiled(source, macros, architecture)
        if log:
            raise SystemExit(f"{source} {macros} {architecture}: {log}")
        for name, size in kernel_sizes(cubin).items():
            own: Any = found.setdefault(name, {}).setdefault(architecture, [0, 0, 0])
            own[:] = map(max, own, (size.registers, size.stack, size.shared))
    lines = [f'    "{name}": {json.dumps(dict(sorted(found[name].items())))}' for name in sorted(found)]
    text = f'{{\n  "nvrtc": "{version()}",\n  "columns": ["registers", "stack", "shared"],\n  "kernels": {{\n'
    FILE.write_text(text + ",\n".join(lines) + "\n  }\n}\n")


if __name__ == "__main__":
    main()
