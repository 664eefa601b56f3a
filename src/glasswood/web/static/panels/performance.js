// How good is it: scores, thresholds and their errors, predicted beside actual for groups of rows.

import { html, nameText } from "../svg.js";
import { beginPanel, choice, fold, outputChoice, outputIndex, ownState } from "./parts.js";
import { mountThresholds } from "./performance_thresholds.js";
import { drawGains, showCalibration, showConfusion } from "./performance_figures.js";
import { showGroups, showResiduals } from "./performance_groups.js";

export function mountPerformance(root, data, context) {
  beginPanel(root, data);
  const state = ownState(context.state);
  const chosen = outputChoice(data.outputs, state);
  const view = html("div", {});
  const rows = data.training ? rowsChoice(state) : null;
  if (chosen || rows) root.append(html("div", { class: "controls" }, chosen, rows));
  root.append(view);
  let shown = data;
  if (data.note) root.append(html("p", { class: "quiet" }, data.note));
  let inner = null;

  function show() {
    inner?.stop();
    inner = ownState(context.state);
    view.replaceChildren();
    shown = data.training && state.get("rows") === "training" ? data.training : data;
    const place = data.outputs.length > 1 ? outputIndex(data.outputs, state) : 0;
    const part = shown.parts.find(({ name }) => name === data.parts[place].name) ?? shown.parts[0];
    showScores(view, data.parts[place], data, data.training?.parts.find(({ name }) => name === data.parts[place].name));
    if (shown.task === "classes") {
      const grid = mountThresholds(view, part, inner, context);
      showCalibration(grid, part, context);
      if (shown.confusion) showConfusion(grid, shown.confusion, context);
    }
    showAgainst(view, part, shown, inner, context);
    if (part.gains) drawGains(view, part.gains, part.top, context);
  }
  if (data.outputs.length > 1) state.listen("output", show);
  if (data.training) state.listen("rows", show);
  show();
  return () => {
    inner?.stop();
    state.stop();
  };
}

// Which rows the figures are about, where those that the model was trained on are given apart.
function rowsChoice(state) {
  const options = [{ value: "these", text: "these rows" }, { value: "training", text: "training rows" }];
  const made = choice("Figures of", options, state.get("rows") ?? "these", (value) => state.set("rows", value === "these" ? null : value));
  state.listen("rows", (value) => {
    made.select.value = value ?? "these";
  });
  return made.element;
}

// The scores in one line, or beside those of the training rows in a table.
function showScores(root, part, data, trained) {
  const of = data.outputs.length > 1 ? `${part.name} against all other classes` : part.name ? `the class ${part.name}` : "";
  if (of) root.append(html("h3", { class: "section-title" }, `Scores for ${of}`));
  root.append(
    trained ? bothScores(part, trained) : html("ul", { class: "scores" }, ...part.scores.map(([name, text]) => html("li", {}, `${name} `, html("strong", {}, text)))),
    fold("What these scores mean", (into) =>
      into.append(
        html("dl", { class: "facts" }, ...part.scores.flatMap(([name, , words]) => [html("dt", {}, name), html("dd", {}, words)])),
      ),
    ),
  );
}

function bothScores(part, trained) {
  const of = new Map(trained.scores.map(([name, text]) => [name, text]));
  const line = ([name, text]) => html("tr", {}, html("th", { scope: "row" }, name), html("td", { class: "number" }, text), html("td", { class: "number" }, of.get(name) ?? "–"));
  const head = ["score", "these rows", "training rows"].map((text, k) => html("th", { scope: "col", class: k ? "number" : null }, text));
  return html("table", { class: "both-scores", "aria-label": "Scores on these rows and on the training rows" }, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...part.scores.map(line)));
}

// Predicted beside actual for the groups of one feature, which is chosen; of numbers the residuals too.
function showAgainst(root, part, data, state, context) {
  if (!part.views.length) return;
  const names = part.views.map((view) => view.name);
  const picked = () => part.views[Math.max(0, names.indexOf(state.get("against")))];
  const options = names.map((name, k) => ({ value: name, text: k === 0 && data.task === "numbers" ? "the prediction" : nameText(name) }));
  const against = choice("Groups of", options, picked().name, (value) => state.set("against", value));
  const figures = html("div", {});
  root.append(html("h3", { class: "section-title" }, "By group"), html("div", { class: "controls" }, against.element), figures);
  if (data.groups_note) root.append(html("p", { class: "quiet" }, data.groups_note));
  function show() {
    against.select.value = picked().name;
    figures.replaceChildren();
    showGroups(figures, picked(), part, context);
    if (picked().residual) showResiduals(figures, picked(), context);
  }
  state.listen("against", show);
  show();
}
