// Interactions: a map of two features on the model's own cells, what each does alone in the margins, and the ranking.

import { drawing, html, onWidth, svg } from "../svg.js";
import { beginPanel, cellAt, choice, cutText, fold, outputChoice, outputIndex, placeCells, rankList, shownNumber, signedNumber } from "./parts.js";

const MAP_MARGIN = 62;
const MAP_LEGEND = 44;

export function mountInteractions(root, data, context) {
  beginPanel(root, data);
  const { state } = context;
  const nameOf = (pair) => pair.features.join(" × ");
  const keys = data.tables.map(nameOf);
  const current = () => data.tables[Math.max(0, keys.indexOf(state.get("pair")))];
  const side = html("div", { class: "beside-list" });
  const view = html("div", { class: "beside-main" });
  const what = choice("Show", [{ value: "interaction", text: "beyond the two effects" }, { value: "joint", text: "joint effect" }], state.get("map") ?? "interaction", (value) =>
    state.set("map", value === "interaction" ? null : value),
  );
  const widths = choice("Cells", [{ value: "real", text: "real widths" }, { value: "equal", text: "equal widths" }], state.get("cells") ?? "real", (value) =>
    state.set("cells", value === "real" ? null : value),
  );
  root.append(
    html("div", { class: "controls" }, outputChoice(data.outputs, state), what.element, widths.element),
    html("div", { class: "beside" }, side, view),
  );
  if (data.note) root.append(html("p", { class: "quiet" }, `${data.note}.`));
  root.append(fold("Show the ranking as a table", (into) => rankingTable(into, data, context)));

  function show() {
    what.select.value = state.get("map") ?? "interaction";
    widths.select.value = state.get("cells") ?? "real";
    const o = outputIndex(data.outputs, state);
    const reach = Math.max(...data.ranking.map((pair) => pair.strength[o])) || 1;
    const items = data.ranking
      .filter((pair) => pair.drawn)
      .map((pair) => ({ key: nameOf(pair), text: nameOf(pair), detail: `${pair.strength_text[o]} · H² ${pair.h2_text[o]}`, share: pair.strength[o] / reach }));
    const had = side.contains(document.activeElement);
    const list = rankList("Pair, the strongest first", items, nameOf(current()), (key) => state.set("pair", key));
    side.replaceChildren(html("h3", { class: "side-title" }, "Strength: sd of the interaction"), list.element);
    if (had) list.element.focus();
    showPair(view, current(), o, data, context);
  }
  for (const key of ["pair", "output", "map", "cells"]) state.listen(key, show);
  show();
}

function rankingTable(root, data, context) {
  const several = data.outputs.length > 1;
  const lines = data.ranking.flatMap((pair) => data.outputs.map((output, o) => ({ pair, output, o })));
  context.table(root, {
    title: "Ranking of the pairs",
    name: "interactions",
    columns: ["feature", "feature", "strength", "H²", ...(several ? ["output"] : [])],
    rows: lines.map(({ pair, output, o }) => [...pair.features, pair.strength[o], pair.h2_text[o], ...(several ? [output] : [])]),
    texts: lines.map(({ pair, output, o }) => [...pair.features, pair.strength_text[o], pair.h2_text[o], ...(several ? [output] : [])]),
  });
}

function showPair(view, pair, o, data, context) {
  const joint = context.state.get("map") === "joint";
  const equal = context.state.get("cells") === "equal";
  const title = `${joint ? "Joint effect" : "Interaction"} of ${pair.features.join(" and ")}`;
  view.replaceChildren();
  const body = context.figure(view, { title: data.outputs.length > 1 ? `${title}, output ${data.outputs[o]}` : title, name: `interaction-${pair.features.join("-")}` });
  const reading = html("p", { class: "reading", role: "status" }, "Point at the map, or focus it and use the arrow keys, to read a cell.");
  view.append(reading, html("p", { class: "quiet figure-caption" }, `${pair.note}; in the margins, what each feature does alone; faded: no rows there.`));
  const chosen = pair.outputs[o];
  const content = { pair, output: chosen, values: joint ? chosen.joint : chosen.interaction, reach: joint ? chosen.reach_joint : chosen.reach, unit: data.unit, joint, equal, title, reading, tooltip: context.tooltip };
  onWidth(body, (width) => drawMap(body, width, content));
  view.append(fold("Show the cells as a table", (into) => mapTable(into, pair, chosen, context)));
}

