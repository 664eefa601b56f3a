// Effects: what one feature does, as steps on the model's own cells, with bars of weight beneath.

import { drawing, html, onWidth, shownText, svg } from "../svg.js";
import {
  beginPanel,
  cellAt,
  cutText,
  fold,
  outputChoice,
  outputIndex,
  ownState,
  placeCells,
  searchList,
  widthChoice,
} from "./parts.js";

const EFFECT_HEIGHT = 300;
const EFFECT_BARS = 46;
const EFFECT_LEFT = 58; // at least; numbers of many digits take more

export function mountEffects(root, data, context) {
  beginPanel(root, data);
  const state = ownState(context.state);
  const names = data.features.map((feature) => feature.name);
  const side = html("div", { class: "beside-list" });
  const order = () => data.order[outputIndex(data.outputs, state)];
  const current = () => data.features[names.indexOf(state.get("feature"))] ?? data.features[order()[0]];
  const same = html("input", {
    type: "checkbox",
    checked: state.get("scale") === "same",
    onchange: () => state.set("scale", same.checked ? "same" : null),
  });
  const view = html("div", { class: "beside-main" });
  root.append(
    html(
      "div",
      { class: "controls" },
      outputChoice(data.outputs, state),
      widthChoice(state),
      html("label", { class: "choice" }, same, html("span", {}, "same vertical scale for every feature")),
    ),
    html("div", { class: "beside" }, side, view),
  );
  if (data.note) root.append(html("p", { class: "quiet" }, data.note));

  function showList() {
    const o = outputIndex(data.outputs, state);
    const reach = Math.max(...data.features.map((feature) => feature.importance[o])) || 1;
    const items = order().map((k) => {
      const { name, importance, importance_text: text } = data.features[k];
      return { key: name, text: name, detail: text[o], share: importance[o] / reach };
    });
    const list = searchList("Feature, the most important first", "feature", items, current().name, (key) =>
      state.set("feature", key),
    );
    side.replaceChildren(html("h3", { class: "side-title" }, "Importance: sd of the effect"), list.element);
    return list;
  }

  const shown = { list: showList() };
  function show() {
    shown.list.mark(current().name);
    same.checked = state.get("scale") === "same";
    showEffect(view, current(), data, context);
  }
  state.listen("output", () => {
    shown.list = showList();
    show();
  });
  for (const key of ["feature", "scale", "cells"]) state.listen(key, show);
  show();
  return state.stop;
}

function showEffect(view, feature, data, context) {
  const o = outputIndex(data.outputs, context.state);
  const output = feature.outputs[o];
  const range = context.state.get("scale") === "same" ? data.ranges[o] : output;
  const of = data.outputs.length > 1 ? `, output ${data.outputs[o]}` : "";
  view.replaceChildren();
  const body = context.figure(view, { title: `Effect of ${feature.name}${of}`, name: `effect-${feature.name}` });
  const reading = html(
    "p",
    { class: "reading", role: "status" },
    "Point at the figure, or focus it and use the arrow keys, to read a cell.",
  );
  const equal = context.state.get("cells") === "equal";
  const bare = feature.held.every((held, k) => held || feature.axis.label[k] === null) ? null : "hollow: no rows there";
  const notes = [
    `average answer ${output.baseline} on the scale of the ${data.unit}`,
    equal ? "bars: rows of each cell" : feature.bars_note,
    bare,
    feature.axis.note,
  ].filter(Boolean);
  view.append(reading, html("p", { class: "quiet figure-caption" }, `${notes.join("; ")}.`));
  onWidth(body, (width) =>
    drawEffect(body, width, { feature, output, range, unit: data.unit, equal, reading, context }),
  );
  view.append(fold("Show the cells as a table", (into) => effectTable(into, feature, data, context)));
}

function effectTable(root, feature, data, context) {
  const o = outputIndex(data.outputs, context.state);
  const { effect, text } = feature.outputs[o];
  context.table(root, {
    title: `Effect of ${feature.name}`,
    name: `effect-${feature.name}`,
    columns: ["cell", `effect on the ${data.unit}`, "weight"],
    rows: feature.axis.words.map((words, k) => [words, effect[k], feature.weight[k]]),
    texts: feature.axis.words.map((words, k) => [words, text[k], feature.weight[k]]),
  });
}

function drawEffect(body, width, { feature, output, range, unit, equal, reading, context }) {
  const { axis } = feature;
  const start = Math.max(EFFECT_LEFT, 30 + 7.2 * Math.max(0, ...range.ticks.map(([, text]) => text.length)));
  const named = axis.label.map((label, k) => ({ label, k })).filter(({ label }) => label !== null);
  const room = (width - start - 14) / axis.left.length;
  const longest = Math.max(0, ...named.map(({ label }) => Math.min(label.length, 18)));
  const turned = named.length > 0 && (named.length < axis.left.length || longest * 7 > room - 8);
  const foot = 40 + (turned ? Math.min(longest, 18) * 5 : 0);
  const bottom = EFFECT_HEIGHT - 8;
  const height = EFFECT_HEIGHT + EFFECT_BARS + foot;
  const placed = placeCells(axis, [start, width - 14], equal);
  const y = (value) => bottom - ((value - range.low) / (range.high - range.low)) * (bottom - 14);
  const label = `Effect of ${feature.name} on the ${unit}, ${axis.left.length} cells; arrow keys move between them`;
  const figure = drawing(width, height, label, {
    class: "effect",
    tabindex: "0",
    role: "slider",
    "aria-valuemin": 1,
    "aria-valuemax": axis.left.length,
    "aria-valuenow": 1,
    "aria-valuetext": "no cell chosen",
  });
  const band = svg("rect", { class: "cell-band", y: 6, height: bottom + EFFECT_BARS, visibility: "hidden" });
  figure.append(
    band,
    effectAxis(range, y, [start, width - 14], unit),
    weightBars(feature, placed, equal, bottom),
    steps(feature, output, placed, y),
  );
  figure.append(xLabels(axis, placed, named, turned, bottom + EFFECT_BARS, [start, width - 14]));
  body.replaceChildren(figure);
  readCells(
    figure,
    band,
    placed,
    (k) => [axis.words[k], `${output.text[k]} on the ${unit}`, feature.weight[k]],
    reading,
    context.tooltip,
  );
}

