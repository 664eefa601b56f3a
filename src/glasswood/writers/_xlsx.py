"""Spreadsheets: tables as an .xlsx file, which is a zip archive of XML documents."""

import io
import math
import re
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

Cell = str | float | None
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_WHEN = (1980, 1, 1, 0, 0, 0)  # the same tables give the same bytes
_MAX_NAME = 31  # characters of the name of a sheet
# control characters that XML does not allow
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def xlsx_file(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> bytes:
    """The bytes of a file with one sheet for each table."""
    names = _sheet_names(list(sheets))
    n = len(names)
    listed = "".join(f'<sheet name={quoteattr(name)} sheetId="{k}" r:id="r{k}"/>' for k, name in enumerate(names, 1))
    related = "".join(
        f'<Relationship Id="r{k}" Type="{_DOCUMENT}/worksheet" Target="worksheets/sheet{k}.xml"/>'
        for k in range(1, n + 1)
    )
    kinds = "".join(
        f'<Override PartName="/xl/worksheets/sheet{k}.xml" ContentType="{_SHEET}.worksheet+xml"/>'
        for k in range(1, n + 1)
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET}.sheet.main+xml"/>{kinds}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{_DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{related}</Relationships>',
    }
    for k, rows in enumerate(sheets.values(), 1):
        body = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
        files[f"xl/worksheets/sheet{k}.xml"] = f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _WHEN), _HEAD + content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def _cell(value: Cell) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, float):
        if math.isfinite(value):
            return f"<c><v>{value!r}</v></c>"
        value = "" if value != value else f"{value:g}"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(_FORBIDDEN.sub("�", value))}</t></is></c>'


def _sheet_names(names: Sequence[str]) -> list[str]:
    """Names that a spreadsheet allows: short, different in more than case, and without some characters."""
    found: list[str] = []
    for name in names:
        plain = _FORBIDDEN.sub("", re.sub(r"[\[\]:*?/\\\n\r\t]", " ", name)).strip("'")[:_MAX_NAME] or "sheet"
        taken = {other.lower() for other in found}
        k, tried = 2, plain
        while tried.lower() in taken:
            ending = f" {k}"
            tried, k = plain[: _MAX_NAME - len(ending)] + ending, k + 1
        found.append(tried)
    return found
