// Compare: two models on the same rows; what is filled or solid is this model, what is hollow or dashed the other.

import { axisBottom, axisLeft, drawing, html, linear, nameText, onWidth, shortText, svg, textWidth, ticks } from "../svg.js";
import { shareAlong } from "./effect_scale.js";
import { beginPanel, cutText, fold, outputChoice, outputIndex, ownState, searchList, thin, TURNED_GAP } from "./parts.js";

const PAIR_LINE = 28;
const BOTH_HEIGHT = 300;

export function mountComparison(root, data, context) {
  beginPanel(root, data);
  const state = ownState(context.state);
  const chosen = outputChoice(data.outputs, state);
  if (chosen) root.append(html("div", { class: "controls" }, chosen));
  const view = html("div", {});
  root.append(view);
  let inner = null;

  function show() {
    const o = outputIndex(data.outputs, state);
    inner?.stop();
    inner = ownState(context.state);
    view.replaceChildren(...data.words[o].map((words) => html("p", { class: "compare-words" }, words)));
    showImportances(view, data, o, context);
    showCurves(view, data, o, inner, context);
    showDifferentRows(view, data, o, context);
    showDifferentRules(view, data, o);
  }
  if (data.outputs.length > 1) state.listen("output", show);
  show();
  return () => {
    inner?.stop();
    state.stop();
  };
}

function showImportances(root, data, o, context) {
  const items = data.importance[o];
  const title = "Importance of the features in both models";
  const markRoom = 8; // a mark at zero stays beside the name
  const body = context.figure(root, { title, name: "importance-both" });
  onWidth(body, (width) => {
    const left = Math.min(width * 0.4, 216, 20 + Math.max(...items.map(({ feature }) => textWidth(feature))));
    const reach = Math.max(...items.flatMap(({ sd }) => sd)) || 1;
    const x = linear([0, reach], [left + markRoom, width - 30]);
    const bottom = items.length * PAIR_LINE;
    const figure = drawing(width, bottom + 40, title, { class: "compare-bars" });
    figure.append(axisBottom({ scale: x, values: ticks(0, reach, Math.max(2, Math.round((width - left) / 110))), y: bottom, grid: bottom, title: `sd of the effect on the ${data.unit}`, width }));
    items.forEach(({ feature, sd, text }, k) => {
      const y = (k + 0.5) * PAIR_LINE;
      const group = svg(
        "g",
        {},
        svg("rect", { class: "hit", x: 0, y: k * PAIR_LINE, width, height: PAIR_LINE }),
        svg("text", { class: "name", x: left - 10, y: y + 4, "text-anchor": "end" }, shortText(nameText(feature), left - 14)),
        svg("line", { class: "between", x1: x(sd[0]), x2: x(sd[1]), y1: y, y2: y }),
        svg("circle", { class: "this-model", cx: x(sd[0]), cy: y, r: 5 }),
        svg("circle", { class: "other-model", cx: x(sd[1]), cy: y, r: 6 }),
      );
      group.addEventListener("pointermove", (event) =>
        context.tooltip.show({ x: event.clientX, y: event.clientY }, [feature, `this model ${text[0]}, the other ${text[1]}`, `sd of the difference ${text[2]}`]),
      );
      group.addEventListener("pointerleave", () => context.tooltip.hide());
      figure.append(group);
    });
    body.replaceChildren(figure);
  });
  root.append(
    html("p", { class: "quiet figure-caption" }, "filled: this model; ring: the other one."),
    fold("Show the importances as a table", (into) =>
      context.table(into, {
        title,
        name: "importance-both",
        columns: ["feature", "this model", "the other", "sd of the difference"],
        rows: items.map(({ feature, sd }) => [feature, ...sd]),
        texts: items.map(({ feature, text }) => [feature, ...text]),
      }),
    ),
  );
}

function showCurves(root, data, o, state, context) {
  const names = data.curves.map(({ name }) => name);
  const current = () => data.curves[Math.max(0, names.indexOf(state.get("feature")))];
  const size = new Map(data.importance[o].map(({ feature, sd, text }) => [feature, { share: sd[2], text: text[2] }]));
  const reach = Math.max(...[...size.values()].map(({ share }) => share)) || 1;
  const items = names.map((name) => ({ key: name, text: name, detail: size.get(name)?.text ?? "", share: size.has(name) ? size.get(name).share / reach : null }));
  const list = searchList("Feature whose effects are compared", "feature", items, current().name, (key) => state.set("feature", key));
  const view = html("div", { class: "beside-main" });
  const side = html("div", { class: "beside-list" }, html("h3", { class: "side-title" }, "Difference: sd of its effect"), list.element);
  root.append(html("h3", { class: "section-title" }, "Effects in both models"), html("div", { class: "beside" }, side, view));
  function show() {
    list.mark(current().name);
    showBoth(view, current(), o, data, context);
  }
  state.listen("feature", show);
  show();
}