function effectAxis(range, y, [from, to], unit) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  for (const [value, text] of range.ticks) {
    group.append(
      svg("line", {
        class: value === 0 ? "zero" : "grid",
        x1: from,
        x2: to,
        y1: y(value),
        y2: y(value),
      }),
    );
    group.append(svg("text", { x: from - 8, y: y(value) + 4, "text-anchor": "end" }, text));
  }
  const middle = (y(range.low) + y(range.high)) / 2;
  group.append(
    svg(
      "text",
      { class: "axis-title", transform: `translate(13 ${middle}) rotate(-90)`, "text-anchor": "middle" },
      `effect on the ${unit}`,
    ),
  );
  return group;
}

function weightBars(feature, placed, equal, bottom) {
  const group = svg("g", { class: "weight-bars", "aria-hidden": "true" });
  const { axis, bars } = feature;
  const low = Math.min(...axis.left);
  const from = placed.left[axis.left.indexOf(low)];
  const scale = (Math.max(...placed.right) - from) / (Math.max(...axis.right) - low || 1);
  const shown = equal ? feature.cell_bars.map((tall) => [0, 0, tall]) : bars;
  shown.forEach(([a, b, tall], k) => {
    const left = equal ? placed.left[k] : from + (a - low) * scale;
    const right = equal ? placed.right[k] : from + (b - low) * scale;
    const height = tall * (EFFECT_BARS - 10);
    group.append(
      svg("rect", { x: left + 0.5, width: Math.max(0.8, right - left - 1), y: bottom + EFFECT_BARS - height, height }),
    );
  });
  return group;
}

// Neighbouring intervals are joined by a step; categories, missing and unseen stand apart, each on a stem from zero.
function steps({ axis, held }, output, placed, y) {
  const group = svg("g", { class: "steps" });
  let path = "";
  let before = null;
  output.effect.forEach((value, k) => {
    if (axis.label[k] !== null || value === null) return;
    path += before === k - 1 ? `V${y(value)}H${placed.right[k]}` : `M${placed.left[k]} ${y(value)}H${placed.right[k]}`;
    before = k;
  });
  if (path) group.append(svg("path", { d: path, class: "step-line" }));
  output.effect.forEach((value, k) => {
    if (axis.label[k] === null || value === null) return;
    const x = (placed.left[k] + placed.right[k]) / 2;
    group.append(
      svg("line", { class: held[k] ? "stem" : "stem empty", x1: x, x2: x, y1: y(0), y2: y(value) }),
      svg("circle", { class: held[k] ? "held" : "empty", cx: x, cy: y(value), r: 4.5 }),
    );
  });
  return group;
}

function xLabels(axis, placed, named, turned, y, [from, to]) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  group.append(svg("line", { class: "base", x1: from, x2: to, y1: y, y2: y }));
  for (const [x, text] of placed.ticks) {
    group.append(
      svg("line", { class: "base", x1: x, x2: x, y1: y, y2: y + 4 }),
      svg("text", { x, y: y + 17, "text-anchor": "middle" }, text),
    );
  }
  for (const { label, k } of named) {
    const x = (placed.left[k] + placed.right[k]) / 2;
    const place = turned
      ? { transform: `translate(${x + 4} ${y + 10}) rotate(-55)`, "text-anchor": "end" }
      : { x, y: y + 17, "text-anchor": "middle" };
    group.append(svg("text", place, cutText(label, 18)));
  }
  return group;
}

// One cell at a time, by pointer or by arrow keys: it is marked, said beneath the figure and shown beside the pointer.
function readCells(figure, band, placed, words, reading, tooltip) {
  const count = placed.left.length;
  let at = -1;

  function choose(k) {
    at = Math.min(count - 1, Math.max(0, k));
    const lines = words(at);
    const wide = Math.max(2, placed.right[at] - placed.left[at]);
    band.setAttribute("x", (placed.left[at] + placed.right[at] - wide) / 2);
    band.setAttribute("width", wide);
    band.setAttribute("visibility", "visible");
    reading.textContent = shownText(lines.join(" · "));
    figure.setAttribute("aria-valuenow", at + 1);
    figure.setAttribute("aria-valuetext", lines.join(", "));
    return lines;
  }

  const point = (event) => {
    const box = figure.getBoundingClientRect();
    tooltip.show({ x: event.clientX, y: event.clientY }, choose(cellAt(placed, event.clientX - box.left)));
  };
  figure.addEventListener("pointermove", point);
  figure.addEventListener("pointerdown", point);
  figure.addEventListener("pointerleave", () => tooltip.hide());
  figure.addEventListener("keydown", (event) => {
    const to = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, Home: 0, End: count - 1 }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  });
}
