"""page: tables and pictures of a result as one self-contained HTML file."""

import base64
import html
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from glasswood._version import __version__

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STYLE = (
    "body{font-family:system-ui,sans-serif;line-height:1.45;max-width:72em;margin:2em auto;padding:0 1em;color:#222;"
    "background:#fff}h1{font-size:1.4em}figure{margin:1.5em 0}img{max-width:100%;height:auto}"
    "footer{margin-top:3em;color:#666;font-size:.85em}"
)


def page(title: str, parts: Iterable[str]) -> str:
    """Put parts (HTML) below a title (text)."""
    name = html.escape(title)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>\n'
        f"<body><h1>{name}</h1>\n{chr(10).join(parts)}\n<footer>glasswood {__version__}</footer></body></html>\n"
    )


def picture(ax: "Axes", describes: str) -> str:
    """A drawing as an image inside the page; `describes` is the alternative text."""
    figure: Any = ax.figure
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=110)
    _close(figure)
    data = base64.b64encode(content.getvalue()).decode("ascii")
    return f'<figure><img src="data:image/png;base64,{data}" alt="{html.escape(describes, quote=True)}"></figure>'


def _close(figure: Any) -> None:
    from matplotlib import pyplot

    pyplot.close(figure)
