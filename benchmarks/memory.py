"""Memory: how much a piece of work needs at its peak, in bytes.

Linux records the largest resident size of a process and allows resetting it. `ru_maxrss` does not work here: it
survives `exec`, so a child starts with the size of its parent.
"""

from pathlib import Path


def forget_peak() -> int:
    """Reset the peak; return the current resident size."""
    Path("/proc/self/clear_refs").write_text("5")
    return peak()


def peak() -> int:
    """The largest resident size since the process began, or since `forget_peak`."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024
