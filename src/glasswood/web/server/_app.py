"""The app: a form, the panels, and their JSON API."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from glasswood.errors import GlasswoodError, OptionError
from glasswood.web._report import report_on
from glasswood.web.page._document import linked_document, to_json
from glasswood.web.panels._registry import PANELS
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.prediction._asked import changed_answer, single_rows
from glasswood.web.panels.prediction._nearest import nearest_asked
from glasswood.web.server._cache import Cache
from glasswood.web.server._guard import ASGI
from glasswood.web.server._serve import answer, json_answer, make_app, require_starlette
from glasswood.web.server._session import Session
from glasswood.web.server._settings import MAX_ROWS, FieldError, Settings, read_settings
from glasswood.web.server._toy_data import GENERATORS
from glasswood.web.server._under_way import UnderWay
from glasswood.web.server._uploads import MAX_BYTES, MAX_TABLE_COLUMNS, MAX_TABLE_ROWS

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_LOG = logging.getLogger(__name__)
_NO_SECTION = to_json({"error": "these rows have nothing to show here", "field": None})


class _Answers:
    """What the application answers to each request, with the memory it answers from."""

    def __init__(self, given: Subject | None) -> None:
        self._given = given
        self._session = Session(given)
        self._sections: Cache[tuple[Settings, str, int, str | None], str] = Cache(32)
        self._under_way: UnderWay[tuple[Settings, str]] = UnderWay()
        self._document = linked_document("glasswood", "app")

    def index(self, request: Request) -> Response:
        return answer(request, self._document, "text/html")

    def about(self, request: Request) -> Response:
        limits = {
            "rows": MAX_ROWS,
            "bytes": MAX_BYTES,
            "table_rows": MAX_TABLE_ROWS,
            "table_columns": MAX_TABLE_COLUMNS,
        }
        first = None if self._given is None else self._given.title
        return json_answer(
            request, {"kinds": list(PANELS), "generators": list(GENERATORS), "limits": limits, "given": first}
        )

    def data(self, request: Request) -> Response:
        return json_answer(request, self._session.columns(_settings(request)))

    def outline(self, request: Request) -> Response:
        subject = self._session.subject(_settings(request))
        shown = (panel for panel in PANELS.values() if panel.is_about(subject))
        kinds = [{"kind": panel.kind, "title": panel.title} for panel in shown]
        return json_answer(request, {"title": subject.title, "sections": kinds})

    def section(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        if kind not in PANELS:
            return json_answer(request, {"error": f"there is no panel {kind!r}", "field": None}, 404)
        asked = dict(request.query_params)
        first_tree = _place("tree", asked.pop("first_tree", "0"))
        feature = asked.pop("feature", None)
        settings = read_settings(asked)
        key = (settings, kind, first_tree, feature)
        with self._under_way.watch((settings, kind)):
            text = self._sections.made(key, lambda: _section(self._session, settings, kind, first_tree, feature))
        return answer(request, text, "application/json", 404 if text == _NO_SECTION else 200)

    def nearest(self, request: Request) -> Response:
        asked = dict(request.query_params)
        row = _place("row", asked.pop("row", ""))
        return json_answer(request, {"data": nearest_asked(self._session.subject(read_settings(asked)), row)})

    def predict(self, request: Request) -> Response:
        asked = dict(request.query_params)
        row, cells = _place("row", asked.pop("row", "")), asked.pop("cells", "")
        return json_answer(request, {"data": changed_answer(self._session.subject(read_settings(asked)), row, cells)})

    def single(self, request: Request) -> Response:
        asked = dict(request.query_params)
        feature, cells = asked.pop("feature", ""), asked.pop("cells", "")
        return json_answer(request, {"data": single_rows(self._session.subject(read_settings(asked)), feature, cells)})

    def export(self, request: Request) -> Response:
        subject = self._session.subject(_settings(request))
        page = report_on(subject, subject.title)
        made = answer(request, page.html(), "text/html")
        made.headers["content-disposition"] = 'attachment; filename="glasswood.html"'
        return made

    def progress(self, request: Request) -> Response:
        asked = dict(request.query_params)
        kind = asked.pop("kind", "")
        return json_answer(request, {"doing": self._under_way.words((read_settings(asked), kind))})

    async def table(self, request: Request) -> Response:
        return await _receive(request, self._session.send_table)

    async def model(self, request: Request) -> Response:
        return await _receive(request, self._session.send_model)


def web_app(given: Subject | None = None) -> ASGI:
    """Application with a memory of its own; names from uploads are never used as file names.

    `given` is the model that the app shows first; without one it asks for files.
    """
    require_starlette()
    from starlette.routing import Route

    answers, get = _Answers(given), ["GET"]
    routes = [
        Route("/", answers.index, methods=get),
        Route("/api", answers.about, methods=get),
        Route("/api/data", _safe(answers.data), methods=get),
        Route("/api/page", _safe(answers.outline), methods=get),
        Route("/api/export", _safe(answers.export), methods=get),
        Route("/api/nearest", _safe(answers.nearest), methods=get),
        Route("/api/predict", _safe(answers.predict), methods=get),
        Route("/api/single", _safe(answers.single), methods=get),
        Route("/api/progress", _safe(answers.progress), methods=get),
        Route("/api/table", answers.table, methods=["POST"]),
        Route("/api/model", answers.model, methods=["POST"]),
        Route("/api/{kind}", _safe(answers.section), methods=get),
    ]
    return make_app(list(routes), {panel.kind: panel.script for panel in PANELS.values()})


def _place(what: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise OptionError(f"a {what} is named by its number, from 0; got {text[:40]!r}")
    return int(text)


def _section(session: Session, settings: Settings, kind: str, first_tree: int, feature: str | None) -> str:
    subject = replace(session.subject(settings), first_tree=first_tree, feature=feature)
    made = PANELS[kind].section(subject)
    return _NO_SECTION if made is None else to_json(made.to_dict())


def _settings(request: Request) -> Settings:
    return read_settings(dict(request.query_params))


def _safe(endpoint: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Answer an error with its message and the field it belongs to."""

    def safe(request: Request) -> Response:
        try:
            return endpoint(request)
        except GlasswoodError as error:
            return _refusal(request, error)
        except Exception:
            # an unexpected error gets a general message; its details go to the log only
            _LOG.exception("a panel could not be made")
            return json_answer(request, {"error": "this cannot be shown: an error of glasswood", "field": None}, 500)

    return safe


def _refusal(request: Request, error: GlasswoodError) -> Response:
    field = error.field if isinstance(error, FieldError) else None
    return json_answer(request, {"error": str(error), "field": field}, 422)


async def _receive(request: Request, keep: Callable[[bytes], dict[str, Any]]) -> Response:
    """Read a body of limited size and keep its content."""
    from starlette.concurrency import run_in_threadpool

    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BYTES:
            limit = f"the file is larger than {MAX_BYTES // 2**20} MB"
            return json_answer(request, {"error": limit, "field": None}, 413)
    content = bytes(body)
    body.clear()
    try:
        return json_answer(request, await run_in_threadpool(keep, content))
    except GlasswoodError as error:
        return _refusal(request, error)
    except Exception:
        # a reader that fails unexpectedly must not stop the server or reveal details
        _LOG.exception("a sent file could not be read")
        return json_answer(request, {"error": "the file cannot be read", "field": None}, 422)
