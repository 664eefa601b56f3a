// Controls of the panel about one prediction: another value for a feature, and the row as it was.

import { html } from "../svg.js";

const FIRST_CONTROLS = 12; // the others are behind a fold

// The values of a cell, in words: between two thresholds of the model every value is the same to it.
export function cellWords(feature, cell) {
  if (cell < 0) return "missing";
  if (feature.kind === "category") return feature.levels[cell] ?? "a new level";
  const { edges } = feature;
  if (!edges.length) return "any";
  if (cell === 0) return `at most ${edges[0]}`;
  return cell === edges.length ? `above ${edges[cell - 1]}` : `above ${edges[cell - 1]}, at most ${edges[cell]}`;
}

// changeControls({ data, row, state, order, change }): calls change(cells) at every move; the address remembers it.
export function changeControls({ data, row, state, order, change }) {
  const cells = [...row.cells];
  const controls = new Map();
  const reset = html("button", { type: "button", class: "reset", disabled: true, onclick: () => set(row.cells) }, "Back to the row as it is");

  function remember() {
    const changed = order.filter((k) => cells[k] !== row.cells[k]);
    reset.disabled = !changed.length;
    for (const [k, control] of controls) control.element.classList.toggle("changed", cells[k] !== row.cells[k]);
    state.set("if", changed.length ? [row.row, ...changed.map((k) => `${k}.${cells[k]}`)].join("_") : null);
  }

  function move(k, cell) {
    cells[k] = cell;
    controls.get(k).show(cell);
    change([...cells]);
    remember();
  }

  function set(wanted) {
    wanted.forEach((cell, k) => {
      cells[k] = cell;
      controls.get(k)?.show(cell);
    });
    change([...cells]);
    remember();
  }

  for (const k of order) {
    const feature = data.features[k];
    if (feature.kind === "number" && !feature.edges.length) continue;
    const make = feature.kind === "category" ? levelControl : numberControl;
    controls.set(k, make(feature, row.cells[k], row.values[k], (cell) => move(k, cell)));
  }
  const all = [...controls.values()].map((control) => control.element);
  const more = all.slice(FIRST_CONTROLS);
  const rest = more.length
    ? html("details", { class: "fold" }, html("summary", {}, `${more.length} more features`), html("div", { class: "changes" }, ...more))
    : null;
  const before = cellsOfAddress(state.get("if"), row, data);
  if (before) queueMicrotask(() => set(before));
  return html(
    "section",
    { class: "what-if" },
    html("h3", { class: "section-title" }, "What if a value were different?"),
    html("p", { class: "quiet" }, "Between two thresholds of the model every value gives the same answer, so the slider moves from threshold to threshold."),
    html("div", { class: "changes" }, ...all.slice(0, FIRST_CONTROLS)),
    rest,
    reset,
  );
}

// Cells of an address, if they are about this row and exist.
function cellsOfAddress(text, row, data) {
  const [number, ...changed] = (text ?? "").split("_");
  if (number !== String(row.row) || !changed.length) return null;
  const cells = [...row.cells];
  for (const one of changed) {
    const [k, cell] = one.split(".").map(Number);
    const feature = data.features[k];
    const most = feature && (feature.kind === "category" ? feature.levels.length : feature.edges.length);
    if (!Number.isInteger(cell) || !feature || cell < -1 || cell > most) return null;
    cells[k] = cell;
  }
  return cells;
}

function numberControl(feature, cell, value, onmove) {
  const said = html("output", { class: "change-value" });
  const last = { cell: Math.max(cell, 0) };
  const slider = html("input", {
    type: "range",
    min: 0,
    max: feature.edges.length,
    step: 1,
    "aria-label": feature.name || "feature without a name",
    oninput: () => onmove(Number(slider.value)),
  });
  const lacks = html("input", { type: "checkbox", onchange: () => onmove(lacks.checked ? -1 : last.cell) });
  function show(now) {
    if (now >= 0) last.cell = now;
    slider.value = last.cell;
    slider.disabled = now < 0;
    lacks.checked = now < 0;
    said.textContent = now === cell ? value : cellWords(feature, now);
    slider.setAttribute("aria-valuetext", said.textContent);
  }
  show(cell);
  const box = feature.missing ? html("label", { class: "choice change-missing" }, lacks, html("span", {}, "missing")) : null;
  return { element: html("div", { class: "change" }, html("span", { class: "change-name" }, feature.name), slider, said, box), show };
}

function levelControl(feature, cell, value, onmove) {
  const options = feature.levels.map((text, k) => html("option", { value: k }, text));
  options.push(html("option", { value: feature.levels.length }, "a new level"));
  if (feature.missing || cell < 0) options.push(html("option", { value: -1 }, "missing"));
  const select = html("select", { "aria-label": feature.name || "feature without a name", onchange: () => onmove(Number(select.value)) }, ...options);
  const show = (now) => {
    select.value = String(now);
  };
  show(cell);
  return { element: html("div", { class: "change" }, html("span", { class: "change-name" }, feature.name), select), show };
}
