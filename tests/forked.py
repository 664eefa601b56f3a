"""Running something in a forked child, as a process pool of the user does."""

import os
import traceback
from collections.abc import Callable


def holds_in_child(work: Callable[[], bool]) -> bool:
    """Whether `work` returns True in a forked child. There is no time limit, because machines may be busy."""
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