function mapTable(root, pair, output, context) {
  const n = pair.up.words.length;
  const rows = pair.weight.map((weight, k) => [pair.across.words[Math.floor(k / n)], pair.up.words[k % n], output.interaction[k], output.joint[k], weight]);
  context.table(root, {
    title: `Cells of ${pair.features.join(" and ")}`,
    name: `interaction-${pair.features.join("-")}`,
    columns: [pair.features[0], pair.features[1], "interaction", "joint effect", "weight"],
    rows,
    texts: rows.map(([first, second, pure, joint, weight]) => [first, second, shownNumber(pure), shownNumber(joint), shownNumber(weight)]),
  });
}

function drawMap(body, width, content) {
  const { pair, equal } = content;
  const size = Math.min(width, 760);
  const upNames = pair.up.label.filter((label) => label !== null).map((label) => Math.min(label.length, 14));
  const left = 44 + Math.max(0, ...upNames.map((length) => length * 7 - 26));
  const top = 8 + MAP_MARGIN;
  const right = size - MAP_MARGIN - 8;
  const side = Math.max(180, Math.min(right - left, 520));
  const bottom = top + side * 0.86;
  const acrossNames = pair.across.label.filter((label) => label !== null);
  const turned = acrossNames.some((label) => label.length * 7 > (right - left) / pair.across.left.length - 6);
  const foot = 44 + (turned ? Math.min(14, Math.max(...acrossNames.map((label) => label.length))) * 5 : 0);
  const height = bottom + foot + MAP_LEGEND;
  const across = placeCells(pair.across, [left, right], equal, 60);
  const up = placeCells(pair.up, [bottom, top], equal, 26);
  const figure = drawing(size, height, `${content.title}: a map; arrow keys move between its cells`, { class: "heat-map", tabindex: "0", role: "application" });
  figure.append(mapCells(pair, content, across, up));
  figure.append(marginLines(content.output, 0, across, { at: top - 8, size: MAP_MARGIN - 14 }));
  figure.append(marginLines(content.output, 1, up, { at: right + 8, size: MAP_MARGIN - 14 }));
  figure.append(mapLabels(pair, across, up, { left, right, top, bottom, turned, foot }));
  figure.append(mapLegend(content, left, bottom + foot, right - left));
  const frame = svg("rect", { class: "map-cursor", visibility: "hidden" });
  figure.append(frame);
  body.replaceChildren(figure);
  readMap(figure, frame, across, up, content);
}

function rectOf(across, up, i, j) {
  return { x: across.left[i], width: across.right[i] - across.left[i], y: Math.min(up.left[j], up.right[j]), height: Math.abs(up.right[j] - up.left[j]) };
}

function mapCells(pair, { values, reach }, across, up) {
  const group = svg("g", { class: "map-cells", "aria-hidden": "true" });
  const n = pair.up.words.length;
  values.forEach((value, k) => {
    if (value === null) return;
    const rect = svg("rect", { ...rectOf(across, up, Math.floor(k / n), k % n), class: `heat ${value < 0 ? "mark-below" : "mark-above"}${pair.weight[k] > 0 ? "" : " empty"}` });
    rect.style.setProperty("--share", Math.min(1, Math.abs(value) / reach.value));
    group.append(rect);
  });
  return group;
}

// The effect of each feature alone: above the map for the first, to its right for the second.
function marginLines(output, d, placed, { at, size }) {
  const group = svg("g", { class: "margin", "aria-hidden": "true" });
  const middle = (value) => (d === 0 ? at - size / 2 - (value / output.margin_reach) * (size / 2) : at + size / 2 + (value / output.margin_reach) * (size / 2));
  const ends = [placed.left[0], placed.right[placed.right.length - 1]];
  group.append(d === 0 ? svg("line", { class: "zero", x1: ends[0], x2: ends[1], y1: middle(0), y2: middle(0) }) : svg("line", { class: "zero", y1: ends[0], y2: ends[1], x1: middle(0), x2: middle(0) }));
  output.margins[d].forEach((value, k) => {
    if (value === null) return;
    const [a, b, m] = [placed.left[k], placed.right[k], middle(value)];
    group.append(d === 0 ? svg("line", { class: "margin-line", x1: a, x2: b, y1: m, y2: m }) : svg("line", { class: "margin-line", x1: m, x2: m, y1: a, y2: b }));
  });
  return group;
}

