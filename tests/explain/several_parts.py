"""Several: parts in this process, merged one after the other."""

from collections.abc import Callable
from functools import reduce
from typing import Any

from glasswood.explain import Parts


class Several(Parts):
    """Parts in a list."""

    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts

    def keep(self, function: Callable[..., Any], *given: Any) -> "Several":
        return Several([function(part, *given) for part in self.parts])

    def merged(self, merge: Callable[[Any, Any], Any], function: Callable[..., Any], *given: Any) -> Any:
        return reduce(merge, [function(part, *given) for part in self.parts])