function showBoth(view, curve, o, data, context) {
  view.replaceChildren();
  const title = `Effect of ${nameText(curve.name)} in both models`;
  const body = context.figure(view, { title, name: `compare-${curve.name}` });
  const known = curve.models.map((model, k) => (model ? { ...model, k } : null)).filter(Boolean);
  const gone = curve.models.findIndex((model) => !model);
  const note = gone < 0 ? "" : gone === 0 ? "; this model does not use it" : "; the other does not use it";
  view.append(
    html("p", { class: "quiet figure-caption" }, `solid, filled: this model; dashed, ring: the other one${note}.`),
    fold("Show the cells as a table", (into) =>
      context.table(into, {
        title,
        name: `compare-${curve.name}`,
        columns: ["model", "cell", `effect on the ${data.unit}`],
        rows: known.flatMap(({ axis, effect, k }) => axis.words.map((words, i) => [k ? "the other" : "this model", words, effect[o][i]])),
        texts: known.flatMap(({ axis, text, k }) => axis.words.map((words, i) => [k ? "the other" : "this model", words, text[o][i]])),
      }),
    ),
  );
  onWidth(body, (width) => body.replaceChildren(drawBoth(known, curve.scale, o, width, title, data.unit)));
}

function drawBoth(models, scale, o, width, title, unit) {
  const line = models.flatMap(({ axis }) => axis.left.flatMap((left, k) => (axis.label[k] === null ? [left, axis.right[k]] : [])));
  const labels = [...new Set(models.flatMap(({ axis }) => axis.label.filter((label) => label !== null)))];
  const effects = models.flatMap(({ effect }) => effect[o].filter((value) => value !== null));
  const [low, high] = [Math.min(0, ...effects), Math.max(0, ...effects)];
  const values = ticks(low, high === low ? low + 1 : high, 6);
  const start = 66;
  const bottom = BOTH_HEIGHT;
  const turned = labels.length > 0 && (line.length > 0 || labels.some((label) => label.length * 7 > (width - start) / labels.length - 8));
  const foot = 30 + (turned ? 5 * Math.min(18, Math.max(...labels.map((label) => label.length))) : 0);
  const figure = drawing(width, bottom + foot, title, { class: "both-effects" });
  const y = linear([low, high === low ? low + 1 : high], [bottom - 12, 12]);
  // numbers take the part of the axis that their cells need, names the rest
  const slots = labels.length * (line.length ? Math.min(60, (0.4 * width) / labels.length) : (width - start - 14) / Math.max(1, labels.length));
  const end = width - 14 - slots;
  const x = alongAxis(scale, [Math.min(...line), Math.max(...line)], [start, end]);
  const apart = Math.max(2, Math.min(6, slots / Math.max(1, labels.length) / 4)); // marks of one name, and of its neighbours
  const slot = (label) => end + ((labels.indexOf(label) + 0.5) * slots) / labels.length;
  figure.append(axisLeft({ scale: y, values, x: start, grid: width - 14 - start, title: `effect on the ${unit}`, gap: 48 }));
  figure.append(svg("line", { class: "zero", x1: start, x2: width - 14, y1: y(0), y2: y(0) }));
  const marks = line.length ? thin((curved(scale) ? scale[scale.first].ticks : models[0].axis.ticks).map(([value, text]) => [x(value), text]).filter(([at]) => at >= start && at <= end), null) : [];
  for (const [at, text] of marks) figure.append(svg("text", { x: at, y: bottom + 16, "text-anchor": "middle" }, text));
  for (const [at, label] of thin(labels.map((label) => [slot(label), label]), turned ? TURNED_GAP : 0)) {
    const place = turned
      ? { transform: `translate(${at + 4} ${bottom + 10}) rotate(-55)`, "text-anchor": "end" }
      : { x: at, y: bottom + 16, "text-anchor": "middle" };
    figure.append(svg("text", place, cutText(label, 18)));
  }
  for (const { axis, effect, k } of models) {
    const look = k ? "other-model" : "this-model";
    let path = "";
    axis.label.forEach((label, i) => {
      const value = effect[o][i];
      if (value === null) return;
      if (label === null) path += `${path ? `V${y(value)}` : `M${x(axis.left[i])} ${y(value)}`}H${x(axis.right[i])}`;
      else figure.append(svg("circle", { class: look, cx: slot(label) + (k ? apart : -apart), cy: y(value), r: Math.max(3, k ? apart : apart - 1) }));
    });
    if (path) figure.append(svg("path", { class: `${look} both-line`, d: path }));
  }
  return figure;
}

function curved(scale) {
  return scale !== null && scale.first !== "value";
}

// The axis that suits the rows, as in the panel about effects.
function alongAxis(scale, [low, high], [start, end]) {
  if (!curved(scale)) return linear([low, high], [start, end]);
  const share = shareAlong(scale, scale.first);
  return (value) => (value <= low ? start : value >= high ? end : start + share(value) * (end - start));
}

function showDifferentRows(root, data, o, context) {
  const { features, lines } = data.rows;
  context.table(root, {
    title: data.outputs.length > 1 ? "Rows that differ most in some output" : "Rows that differ most",
    name: "rows-that-differ",
    columns: ["row", "this model", "the other", "difference", ...features],
    rows: lines.map(({ row, first, second, difference, values }) => [row, first[o], second[o], difference[o], ...values]),
  });
}

function showDifferentRules(root, data, o) {
  const of = data.outputs.length > 1 ? `, output ${data.outputs[o]}` : "";
  const lines = data.rules[o].map(({ sentence, inside, outside, rows }) =>
    html("li", {}, html("strong", {}, sentence), html("span", { class: "quiet" }, ` mean difference ${inside} inside, ${outside} outside; ${rows} inside`)),
  );
  root.append(
    html("h3", { class: "section-title" }, `Where they differ${of}`),
    lines.length
      ? html("ul", { class: "compare-rules" }, ...lines)
      : html("p", { class: "quiet" }, "There is no clear rule: under no condition that many trees share do the models differ clearly more than elsewhere."),
  );
}
