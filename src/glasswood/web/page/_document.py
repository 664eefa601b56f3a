"""The HTML document of a page, with its scripts and styles as files or embedded."""

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from typing import Any

from glasswood.web.page._bundle import link, static_names, static_text, style

# what an embedded page may do: run and use only what it contains; it can send no request
_POLICY = "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src blob: data:; base-uri 'none'"


def to_json(document: Any) -> str:
    """JSON text: the same bytes for the same document, and never NaN."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def linked_document(title: str, source: str) -> str:
    """The document with script and style as separate files; `source` is the address of its numbers."""
    sheets = "".join(f'<link rel="stylesheet" href="static/{name}">' for name in static_names(".css"))
    icon = '<link rel="icon" type="image/svg+xml" href="static/icon.svg">'
    return _fill(title, source, f'{icon}{sheets}<script type="module" src="static/main.js"></script>', "")


def single_document(title: str, content: Any, scripts: Mapping[str, str]) -> str:
    """The document with script, style and numbers embedded; `scripts` has the module of each kind."""
    # text from the data must not close its element, so "<" is escaped
    data = to_json(content).replace("<", "\\u003c")
    script, sheet = link(scripts), style()
    policy = _POLICY.format(script=_hash(script), style=_hash(sheet))
    # an empty icon, because browsers request one if none is named
    icon = '<link rel="icon" href="data:,">'
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">{icon}<style>{sheet}</style>'
    body = f'<script type="application/json" id="page-data">{data}</script><script type="module">{script}</script>'
    return _fill(title, "inline", head, body)


def _fill(title: str, source: str, head: str, body: str) -> str:
    parts = {"title": html.escape(title), "source": source, "head": head, "body": body}
    text = static_text("index.html")
    pieces = text.split("%%")
    return "".join(parts[piece] if k % 2 else piece for k, piece in enumerate(pieces))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
