"""Style: colours that colour-blind readers can tell apart, and axes without superfluous lines."""

from typing import TYPE_CHECKING, Any

from glasswood.errors import MissingDependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#AA4499", "#444444")
PALETTE_WORDS = ("blue", "orange", "green", "purple", "dark")
LINE_STYLES = ("-", "--", "-.", ":")  # tell outputs apart when colours repeat, and in print
INK = "#333333"
MUTED = "#B8BEC5"
DIVERGING = ("#0072B2", "#F7F7F7", "#D55E00")  # below, at and above zero


def new_axes(ax: "Axes | None", size: tuple[float, float]) -> "Axes":
    """The caller's axes, or new ones of this size, without the upper and right line."""
    if ax is None:
        ax = new_figure(size).add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(colors=INK, labelsize="small")
    return ax


def new_figure(size: tuple[float, float]) -> Any:
    """Make a figure of this size with pyplot, so that notebooks show it like others."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise MissingDependencyError("plots need matplotlib: pip install 'glasswood[plot]'") from None
    return pyplot.figure(figsize=size, layout="constrained")


def plain(text: str) -> str:
    """Text that matplotlib shows unchanged; without escaping, a dollar sign would start a formula."""
    return text.replace("$", r"\$")


def caption(ax: "Axes", *lines: str) -> None:
    """Write notes about the picture below the label of the horizontal axis."""
    text = "\n".join(line for line in lines if line)
    if text:
        ax.annotate(
            plain(text),
            (0.5, 0),
            (0, -3),
            xycoords=ax.xaxis.label,
            textcoords="offset points",
            fontsize="x-small",
            color="#666666",
            ha="center",
            va="top",
            annotation_clip=False,
        )


def colour_bar(ax: "Axes", shade: Any, label: str, **options: Any) -> Any:
    """Add a colour bar beside the axes, and return it."""
    bar = ax.figure.colorbar(shade, ax=ax, pad=0.02, **options)
    bar.set_label(plain(label), color=INK)
    bar.ax.tick_params(labelsize="small", colors=INK)
    bar.outline.set_visible(False)
    return bar


def inches_of(text: str, size: float = 10.0) -> float:
    """Approximate width of a text of this size in points; the width of a letter is six tenths of its height."""
    return 0.6 * size / 72 * len(text)


def shortened(text: str, most: int) -> str:
    """Cut the middle out of a text that is too long, because names often differ at their end."""
    if len(text) <= most:
        return text
    tail = (most - 1) // 2
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :]}"


def diverging_colours() -> Any:
    """Colour map from blue through near-white to orange."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("glasswood", DIVERGING)
