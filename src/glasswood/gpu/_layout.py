"""Layout: where the bins of a row lie, so that every lane of a warp adds to a memory bank of its own.

A row has `groups` groups of features. A lane takes `width` neighbouring bytes of one group.
"""

from dataclasses import dataclass

from glasswood.errors import OptionError

_CELLS = (33, 65, 129, 256)  # kernels are compiled for so many cells per feature
_LANES = 32


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows of bins on the device."""

    n_features: int
    n_cells: int  # per feature, in shared memory
    fields: int
    width: int  # bytes of a lane
    lanes: int
    groups: int
    histogram_bytes: int  # of shared memory

    @property
    def group_features(self) -> int:
        """Features of a group."""
        return self.lanes * self.width

    @property
    def stride(self) -> int:
        """Bytes of a row, a multiple of 4."""
        return -(-self.groups * self.group_features // 4) * 4

    @property
    def global_cells(self) -> int:
        """Cells per feature in the memory of the device."""
        return -(-self.n_cells // 4) * 4

    @property
    def node_words(self) -> int:
        """Sums in the histogram of a node."""
        return self.fields * self.n_features * self.global_cells

    def offset(self, feature: int) -> int:
        """Byte of a feature in its row."""
        return feature


def make_layout(n_features: int, n_cells: int, fields: int, *, words: int, shared_bytes: int, threads: int) -> Layout:
    """Find the fewest groups whose sums fit; `words`: of a row in shared memory, beside the sums."""
    cells = next(size for size in _CELLS if size >= n_cells)
    rows = threads * 4 * words

    def needs(width: int, cells: int) -> int:
        return fields * width * cells * 4 * _LANES + rows

    fitting = []
    for width in (1, 2, 4):
        needed = needs(width, cells)
        if needed <= shared_bytes:
            groups = -(-n_features // (_LANES * width))
            per_group = -(-n_features // groups)
            lanes = -(-per_group // width)
            fitting.append(Layout(n_features, cells, fields, width, lanes, groups, needed))
    if not fitting:
        most = max((size for size in _CELLS if needs(1, size) <= shared_bytes), default=0)
        raise OptionError(
            f"this GPU has {shared_bytes:,} bytes of shared memory per block; {n_cells - 1} bins with {fields} sums "
            f"each do not fit: " + (f"lower max_bins to {most - 1}" if most else "set device='cpu'")
        )
    return min(fitting, key=lambda layout: layout.groups)
