"""Exchange: how the members of a team give each other bytes."""

from collections.abc import Sequence
from types import TracebackType
from typing import Protocol, TypeAlias

Part: TypeAlias = bytes | bytearray | memoryview


class Exchange(Protocol):
    """One member's connection to all others; all members make the same calls in the same order.

    Write a class with these four names to send messages in a way of your own, and pass it to ``fit`` as ``team=``.

    Examples
    --------
    >>> from glasswood import BoostingRegressor
    >>> class One:
    ...     rank, size = 0, 1
    ...
    ...     def swap(self, parts):
    ...         return list(parts)
    ...
    ...     def recycle(self, parts):
    ...         pass
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 1.0, 1.0]
    >>> BoostingRegressor(n_estimators=5).fit(X, y, team=One()).ensemble_.n_trees
    5
    """

    @property
    def rank(self) -> int:
        """Number of this member, from 0."""
        ...

    @property
    def size(self) -> int:
        """Number of members."""
        ...

    def swap(self, parts: Sequence[Part]) -> list[Part]:
        """Give part k to member k; returns what each member gave to this one. The parts may be changed afterwards."""
        ...

    def recycle(self, parts: Sequence[Part]) -> None:
        """Take back parts that `swap` returned and that nobody looks at any more: their memory may be used again."""
        ...


class Alone:
    """A team of one: nothing has to be exchanged.

    Examples
    --------
    >>> from glasswood.team import Alone
    >>> Alone().swap([b"own"])
    [b'own']
    """

    rank = 0
    size = 1

    def swap(self, parts: Sequence[Part]) -> list[Part]:
        """Return the only part."""
        return list(parts)

    def recycle(self, parts: Sequence[Part]) -> None:
        """Do nothing: nothing was received."""

    def close(self) -> None:
        """Do nothing: there is no connection."""

    def abort(self, why: str) -> None:
        """Do nothing: there is no other member that waits."""

    def __enter__(self) -> "Alone":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing."""


ALONE = Alone()
