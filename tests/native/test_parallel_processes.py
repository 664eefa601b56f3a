"""Threads of a process that forks, is interrupted or ends."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.serial

START = """
import multiprocessing, os, signal, sys, threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads: what is tested here
from glasswood import _native
_native.pretend_cpus(4)

def region(taken=1e5):
    return _native.run_thread_benchmark(40, 4, 1e12, taken)

def helped():
    while max(region()) == 0:  # a busy machine may need many regions before a helper gets a chunk
        pass
    return True
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a separate Python process, which must end without errors."""
    command = [sys.executable, "-c", START + textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.parametrize("warm", ["helped()", "pass"])
def test_a_forked_child_has_helpers_of_its_own(warm: str) -> None:
    run(f"""
    {warm}
    child = os.fork()
    if child == 0:
        os._exit(0 if helped() else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert helped()
    """)


def test_a_child_of_a_child_has_helpers_of_its_own() -> None:
    run("""
    helped()
    for _ in range(2):
        child = os.fork()
        if child:
            assert os.waitpid(child, 0)[1] == 0
            os._exit(0 if helped() else 1)
    os._exit(0 if helped() else 1)
    """)


def test_workers_of_multiprocessing_have_helpers_of_their_own() -> None:
    run("""
    helped()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert all(pool.starmap(helped, [()] * 4))
    """)


def test_a_fork_while_other_threads_are_in_regions() -> None:
    run("""
    stop = threading.Event()
    def keep_busy():
        while not stop.is_set():
            region(1e4)
    threads = [threading.Thread(target=keep_busy) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(30):
        child = os.fork()
        if child == 0:
            for _ in range(20):
                region(1e3)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    stop.set()
    for thread in threads:
        thread.join()
    """)


def test_a_process_ends_while_helpers_sleep() -> None:
    run("helped()")


def test_a_process_ends_while_a_region_of_a_daemon_thread_is_open() -> None:
    run("""
    entering = threading.Event()
    def enter():
        entering.set()
        region(1e12)
    threading.Thread(target=enter, daemon=True).start()
    entering.wait()
    """)


def test_a_process_without_a_region_ends() -> None:
    run("pass")


def test_signals_are_not_delivered_to_helpers() -> None:
    """A helper that receives Ctrl-C would leave the main thread blocked in its system call."""
    if not Path("/proc/self/task").exists():
        return
    run("""
    assert helped()
    for task in os.listdir("/proc/self/task"):
        if int(task) == os.getpid():
            continue
        with open(f"/proc/self/task/{task}/status") as status:
            blocked = next(line for line in status if line.startswith("SigBlk"))
        assert int(blocked.split()[1], 16) >> (signal.SIGINT - 1) & 1
    """)


def test_ctrl_c_ends_a_fit_with_several_threads_and_the_next_one_works() -> None:
    run("""
    import numpy as np
    import glasswood as gw
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 5)), rng.normal(size=3000)
    forest = gw.ForestRegressor(n_estimators=100_000, n_jobs=4)  # far more than one waits for
    _native.press_at_check(100)
    try:
        forest.fit(X, y)
    except KeyboardInterrupt:
        pass
    else:
        raise AssertionError("not interrupted")
    assert len(gw.ForestRegressor(n_estimators=10, n_jobs=4).fit(X, y).predict(X)) == len(X)
    assert helped()
    """)