function mapLabels(pair, across, up, { left, right, top, bottom, turned, foot }) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  for (const [x, text] of across.ticks) group.append(svg("text", { x, y: bottom + 17, "text-anchor": "middle" }, text));
  for (const [y, text] of up.ticks) group.append(svg("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, text));
  pair.across.label.forEach((label, k) => {
    if (label === null) return;
    const x = (across.left[k] + across.right[k]) / 2;
    const place = turned ? { transform: `translate(${x + 4} ${bottom + 10}) rotate(-55)`, "text-anchor": "end" } : { x, y: bottom + 17, "text-anchor": "middle" };
    group.append(svg("text", place, cutText(label, 14)));
  });
  pair.up.label.forEach((label, k) => {
    if (label !== null) group.append(svg("text", { x: left - 6, y: (up.left[k] + up.right[k]) / 2 + 4, "text-anchor": "end" }, cutText(label, 14)));
  });
  group.append(svg("text", { class: "axis-title", x: (left + right) / 2, y: bottom + foot - 6, "text-anchor": "middle" }, pair.features[0]));
  group.append(svg("text", { class: "axis-title", transform: `translate(12 ${(top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, pair.features[1]));
  return group;
}

function mapLegend({ reach, unit, joint }, left, y, width) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  const count = 21;
  const wide = Math.min(width, 260);
  for (let k = 0; k < count; k += 1) {
    const share = (2 * k) / (count - 1) - 1;
    const rect = svg("rect", { x: left + (wide * k) / count, y: y + 6, width: wide / count + 0.5, height: 10, class: `heat ${share < 0 ? "mark-below" : "mark-above"}` });
    rect.style.setProperty("--share", Math.abs(share));
    group.append(rect);
  }
  group.append(
    svg("text", { x: left, y: y + 32, "text-anchor": "start" }, `−${reach.text}`),
    svg("text", { x: left + wide / 2, y: y + 32, "text-anchor": "middle" }, "0"),
    svg("text", { x: left + wide, y: y + 32, "text-anchor": "end" }, `+${reach.text}`),
  );
  if (width - wide > 120) group.append(svg("text", { x: left + wide + 12, y: y + 15 }, `${joint ? "joint effect" : "interaction"} on the ${unit}`));
  return group;
}

function readMap(figure, frame, across, up, { pair, output, values, unit, joint, reading, tooltip }) {
  const n = pair.up.words.length;
  const at = { i: -1, j: -1 };

  function choose(i, j) {
    at.i = Math.min(pair.across.words.length - 1, Math.max(0, i));
    at.j = Math.min(n - 1, Math.max(0, j));
    const k = at.i * n + at.j;
    for (const [name, value] of Object.entries(rectOf(across, up, at.i, at.j))) frame.setAttribute(name, value);
    frame.setAttribute("visibility", "visible");
    const weight = pair.weight[k] > 0 ? `weight ${shownNumber(pair.weight[k])}` : "no rows here";
    const alone = `alone ${output.margin_text[0][at.i]} and ${output.margin_text[1][at.j]}; joint ${signedNumber(output.joint[k])}; ${weight}`;
    const lines = [`${pair.across.words[at.i]}; ${pair.up.words[at.j]}`, `${joint ? "joint effect" : "interaction"} ${signedNumber(values[k])} on the ${unit}`, alone];
    reading.textContent = lines.join(" · ");
    return lines;
  }

  const point = (event) => {
    const box = figure.getBoundingClientRect();
    const lines = choose(cellAt(across, event.clientX - box.left), cellAt({ left: up.right, right: up.left }, event.clientY - box.top));
    tooltip.show({ x: event.clientX, y: event.clientY }, lines);
  };
  figure.addEventListener("pointermove", point);
  figure.addEventListener("pointerdown", point);
  figure.addEventListener("pointerleave", () => tooltip.hide());
  figure.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    choose(Math.max(0, at.i) + (at.i < 0 ? 0 : step[0]), Math.max(0, at.j) + (at.j < 0 ? 0 : step[1]));
  });
}
