"""Records: what one benchmark measured, with its peer and its goal, printed, saved as JSON and shown as a table."""

import json
import math
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

RESULTS = Path(__file__).parent / "results"
PACKAGES = (
    "glasswood", "numpy", "scikit-learn", "lightgbm", "xgboost", "xgboost-cpu", "catboost", "perpetual", "treemind",
    "woodelf_explainer", "shap", "onnxruntime", "onnxmltools", "duckdb",
    "dask", "distributed", "cupy-cuda12x", "cupy-cuda13x",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal: a share of the peer's figure, a factor over it, or a bound on glasswood's own figure."""

    kind: Literal["share", "factor", "at most", "at least"]
    bound: float

    def met(self, ours: float, peer: float | None) -> bool:
        """Whether the figures reach it."""
        if self.kind == "at most":
            return ours <= self.bound
        if self.kind == "at least":
            return ours >= self.bound
        assert peer is not None, "a goal relative to a peer needs the peer's figure"
        return ours <= self.bound * peer if self.kind == "share" else peer >= self.bound * ours


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the table: what was measured, the figures and the goal."""

    work: str
    ours: float
    peer: str | None = None  # its name
    theirs: float | None = None  # its figure
    goal: Goal | None = None
    threads: int = 1
    unit: str = "s"
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None without one."""
        return None if self.goal is None else self.goal.met(self.ours, self.theirs)

    @property
    def is_factor(self) -> bool:
        """Whether the goal is a factor over the peer's figure."""
        return self.goal is not None and self.goal.kind == "factor"

    def cells(self, as_factor: bool = False) -> list[str]:
        """The line as text: work, threads, peer, peer's figure, ours, ratio, goal, met.

        Without a goal, `as_factor` says whether the ratio is written as a factor.
        """
        theirs = "" if self.theirs is None else figure(self.theirs, self.unit)
        verdict = {None: "", True: "yes", False: "NO"}[self.met]
        return [
            self.work + (f" ({self.note})" if self.note else ""), str(self.threads), self.peer or "", theirs,
            figure(self.ours, self.unit), self._ratio(as_factor), self._goal(), verdict,
        ]  # fmt: skip

    def _ratio(self, as_factor: bool) -> str:
        if self.theirs is None or not self.ours or not self.theirs:
            return ""
        factor = self.theirs / self.ours
        return f"{factor:.3g}×" if self.is_factor or (as_factor and self.goal is None) else f"{1 / factor:.2g}"

    def _goal(self) -> str:
        if self.goal is None:
            return ""
        if self.goal.kind == "share":
            return f"≤ {self.goal.bound:g}"
        if self.goal.kind == "factor":
            return f"≥ {self.goal.bound:g}×"
        return ("≤ " if self.goal.kind == "at most" else "≥ ") + figure(self.goal.bound, self.unit)


def figure(value: float, unit: str) -> str:
    """A number with its unit, to three digits, with seconds as s, ms or µs."""
    if unit != "s":
        return f"{value:.4g} {unit}".strip()
    if not value or not math.isfinite(value):
        return f"{value:g} s"
    for scale, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= scale or name == "µs":
            return f"{value / scale:.3g} {name}"
    raise AssertionError


HEAD = ["work", "threads", "peer", "peer's", "ours", "ratio", "goal", "met"]


@dataclass(slots=True)
class Report:
    """The records of one benchmark file, printed as they come."""

    name: str
    quick: bool = False
    records: list[Record] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Keep a record and print its line."""
        if not self.records:
            print("  ".join(HEAD))
        self.records.append(record)
        cells = record.cells(record.work in in_factors(self.records))
        print("  ".join(cell for cell in cells if cell), flush=True)

    def save(self) -> Path:
        """Write ``results/<name>.json``: the records, the versions and the machine."""
        RESULTS.mkdir(exist_ok=True)
        path = RESULTS / f"{self.name}.json"
        body = {
            "benchmark": self.name,
            "mode": "quick" if self.quick else "full",
            "machine": machine(),
            "versions": versions(),
            "records": [asdict(record) for record in self.records],
        }
        path.write_text(json.dumps(body, indent=1, ensure_ascii=False) + "\n")
        return path


def load(path: Path) -> tuple[dict[str, Any], list[Record]]:
    """A saved report: its header and its records."""
    body = json.loads(path.read_text())
    records = body.pop("records")
    for record in records:
        record["goal"] = Goal(**record["goal"]) if record["goal"] else None
    return body, [Record(**record) for record in records]


def in_factors(records: Sequence[Record]) -> set[str]:
    """The works of which one line has a factor as its goal; all their ratios are written as factors."""
    return {record.work for record in records if record.is_factor}


def markdown(records: Sequence[Record]) -> str:
    """The records as one Markdown table."""
    factors = in_factors(records)
    rows = [HEAD, ["---"] * len(HEAD), *(record.cells(record.work in factors) for record in records)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def versions() -> dict[str, str]:
    """The version of every installed library."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return {"python": platform.python_version(), **found}


def machine() -> dict[str, Any]:
    """The processor, in words, and how busy it was."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = names[0] if names else cpu
    return {"cpu": cpu, "cores": os.cpu_count(), "system": platform.system(), "load": round(os.getloadavg()[0], 2)}
