"""RoundLog: the rounds of a fit as they are finished, from which another fit can go on with the same bits."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import OptionError

Values = list[list[float]]


@dataclass(frozen=True, slots=True, eq=False)
class RoundRecord:
    """The trees of one round, on bins, and the metrics after it."""

    trees: dict[str, NDArray[Any]]  # as `RoundSource.record` returns them
    values: Values  # of each table, of each metric


class RoundLog:
    """Rounds that a fit has finished. A fit begins with those that are there already, and adds its own.

    Examples
    --------
    >>> import glasswood as gw
    >>> from glasswood.train.boosting import RoundLog, recorded
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0]
    >>> log = RoundLog()
    >>> with recorded(log):
    ...     model = gw.BoostingRegressor(n_estimators=3).fit(X, y)
    >>> with recorded(RoundLog(log.rounds[:2])):
    ...     again = gw.BoostingRegressor(n_estimators=3).fit(X, y)
    >>> again.ensemble_ == model.ensemble_
    True
    """

    def __init__(self, rounds: Sequence[RoundRecord] = (), on_round: Callable[[], None] = lambda: None) -> None:
        self.rounds: list[RoundRecord] = list(rounds)
        self._on_round = on_round  # called after every new round; what it raises ends the fit
        self._complete = True

    def add(self, trees: dict[str, NDArray[Any]] | None, values: Values) -> None:
        """Add a round that is finished; without trees, neither it nor any later one is kept."""
        if trees is None:
            self._complete = False
        elif self._complete:
            self.rounds.append(RoundRecord(trees, values))
        self._on_round()

    def check_values(self, number: int, found: Values) -> None:
        """Raise `OptionError` if the metrics after the last of the earlier rounds are not those that were recorded."""
        if np.array(found).tobytes() != np.array(self.rounds[number].values).tobytes():
            raise OptionError(
                f"the {len(self.rounds)} rounds to go on from were fitted on other rows or with other tables to "
                "evaluate: their metrics differ; give the same data, or start over"
            )


_log: ContextVar[RoundLog | None] = ContextVar("round_log", default=None)


@contextmanager
def recorded(log: RoundLog) -> Iterator[None]:
    """Record the rounds of the fits of this thread inside, after those that the log holds already."""
    before = _log.set(log)
    try:
        yield
    finally:
        _log.reset(before)


def current_log() -> RoundLog | None:
    """The log of this thread, if there is one."""
    return _log.get()
