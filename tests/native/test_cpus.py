"""CPUs of a process: quotas of control groups of both versions, from simulated files."""

import math
import os
from pathlib import Path

import pytest

from glasswood import _native


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def quota(tmp_path: Path, membership: str, files: dict[str, str]) -> float:
    root = tmp_path / "cgroup"
    root.mkdir()
    write(root, files)
    listed = tmp_path / "membership"
    listed.write_text(membership)
    return _native.cpu_quota(str(listed), str(root))


@pytest.mark.parametrize(
    ("membership", "files", "expected"),
    [
        ("0::/\n", {"cpu.max": "150000 100000\n"}, 1.5),
        ("0::/\n", {"cpu.max": "max 100000\n"}, math.inf),
        ("0::/a/b\n", {"a/b/cpu.max": "400000 100000\n"}, 4.0),
        ("0::/a/b\n", {"a/b/cpu.max": "400000 100000\n", "a/cpu.max": "50000 100000\n"}, 0.5),
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000\n", "a/cpu.max": "300000 100000\n"}, 3.0),
        # a container sees its own group at the root, with a path that exists only outside
        ("0::/docker/123\n", {"cpu.max": "200000 100000\n"}, 2.0),
        ("0::/a\n", {"unified/a/cpu.max": "200000 100000\n"}, 2.0),
        ("3:cpu:/\n", {"cpu/cpu.cfs_quota_us": "250000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 2.5),
        ("3:cpu:/\n", {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, math.inf),
        (
            "4:cpu,cpuacct:/docker/9\n0::/\n",
            {"cpu,cpuacct/docker/9/cpu.cfs_quota_us": "100000", "cpu,cpuacct/docker/9/cpu.cfs_period_us": "50000"},
            2.0,
        ),
        # other controllers are ignored
        ("5:cpuset:/\n", {"cpuset/cpu.cfs_quota_us": "1", "cpuset/cpu.cfs_period_us": "1"}, math.inf),
        ("0::/\n", {"cpu.max": "nonsense\n"}, math.inf),
        ("0::/\n", {"cpu.max": "100000 0\n"}, math.inf),
        ("nonsense\n", {"cpu.max": "100000 100000\n"}, math.inf),
        ("", {}, math.inf),
    ],
)
def test_the_smallest_quota_on_the_way_up_counts(
    tmp_path: Path, membership: str, files: dict[str, str], expected: float
) -> None:
    assert quota(tmp_path, membership, files) == expected


def test_without_control_groups_there_is_no_quota(tmp_path: Path) -> None:
    assert _native.cpu_quota(str(tmp_path / "absent"), str(tmp_path)) == math.inf


def test_the_mask_of_the_process_bounds_its_cpus() -> None:
    if not hasattr(os, "sched_setaffinity"):
        return
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert _native.available_cpus() == 1
    finally:
        os.sched_setaffinity(0, before)
    assert 1 <= _native.available_cpus() <= len(before)
