// Effects: what one feature does, with the rows themselves below; its axis, its scale and single rows on demand.

import { html, nameText, onWidth } from "../svg.js";
import { drawEffect } from "./effect_figure.js";
import { showMultiples } from "./effect_multiples.js";
import { rowCurves, rowEffects } from "./effect_rows.js";
import { answerScale, axisKind, axisOptions, sortedByEffect, turnsIntoPrediction } from "./effect_scale.js";
import { beginPanel, choice, fold, outputChoice, outputIndex, ownState, searchList } from "./parts.js";

export function mountEffects(root, data, context) {
  beginPanel(root, data);
  const state = ownState(context.state);
  const names = data.features.map((feature) => feature.name);
  const side = html("div", { class: "beside-list" });
  const order = () => data.order[outputIndex(data.outputs, state)];
  const current = () => data.features[names.indexOf(state.get("feature"))] ?? data.features[order()[0]];
  const without = () => withoutCurve(data, state.get("feature"));
  const view = html("div", { class: "beside-main" });
  const controls = effectControls(data, state);
  root.append(controls.element, html("div", { class: "beside" }, side, view));
  if (data.note) root.append(html("p", { class: "quiet" }, data.note));
  const glance = html("div", {});
  root.append(glance);

  function showList() {
    const o = outputIndex(data.outputs, state);
    const reach = Math.max(...data.features.map((feature) => feature.importance[o])) || 1;
    const items = order().map((k) => {
      const { name, importance, importance_text: text } = data.features[k];
      return { key: name, text: name, detail: text[o], share: importance[o] / reach };
    });
    const { used, unused } = data.without;
    const more = [
      ...used.map((name) => ({ key: name, text: name, detail: "", group: `${used.length} without a curve on this page` })),
      ...unused.map((name) => ({ key: name, text: name, detail: "", group: `${unused.length} that no tree asks for` })),
    ];
    const group = more.length ? `the ${items.length} most important` : null;
    const allItems = [...items.map((item) => ({ ...item, group })), ...more];
    const list = searchList("Feature, the most important first", "feature", allItems, without()?.name ?? current().name, (key) =>
      state.set("feature", key),
    );
    side.replaceChildren(html("h3", { class: "side-title" }, "Importance: sd of the effect"), list.element);
    const all = fold("Show all effects at a glance", (into) => showMultiples(into, data, o, (name) => state.set("feature", name)));
    glance.replaceChildren(data.features.length > 1 ? all : "");
    return list;
  }

  const shown = { list: showList() };
  let asked = 0;
  async function show() {
    asked += 1;
    const mine = asked;
    const lost = without();
    controls.element.hidden = lost !== null;
    if (lost) {
      shown.list.mark(lost.name);
      const asking = lost.used && context.load;
      view.replaceChildren(html("p", { role: "status" }, asking ? `The curve of ${nameText(lost.name)} is being computed …` : lost.why));
      if (!asking) return;
      const more = await loadEffect(context, lost.name);
      if (mine !== asked) return;
      if (more.refused) view.replaceChildren(html("p", { class: "refused", role: "status" }, more.refused));
      else showEffect(view, more.features[0], { ...more, ranges: data.ranges }, context, null);
      return;
    }
    const feature = current();
    shown.list.mark(feature.name);
    controls.show(feature);
    // the figure is drawn at once; single rows follow when they are there
    showEffect(view, feature, data, context, null);
    if (state.get("single") !== "rows") return;
    const curves = await rowCurves(await context.section("prediction"), feature, context);
    if (mine === asked) showEffect(view, feature, data, context, curves);
  }
  state.listen("output", () => {
    shown.list = showList();
    show();
  });
  for (const key of ["feature", "scale", "cells", "answer", "order", "single", "example"]) state.listen(key, show);
  show();
  return () => {
    asked += 1;
    state.stop();
  };
}

// A feature that has no curve on this page, and why; null for others.
function withoutCurve(data, name) {
  const { used, unused } = data.without;
  const shown = data.features.length.toLocaleString("en");
  if (unused.includes(name)) {
    return { name, used: false, why: `No tree of the model asks for ${nameText(name)}: whatever its value, the answer stays the same.` };
  }
  if (!used.includes(name)) return null;
  const why =
    `The curve of ${nameText(name)} is not on this page, which has room for those of the ${shown} most important features. ` +
    `glasswood app draws it, and in Python gw.effects(model, X)[${JSON.stringify(name)}] has its numbers.`;
  return { name, used: true, why };
}

// Asks the server for the curve of one feature.
async function loadEffect(context, name) {
  try {
    return await context.load("effects", { feature: name });
  } catch (error) {
    return { refused: error.message };
  }
}

