// How good is it: scores, thresholds and their errors, predicted beside actual for groups of rows.

import { html } from "../svg.js";
import { beginPanel, choice, fold, outputChoice, outputIndex, ownState } from "./parts.js";
import { mountThresholds } from "./performance_thresholds.js";
import { drawGains, showCalibration, showConfusion } from "./performance_figures.js";
import { showGroups, showResiduals } from "./performance_groups.js";

export function mountPerformance(root, data, context) {
  beginPanel(root, data);
  const state = ownState(context.state);
  const chosen = outputChoice(data.outputs, state);
  const view = html("div", {});
  if (chosen) root.append(html("div", { class: "controls" }, chosen));
  root.append(view);
  if (data.note) root.append(html("p", { class: "quiet" }, data.note));
  let inner = null;

  function show() {
    inner?.stop();
    inner = ownState(context.state);
    view.replaceChildren();
    const part = data.parts[data.outputs.length > 1 ? outputIndex(data.outputs, state) : 0];
    showScores(view, part, data);
    if (data.task === "classes") {
      const grid = mountThresholds(view, part, inner, context);
      showCalibration(grid, part, context);
      if (data.confusion) showConfusion(grid, data.confusion, context);
    }
    showAgainst(view, part, data, inner, context);
    if (part.gains) drawGains(view, part.gains, part.top, context);
  }
  if (data.outputs.length > 1) state.listen("output", show);
  show();
  return () => {
    inner?.stop();
    state.stop();
  };
}

function showScores(root, part, data) {
  const of = data.outputs.length > 1 ? `${part.name} against all other classes` : part.name ? `the class ${part.name}` : "";
  if (of) root.append(html("h3", { class: "section-title" }, `Scores for ${of}`));
  root.append(
    html("ul", { class: "scores" }, ...part.scores.map(([name, text]) => html("li", {}, `${name} `, html("strong", {}, text)))),
    fold("What these scores mean", (into) =>
      into.append(
        html("dl", { class: "facts" }, ...part.scores.flatMap(([name, , words]) => [html("dt", {}, name), html("dd", {}, words)])),
      ),
    ),
  );
}

// Predicted beside actual for the groups of one feature, which is chosen; of numbers the residuals too.
function showAgainst(root, part, data, state, context) {
  if (!part.views.length) return;
  const names = part.views.map((view) => view.name);
  const picked = () => part.views[Math.max(0, names.indexOf(state.get("against")))];
  const options = names.map((name, k) => ({ value: name, text: k === 0 && data.task === "numbers" ? "the prediction" : name }));
  const against = choice("Groups of", options, picked().name, (value) => state.set("against", value));
  const figures = html("div", {});
  root.append(html("h3", { class: "section-title" }, "By group"), html("div", { class: "controls" }, against.element), figures);
  function show() {
    against.select.value = picked().name;
    figures.replaceChildren();
    showGroups(figures, picked(), part, context);
    if (picked().residual) showResiduals(figures, picked(), context);
  }
  state.listen("against", show);
  show();
}
