"""attributions of rows on a device: lines of the CPU's tables, added row by row in the CPU's order."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.errors import OptionError, UnsupportedModelError
from glasswood.gpu._bin_kernel import PLAIN
from glasswood.gpu._device import Device, Launch, number
from glasswood.gpu._device_codes import CodeKernel, make_axes
from glasswood.gpu._device_matrix import DeviceMatrix

_THREADS = 128
_LINE_STRIDE = _THREADS + 4  # numbers from one value of the rows of a block to the next
_ROWS = 2**22  # whose codes are in memory at a time
_MAX_QUADS = 32
_MAX_SHARED_BYTES = 200 * 1024


_GROUP = np.dtype(
    [
        ("condition", "u4"), ("end", "u4"), ("number", "u4"), ("n_pairs", "u4"), ("line", "u8"), ("n_bits", "u4"),
        ("unused", "u4"),
    ]
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class LineTables:
    """The tables of a model on a device."""

    groups: Any
    n_groups: int
    conditions: Any
    places: Any
    lines: Any

    @property
    def arguments(self) -> tuple[Any, ...]:
        """In the order of the kernel."""
        return (self.groups, number(self.n_groups, "u4"), self.conditions, self.places, self.lines)


def upload_tables(device: Device, tables: _native.AttributionTables, row_size: int) -> LineTables:
    """Tables with their conditions as words; `row_size`: values of a row."""
    try:
        flat = tables.flat()
    except ValueError as error:
        raise UnsupportedModelError(
            f"a GPU takes attributions from tables: {error}; give X in the memory of the host"
        ) from None
    groups = np.zeros(len(flat["n_bits"]), dtype=_GROUP)
    start, conditions = _in_fours(flat["group_condition"], _condition_words(flat))
    number_start, places, line_start, lines = _even_lines(flat, row_size)
    groups["condition"], groups["end"] = start[:-1], start[1:]
    groups["number"], groups["n_pairs"] = number_start[:-1] // 2, np.diff(number_start) // 2
    groups["line"], groups["n_bits"] = line_start // 2, flat["n_bits"]
    return LineTables(
        groups=device.upload(groups),
        n_groups=len(groups),
        conditions=device.upload(conditions),
        places=device.upload(places),
        lines=device.upload(lines),
    )


def _condition_words(flat: dict[str, NDArray[Any]]) -> NDArray[np.uint32]:
    feature = flat["feature"].astype(np.uint32)
    first = (
        flat["cut"].astype(np.uint32) << 24
        | (feature % 4 * 8) << 16
        | feature // 4 << 8
        | flat["bit"].astype(np.uint32) << 3
        | flat["left"].astype(np.uint32)
    )
    return np.stack([first, flat["also"].astype(np.uint32)], axis=1)


def _in_fours(start: NDArray[np.int32], words: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Fill up the conditions of each group to a multiple of four with conditions that always hold."""
    counts = np.diff(start)
    padded = -(-counts // 4) * 4
    new_start = np.cumsum([0, *padded])
    out = np.tile(np.array([255 << 24 | 1, 0], dtype=np.uint32), (int(new_start[-1]), 1))
    group = np.repeat(np.arange(len(counts)), counts)
    out[new_start[group] + np.arange(len(words)) - start[group]] = words
    return new_start, out


def _even_lines(
    flat: dict[str, NDArray[Any]], row_size: int
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.int64], NDArray[np.float64]]:
    """Make every line an even number of numbers long; what is added goes to a place of the row that is never read.

    Returns where the places of each group begin, the places, where the lines of each group begin, and the lines.
    """
    starts = flat["group_number"]
    widths, n_lines = np.diff(starts), 2 ** flat["n_bits"].astype(np.int64)
    even = widths + widths % 2
    number_start = np.cumsum([0, *even])
    places = np.full(int(number_start[-1]), row_size, dtype=np.uint32)
    line_start = np.cumsum([0, *(even * n_lines)])
    numbers = np.zeros(int(line_start[-1]))
    for g, (width, new) in enumerate(zip(widths.tolist(), even.tolist(), strict=True)):
        places[number_start[g] : number_start[g] + width] = flat["offset"][starts[g] : starts[g + 1]]
        old = flat["lines"][flat["group_line"][g] :][: width * n_lines[g]]
        numbers[line_start[g] : line_start[g + 1]].reshape(-1, max(new, 1))[:, :width] = old.reshape(-1, max(width, 1))
    return number_start, places, line_start[:-1], numbers


def _most_values(quads: int, shared_bytes: int) -> int:
    """Values of a row that fit, beside the codes of its features."""
    return max(0, (shared_bytes - 4 * min(quads, _MAX_QUADS) * _THREADS) // (8 * _LINE_STRIDE) - 1)


def write_values(
    device: Device, ensemble: Any, cells: dict[str, NDArray[Any]], tables: LineTables, rows: DeviceMatrix, out: Any
) -> None:
    """Write the values of every row to a buffer, (n_rows, n_features, n_outputs)."""
    kernel = CodeKernel(device, make_axes(ensemble, cells), rows.dtype)
    n, row_size, quads = rows.shape[0], len(ensemble.features) * ensemble.n_outputs, kernel.stride // 4
    shared_bytes = 8 * (row_size + 1) * _LINE_STRIDE + 4 * quads * _THREADS
    most = min(_MAX_SHARED_BYTES, device.shared_bytes)
    if quads > _MAX_QUADS or shared_bytes > most:
        raise OptionError(
            f"this GPU computes attributions of up to {4 * _MAX_QUADS} features and {_most_values(quads, most)} values "
            f"per row; the model has {len(ensemble.features)} features and {row_size} values: give X in the memory of "
            "the host"
        )
    add = device.compile("explain.cu", {**PLAIN, "ORDER": 1}, ["add_lines"])["add_lines"]
    codes = device.zeros(min(n, _ROWS) * kernel.stride)
    blocks = device.n_processors * max(1, min(16, (device.shared_bytes + 4096) // (shared_bytes + 1024)))
    for first in range(0, n, _ROWS):
        part = rows[first : first + _ROWS]
        m = part.shape[0]
        kernel.encode(part, codes)
        given = (codes, number(quads, "u4"), number(m, "u4"), *tables.arguments, number(row_size, "u4"))
        place = device.at(out, 8 * first * row_size)
        launch = Launch(add, min(blocks, -(-m // _THREADS)), _THREADS, (*given, place), shared_bytes)
        device.run([launch])
