"""Effects: the effects of features, by name or by position."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from glasswood.errors import KeyNotFoundError
from glasswood.results._feature_effect import FeatureEffect
from glasswood.results._feature_name import feature_name
from glasswood.results._importance import Importance
from glasswood.results._outputs import weighted_mean, weighted_sd
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Effects(Mapping[str, FeatureEffect]):
    """Effects of features, in the order they were asked for.

    ``fx["age"]`` finds a feature by its name, ``fx[3]`` by its position in the model.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> fx = gw.effects(tree, X)
    >>> list(fx), fx["x1"] is fx[1]
    (['x0', 'x1'], True)
    >>> fx.importance().features
    ('x1', 'x0')
    """

    features: tuple[FeatureEffect, ...]
    names: tuple[str, ...]  # of all features of the model
    method: str
    outputs: tuple[str, ...]
    kind: FrameKind | None = None
    _index: dict[str, FeatureEffect] = field(default_factory=dict, repr=False)  # filled at the first access

    def __getitem__(self, key: str | int) -> FeatureEffect:
        if not self._index:
            self._index.update({effect.feature: effect for effect in self.features})
        found = self._index.get(key) if isinstance(key, str) else None
        if found is None:
            name = feature_name(key, self.names)
            found = self._index.get(name)
            if found is None:
                raise KeyNotFoundError(f"{name!r} was not asked for; name it in features=, or leave features out")
        return found

    def __iter__(self) -> Iterator[str]:
        return (effect.feature for effect in self.features)

    def __len__(self) -> int:
        return len(self.features)

    def importance(self) -> Importance:
        """Weighted standard deviation and mean size of each effect, largest first."""
        n = len(self.outputs)
        sd, size = np.zeros((len(self), n)), np.zeros((len(self), n))
        for i, effect in enumerate(self.features):
            tables = effect.effect.reshape(len(effect), n), effect.weight.reshape(len(effect), n)
            for o in range(n):
                values, weight = tables[0][:, o], tables[1][:, o]
                sd[i, o] = weighted_sd(values, weight)
                size[i, o] = weighted_mean(np.abs(values), weight)
        order = np.argsort(-sd.sum(axis=1), kind="stable")
        return Importance(
            features=tuple(self.features[i].feature for i in order),
            sd=sd[order, 0] if n == 1 else sd[order],
            mean_abs=size[order, 0] if n == 1 else size[order],
            method=self.method,
            outputs=self.outputs,
            kind=self.kind,
        )

    def to_frame(self, backend: str | None = None) -> Any:
        """All tables one under the other, with the column `feature` in front.

        Categories are text here, because a column holds only one kind of label.
        """
        columns: dict[str, list[Any]] = {}
        n = len(self.outputs)
        for effect in self.features:
            part = {"feature": [effect.feature] * (len(effect) * n)} | effect.columns()
            part["category"] = [None if label is None else str(label) for label in part["category"]]
            for name, values in part.items():
                columns.setdefault(name, []).append(np.asarray(values, dtype=object if name == "category" else None))
        stacked = {name: np.concatenate(parts) for name, parts in columns.items()}
        return make_frame(stacked, backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "method": self.method,
            "outputs": list(self.outputs),
            "features": [effect.to_dict() for effect in self.features],
        }

    def plot(self, ax: "Axes | None" = None, *, output: str | int | None = None) -> "Axes":
        """Draw the importance of the features; ``fx["age"].plot()`` draws one effect."""
        return self.importance().plot(ax, output=output)

    def _repr_html_(self) -> str:
        return self.importance()._repr_html_()

    def __repr__(self) -> str:
        return f"Effects({len(self)} features, method={self.method!r})"
