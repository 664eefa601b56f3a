// The figure of an effect: steps on the cells of the model, the rows as bars beneath, one cell at a time read aloud.

import { drawing, nameText, sentence, svg } from "../svg.js";
import { placeFeature } from "./effect_scale.js";
import { drawRowCurves } from "./effect_rows.js";
import { cellAt, cutText, thin, TURNED_GAP } from "./parts.js";

const EFFECT_HEIGHT = 300;
const EFFECT_BARS = 46;
const EFFECT_LEFT = 58; // at least; numbers of many digits take more

// drawEffect(body, width, { feature, output, answer, kind, curves, reading, context }): `answer` says what the curve says.
export function drawEffect(body, width, { feature, output, answer, kind, curves, reading, context }) {
  const { axis } = feature;
  const { range } = answer;
  const start = Math.max(EFFECT_LEFT, 30 + 7.2 * Math.max(0, ...range.ticks.map(([, text]) => text.length)));
  const named = axis.label.map((label, k) => ({ label, k })).filter(({ label }) => label !== null);
  const room = (width - start - 14) / axis.left.length;
  const longest = Math.max(0, ...named.map(({ label }) => Math.min(label.length, 18)));
  const turned = named.length > 0 && (named.length < axis.left.length || longest * 7 > room - 8);
  const foot = 40 + (turned ? Math.min(longest, 18) * 5 : 0);
  const bottom = EFFECT_HEIGHT - 8;
  const height = EFFECT_HEIGHT + EFFECT_BARS + foot;
  const placed = placeFeature(feature, [start, width - 14], kind);
  const y = (effect) => bottom - ((answer.of(effect) - range.low) / (range.high - range.low)) * (bottom - 14);
  const label = `Effect of ${nameText(feature.name)} on the ${answer.unit}, ${axis.left.length} cells; arrow keys move between them`;
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
  const place = (value) => bottom - ((value - range.low) / (range.high - range.low)) * (bottom - 14);
  figure.append(band, effectAxis(answer, place, [start, width - 14]), weightBars(feature, placed, kind, bottom));
  if (curves) figure.append(drawRowCurves({ feature, effects: curves.effects, chosen: curves.chosen, placed, y }));
  figure.append(steps(feature, output, placed, y));
  figure.append(xLabels(axis, placed, named, turned, bottom + EFFECT_BARS, [start, width - 14]));
  body.replaceChildren(figure);
  const says = (k) => (answer.textOf ? `${answer.textOf(answer.of(output.effect[k]))} ${answer.unit}` : `${output.text[k]} on the ${answer.unit}`);
  readCells(figure, band, placed, (k) => [axis.words[k], output.effect[k] === null ? "–" : says(k), feature.weight[k]], reading, context.tooltip);
}

function effectAxis(answer, place, [from, to]) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  const line = (value, look) => svg("line", { class: look, x1: from, x2: to, y1: place(value), y2: place(value) });
  for (const [value, text] of answer.range.ticks) {
    group.append(line(value, "grid"), svg("text", { x: from - 8, y: place(value) + 4, "text-anchor": "end" }, text));
  }
  group.append(line(answer.of(0), "zero"));
  const middle = (place(answer.range.low) + place(answer.range.high)) / 2;
  group.append(
    svg("text", { class: "axis-title", transform: `translate(13 ${middle}) rotate(-90)`, "text-anchor": "middle" }, answer.title),
  );
  return group;
}

function weightBars(feature, placed, kind, bottom) {
  const group = svg("g", { class: "weight-bars", "aria-hidden": "true" });
  const ofCells = kind === "equal" || kind === "rows";
  const shown = ofCells
    ? feature.cell_bars.map((tall, k) => [placed.left[k], placed.right[k], tall])
    : (kind === "log" ? feature.log_bars : feature.bars).map(([a, b, tall]) => [placed.at(a), placed.at(b), tall]);
  for (const [left, right, tall] of shown) {
    const height = tall * (EFFECT_BARS - 10);
    group.append(svg("rect", { x: left + 0.5, width: Math.max(0.8, right - left - 1), y: bottom + EFFECT_BARS - height, height }));
  }
  return group;
}

// Neighbouring intervals are joined by a step; categories, missing and unseen stand apart, each on a stem from zero.
function steps({ axis, held }, output, placed, y) {
  const group = svg("g", { class: "steps" });
  const path = stepPath(axis, output, placed, y);
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

export function stepPath(axis, output, placed, y) {
  let path = "";
  let before = null;
  output.effect.forEach((value, k) => {
    if (axis.label[k] !== null || value === null) return;
    path += before === k - 1 ? `V${y(value)}H${placed.right[k]}` : `M${placed.left[k]} ${y(value)}H${placed.right[k]}`;
    before = k;
  });
  return path;
}

function xLabels(axis, placed, named, turned, y, [from, to]) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  group.append(svg("line", { class: "base", x1: from, x2: to, y1: y, y2: y }));
  for (const [x, text] of placed.ticks) {
    const wide = 3.6 * text.length;
    const anchor = x + wide > to + 14 ? "end" : "middle";
    group.append(
      svg("line", { class: "base", x1: x, x2: x, y1: y, y2: y + 4 }),
      svg("text", { x: anchor === "end" ? Math.min(x + wide, to + 12) : x, y: y + 17, "text-anchor": anchor }, text),
    );
  }
  const names = named.map(({ label, k }) => [(placed.left[k] + placed.right[k]) / 2, label]);
  for (const [x, label] of thin(names, turned ? TURNED_GAP : 0)) {
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
    reading.textContent = sentence(lines.join(" · "));
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
