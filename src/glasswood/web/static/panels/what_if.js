// Controls of the panel about one prediction: another value for a feature, and the row as it was.

import { html, nameText } from "../svg.js";

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

// changeControls({ data, row, state, order, change }) → element and set(cells): calls change(cells) at every move; the
// address remembers it.
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

  function move(k, cell, text = null) {
    cells[k] = cell;
    controls.get(k).show(cell, text);
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
    if (feature.kind !== "category" && !feature.edges.length) continue;
    const make = feature.kind === "category" ? levelControl : numberControl;
    controls.set(k, make(feature, row.cells[k], row.values[k], (cell, text) => move(k, cell, text ?? null)));
  }
  const all = [...controls.values()].map((control) => control.element);
  const more = all.slice(FIRST_CONTROLS);
  const rest = more.length
    ? html("details", { class: "fold" }, html("summary", {}, `${more.length} more features`), html("div", { class: "changes" }, ...more))
    : null;
  const before = cellsOfAddress(state.get("if"), row, data);
  if (before) queueMicrotask(() => set(before));
  const element = html(
    "section",
    { class: "what-if" },
    html("h3", { class: "section-title" }, "What if a value were different?"),
    html("p", { class: "quiet" }, "Between two thresholds of the model every value gives the same answer, so a slider moves from threshold to threshold. A value can also be typed."),
    html("div", { class: "changes" }, ...all.slice(0, FIRST_CONTROLS)),
    rest,
    reset,
  );
  return { element, set };
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
  const typed = html("input", {
    type: "text",
    class: "change-typed",
    inputmode: feature.kind === "date" ? "text" : "decimal",
    placeholder: feature.kind === "date" ? "YYYY-MM-DD" : "type a value",
    "aria-label": `Another value of ${feature.name || "the feature without a name"}`,
    onchange: () => {
      const number = typedNumber(typed.value, feature.kind === "date");
      typed.setAttribute("aria-invalid", String(typed.value.trim() !== "" && number === null));
      if (number === null) return;
      const isMissing = feature.zero !== undefined && Math.abs(number) <= feature.zero;
      onmove(isMissing ? -1 : feature.cuts.filter((cut) => cut < number).length, typed.value.trim());
    },
  });
  function show(now, text = null) {
    if (now >= 0) last.cell = now;
    if (text === null) typed.value = "";
    slider.value = last.cell;
    slider.disabled = now < 0;
    lacks.checked = now < 0;
    said.textContent = now === cell && text === null ? value : cellWords(feature, now);
    slider.setAttribute("aria-valuetext", said.textContent);
  }
  show(cell);
  const box = feature.missing ? html("label", { class: "choice change-missing" }, lacks, html("span", {}, "missing")) : null;
  return { element: html("div", { class: "change" }, html("span", { class: "change-name" }, nameText(feature.name)), slider, typed, said, box), show };
}

// The number that somebody typed, a date in microseconds since 1970; null if it is neither.
function typedNumber(text, isDate) {
  const plain = text.trim().replaceAll("−", "-");
  if (plain === "") return null;
  if (!isDate) return Number.isFinite(Number(plain)) ? Number(plain) : null;
  if (!/^[-+]?\d{4,6}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?$/.test(plain)) return null;
  const [day, time] = plain.split(/[ T]/);
  const at = Date.parse(`${day}T${time ?? "00:00"}Z`);
  return Number.isNaN(at) ? null : at * 1000;
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
  return { element: html("div", { class: "change level" }, html("span", { class: "change-name" }, nameText(feature.name)), select), show };
}