// Controls above the figure; those that a feature does not have are hidden. What goes without saying is not in the address.
function effectControls(data, state) {
  const axis = choice("Axis", [], null, (value) => state.set("cells", value));
  const answer = choice("Scale", [{ value: "raw", text: data.unit }, { value: "prediction", text: data.link.shares ? "probability" : "prediction" }], "raw", (value) => state.set("answer", value === "raw" ? null : value));
  const order = choice("Categories", [{ value: "effect", text: "by effect" }, { value: "table", text: "as in the model" }], "effect", (value) => state.set("order", value === "effect" ? null : value));
  const box = (key, value, text) => {
    const input = html("input", { type: "checkbox", onchange: () => state.set(key, input.checked ? value : null) });
    return { key, value, input, element: html("label", { class: "choice" }, input, html("span", {}, text)) };
  };
  const boxes = [box("scale", "same", "same vertical scale for every feature"), box("single", "rows", "single rows")];
  answer.element.hidden = !turnsIntoPrediction(data.link);
  return {
    element: html("div", { class: "controls" }, outputChoice(data.outputs, state), axis.element, answer.element, order.element, ...boxes.map(({ element }) => element)),
    show(feature) {
      const options = axisOptions(feature);
      axis.select.replaceChildren(...options.map(({ value, text }) => html("option", { value }, text)));
      axis.select.value = axisKind(feature, state.get("cells"));
      axis.element.hidden = feature.n_levels > 0 || options.length < 2;
      order.element.hidden = feature.n_levels < 2;
      order.select.value = state.get("order") === "table" ? "table" : "effect";
      answer.select.value = state.get("answer") === "prediction" ? "prediction" : "raw";
      for (const { key, value, input } of boxes) input.checked = state.get(key) === value;
    },
  };
}

function showEffect(view, plain, data, context, curves) {
  const { state } = context;
  const o = outputIndex(data.outputs, state);
  const sorted = plain.n_levels > 1 && state.get("order") !== "table";
  const feature = sorted ? sortedByEffect(plain, o) : plain;
  const output = feature.outputs[o];
  const kind = axisKind(feature, state.get("cells"));
  const drawn = curves && !curves.why ? ownCurves(curves, plain, feature, o, output.base, state) : null;
  const reach = reachOf(state.get("scale") === "same" ? data.ranges[o] : output, drawn);
  const answer = answerScale(data, output, reach, state.get("answer") === "prediction" && turnsIntoPrediction(data.link));
  const of = data.outputs.length > 1 ? `, output ${data.outputs[o]}` : "";
  view.replaceChildren();
  const body = context.figure(view, { title: `Effect of ${nameText(feature.name)}${of}`, name: `effect-${feature.name}` });
  const reading = html(
    "p",
    { class: "reading", role: "status" },
    "Point at the figure, or focus it and use the arrow keys, to read a cell.",
  );
  view.append(reading, html("p", { class: "quiet figure-caption" }, `${notesOf(feature, output, data, kind, answer, curves, drawn).join("; ")}.`));
  onWidth(body, (width) => drawEffect(body, width, { feature, output, answer, kind, curves: drawn, reading, context }));
  view.append(fold("Show the cells as a table", (into) => effectTable(into, feature, o, data, context)));
}

// Curves of single rows in the order of the drawn cells.
function ownCurves(curves, plain, feature, o, base, state) {
  const place = feature.axis.words.map((words) => plain.axis.words.indexOf(words));
  const effects = rowEffects(curves, o, base).map((cells) => place.map((k) => cells[k]));
  const chosen = Math.max(0, curves.rows.findIndex(({ row }) => String(row) === state.get("example")));
  return { effects, chosen, names: curves.rows.map(({ name }) => name) };
}

// The range of the curve, wider where single rows need it.
function reachOf(range, drawn) {
  if (!drawn) return range;
  const all = drawn.effects.flat();
  const [low, high] = [Math.min(range.low, ...all), Math.max(range.high, ...all)];
  return low === range.low && high === range.high ? range : { low, high };
}

function notesOf(feature, output, data, kind, answer, curves, drawn) {
  const cells = kind === "equal" || kind === "rows";
  return [
    answer.textOf
      ? `what the average raw answer for a cell is as a ${answer.unit}; line: ${answer.textOf(answer.of(0))}, the average over all cells`
      : `average answer ${output.baseline} on the scale of the ${data.unit}`,
    cells ? "bars: rows of each cell" : kind === "log" ? "bars: rows, in steps of equal width on this axis" : feature.bars_note,
    kind === "rows" ? "the axis follows the number of rows, not the values" : null,
    feature.held.every((held, k) => held || feature.axis.label[k] === null) ? null : "hollow: no rows there",
    drawn ? `thin lines: what each of ${drawn.names.length} rows would get at every value; thick: ${drawn.names[drawn.chosen]}` : null,
    curves?.why ? curves.why.replace(/\.$/, "") : null,
    feature.axis.note,
  ].filter(Boolean);
}

function effectTable(root, feature, o, data, context) {
  const { effect, text } = feature.outputs[o];
  context.table(root, {
    title: `Effect of ${nameText(feature.name)}`,
    name: `effect-${feature.name}`,
    columns: ["cell", `effect on the ${data.unit}`, "weight"],
    rows: feature.axis.words.map((words, k) => [words, effect[k], feature.weight[k]]),
    texts: feature.axis.words.map((words, k) => [words, text[k], feature.weight[k]]),
  });
}
