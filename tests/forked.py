"""Running something in a forked child, as a process pool of the user does."""

import os
import traceback
from collections.abc import Callable


def holds_in_child(work: Callable[[], bool]) -> bool:
    """Whether `work` returns True in a forked child. A child that hangs is waited for: a busy machine is slow too."""
    child = os.fork()
    if child == 0:
        code = 2
        try:
            code = 0 if work() else 1
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0
