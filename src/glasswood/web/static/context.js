// What a panel is given besides its data: the page's state, its tooltip, and frames for figures and tables.

import { saveCsv, savePng, saveSvg } from "./download.js";
import { html, nameText } from "./svg.js";

const CLASS_COUNT = 10;

// `others` leads to the rest of the page: kinds() of its panels, section(kind), and load(kind, settings) where a server
// can be asked for more than the page has, else null.
export function createContext(state, tooltip, others) {
  return { state, tooltip, figure, table, colours: { classOf, signOf }, ...others };
}

// CSS class that sets --mark to the colour of class k (0, 1, …); after ten classes colours begin again, with other shapes.
function classOf(k) {
  return `mark-${k % CLASS_COUNT}`;
}

// CSS class that sets --mark to the colour of what lowers (−) or raises (+).
function signOf(value) {
  if (value === 0) return "mark-none";
  return value < 0 ? "mark-below" : "mark-above";
}

// A frame with a heading and download buttons; returns the element the panel puts its drawings in.
function figure(root, { title, name, note = null }) {
  const body = html("div", { class: "figure-body" });
  const drawings = () => [...body.querySelectorAll("svg")].filter((item) => !item.parentElement.closest("svg"));
  root.append(
    html(
      "figure",
      { class: "figure", "data-name": name, "aria-label": title },
      html(
        "figcaption",
        { class: "figure-head" },
        html("h3", {}, title),
        note === null ? null : html("span", { class: "figure-note" }, note),
        html(
          "span",
          { class: "figure-tools" },
          tool("SVG", `Download ${title} as SVG`, () => saveSvg(drawings(), name)),
          tool("PNG", `Download ${title} as PNG`, () => savePng(drawings(), name)),
        ),
      ),
      body,
    ),
  );
  return body;
}

// A table with a CSV button. Cells are text or numbers; `texts[i][j]`, where given, is what is shown for rows[i][j].
function table(root, { title, name, columns, rows, texts = null }) {
  const cell = (value, shown) => html("td", { class: typeof value === "number" ? "number" : null }, shown);
  const head = (column, isNumber) => html("th", { scope: "col", class: isNumber ? "number" : null }, nameText(column));
  const numeric = columns.map((_, j) => rows.length > 0 && rows.every((row) => typeof row[j] === "number"));
  const shownText = (value) => (value === null || value === undefined ? "–" : String(value));
  const element = html(
    "figure",
    { class: "figure table-figure", "data-name": name, "aria-label": title },
    html(
      "figcaption",
      { class: "figure-head" },
      html("h3", {}, title),
      html("span", { class: "figure-tools" }, tool("CSV", `Download ${title} as CSV`, () => saveCsv(columns, rows, name))),
    ),
    html(
      "div",
      { class: "table-scroll", tabindex: "0", role: "region", "aria-label": `Table: ${title}` },
      html(
        "table",
        {},
        html("thead", {}, html("tr", {}, ...columns.map((column, j) => head(column, numeric[j])))),
        html(
          "tbody",
          {},
          ...rows.map((row, i) =>
            html("tr", {}, ...row.map((value, j) => cell(value, texts ? texts[i][j] : shownText(value)))),
          ),
        ),
      ),
    ),
  );
  root.append(element);
  return element;
}

function tool(text, label, action) {
  return html("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: action }, text);
}
