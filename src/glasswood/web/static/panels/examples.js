// Examples: pick a row, see the rows the model treats most like it, with what differs marked.

import { drawing, html, nameText, onWidth, svg } from "../svg.js";
import { beginPanel, cutText, ownState, rankList } from "./parts.js";

export function mountExamples(root, data, context) {
  beginPanel(root, data);
  const state = ownState(context.state);
  const items = data.queries.map((query) => ({
    key: String(query.row),
    text: query.name,
    detail: query.target === null ? query.prediction : `${query.prediction} · target ${query.target}`,
    share: null,
  }));
  const current = () => data.queries.find((query) => String(query.row) === state.get("example")) ?? data.queries[0];
  const list = rankList(
    "Row to explain, from the lowest answer of the model to the highest",
    items,
    String(current().row),
    (key) => state.set("example", key),
  );
  const view = html("div", { class: "beside-main" });
  root.append(
    html(
      "div",
      { class: "beside" },
      html(
        "div",
        { class: "beside-list" },
        html("h3", { class: "side-title" }, "Rows by the model's answer"),
        list.element,
      ),
      view,
    ),
    html("p", { class: "quiet" }, `${data.note}; method: ${data.method.replace("_", " ")}.`),
  );
  function show() {
    list.mark(String(current().row));
    showNeighbours(view, current(), data, context);
  }
  state.listen("example", show);
  show();
  return state.stop;
}

function showNeighbours(view, query, data, context) {
  view.replaceChildren();
  if (query.empty) {
    view.append(html("p", { class: "refused", role: "note" }, query.empty));
    return;
  }
  const body = context.figure(view, {
    title: `Rows most similar to ${query.name}`,
    name: `similar-to-${query.row}`,
    note: `the model says ${query.prediction}`,
  });
  onWidth(body, (width) => body.replaceChildren(similarityBars(query, data, width)));
  const head = (text, target) => (data.has_target ? `${text}, target ${target}` : text);
  const columns = [
    "feature",
    head(`${query.name}, chosen`, query.target),
    ...query.neighbours.map((one) => head(one.name, one.target)),
  ];
  const shown = (one, j) => (one.change[j] === null ? one.values[j] : `${one.values[j]}\n(${one.change[j]})`);
  const made = context.table(view, {
    title: data.has_target ? "Their targets and values; in brackets: how far from the chosen row" : "Their values; in brackets: how far from the chosen row",
    name: `similar-to-${query.row}`,
    columns,
    rows: data.features.map((name, j) => [name, query.values[j], ...query.neighbours.map((one) => one.values[j])]),
    texts: data.features.map((name, j) => [nameText(name), query.values[j], ...query.neighbours.map((one) => shown(one, j))]),
  });
  made.classList.add("neighbours");
  made.querySelectorAll("tbody tr").forEach((line, j) => {
    query.neighbours.forEach((one, k) => line.cells[k + 2].classList.add(one.differs[j] ? "differs" : "equal"));
  });
}

function similarityBars(query, data, width) {
  const line = 26;
  const left = 16 + 7 * Math.max(8, ...query.neighbours.map((one) => Math.min(one.name.length, 26)));
  const said = (one) => (data.has_target ? `${one.similarity_text} · target ${cutText(one.target, 24)}` : one.similarity_text);
  const right = Math.max(left + 20, width - 20 - 7 * Math.max(...query.neighbours.map((one) => said(one).length)));
  const words = query.neighbours.map((one) => `${one.name} ${one.similarity_text}`).join(", ");
  const figure = drawing(width, query.neighbours.length * line + 4, `Similarity: ${words}`, { class: "similarity" });
  query.neighbours.forEach((one, k) => {
    const y = k * line;
    const wide = Math.max(1, one.bar * (right - left));
    figure.append(
      svg("text", { x: left - 8, y: y + 17, "text-anchor": "end", class: "name" }, cutText(one.name, 26)),
      svg("rect", { x: left, y: y + 5, width: wide, height: line - 10, class: "fill mark-0" }),
      svg(
        "text",
        { x: left + wide + 8, y: y + 17 },
        said(one),
      ),
    );
  });
  return figure;
}
