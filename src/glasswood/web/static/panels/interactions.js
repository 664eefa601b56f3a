// Interactions: the ranking of the pairs, and one of them as a map with what each feature does alone in the margins.

import { html, nameText, onWidth } from "../svg.js";
import { drawMap } from "./interaction_map.js";
import { beginPanel, choice, fold, outputChoice, outputIndex, ownState, searchList, shownNumber, widthChoice } from "./parts.js";

export function mountInteractions(root, data, context) {
  beginPanel(root, data);
  const state = ownState(context.state);
  const nameOf = (pair) => pair.features.join(" × ");
  const textOf = (pair) => pair.features.map(nameText).join(" × ");
  const keys = data.tables.map(nameOf);
  const order = () => data.order[outputIndex(data.outputs, state)];
  const current = () => data.tables[keys.indexOf(state.get("pair"))] ?? data.tables[order()[0]];
  const side = html("div", { class: "beside-list" });
  const view = html("div", { class: "beside-main" });
  const what = choice(
    "Show",
    [
      { value: "interaction", text: "beyond the two effects" },
      { value: "joint", text: "joint effect" },
    ],
    state.get("map") ?? "interaction",
    (value) => state.set("map", value === "interaction" ? null : value),
  );
  root.append(
    html("div", { class: "controls" }, outputChoice(data.outputs, state), what.element, widthChoice(state)),
    html("div", { class: "beside" }, side, view),
  );
  if (data.note) root.append(html("p", { class: "quiet" }, `${data.note}.`));
  root.append(fold("Show the ranking as a table", (into) => rankingTable(into, data, context)));

  function show() {
    what.select.value = state.get("map") ?? "interaction";
    shown.list.mark(nameOf(current()));
    showPair(view, current(), outputIndex(data.outputs, state), data, context);
  }

  function showList() {
    const o = outputIndex(data.outputs, state);
    const reach = Math.max(...data.ranking.map((pair) => pair.size[o])) || 1;
    const items = order().map((k) => {
      const { size, size_text: text, h2_text: h2 } = data.ranking[k];
      return { key: keys[k], text: textOf(data.tables[k]), detail: `${text[o]} · H² ${h2[o]}`, share: size[o] / reach };
    });
    const list = searchList("Pair, the strongest first", "pair", items, nameOf(current()), (key) => state.set("pair", key));
    side.replaceChildren(html("h3", { class: "side-title" }, `Ranked by ${data.measure}; beside it H²`), list.element);
    return list;
  }

  const shown = { list: showList() };
  state.listen("output", () => {
    shown.list = showList();
    show();
  });
  for (const key of ["pair", "map", "cells"]) state.listen(key, show);
  show();
  return state.stop;
}

function rankingTable(root, data, context) {
  const several = data.outputs.length > 1;
  const lines = data.ranking.flatMap((pair) => data.outputs.map((output, o) => ({ pair, output, o })));
  context.table(root, {
    title: "Ranking of the pairs",
    name: "interactions",
    columns: ["feature", "feature", data.measure, "H²", ...(several ? ["output"] : [])],
    rows: lines.map(({ pair, output, o }) => [
      ...pair.features,
      pair.size[o],
      pair.h2_text[o],
      ...(several ? [output] : []),
    ]),
    texts: lines.map(({ pair, output, o }) => [
      ...pair.features,
      pair.size_text[o],
      pair.h2_text[o],
      ...(several ? [output] : []),
    ]),
  });
}

function showPair(view, pair, o, data, context) {
  const joint = context.state.get("map") === "joint";
  const equal = context.state.get("cells") === "equal";
  const title = `${joint ? "Joint effect" : "Interaction"} of ${pair.features.map(nameText).join(" and ")}`;
  view.replaceChildren();
  const body = context.figure(view, {
    title: data.outputs.length > 1 ? `${title}, output ${data.outputs[o]}` : title,
    name: `interaction-${pair.features.join("-")}`,
  });
  const reading = html(
    "p",
    { class: "reading", role: "status" },
    "Point at the map, or focus it and use the arrow keys, to read a cell.",
  );
  view.append(
    reading,
    html(
      "p",
      { class: "quiet figure-caption" },
      `${pair.note}; in the margins, what each feature adds alone: both and the interaction add up to the joint effect; faded: no rows there.`,
    ),
  );
  const chosen = pair.outputs[o];
  const content = {
    pair,
    output: chosen,
    values: joint ? chosen.joint : chosen.interaction,
    reach: joint ? chosen.reach_joint : chosen.reach,
    unit: data.unit,
    joint,
    equal,
    title,
    reading,
    tooltip: context.tooltip,
  };
  onWidth(body, (width) => drawMap(body, width, content));
  view.append(fold("Show the cells as a table", (into) => mapTable(into, pair, chosen, context)));
}

function mapTable(root, pair, output, context) {
  const n = pair.up.words.length;
  const rows = pair.weight.map((weight, k) => [
    pair.across.words[Math.floor(k / n)],
    pair.up.words[k % n],
    output.interaction[k],
    output.joint[k],
    weight,
  ]);
  context.table(root, {
    title: `Cells of ${pair.features.map(nameText).join(" and ")}`,
    name: `interaction-${pair.features.join("-")}`,
    columns: [pair.features[0], pair.features[1], "interaction", "joint effect", "weight"],
    rows,
    texts: rows.map(([first, second, pure, joint, weight]) => [
      first,
      second,
      shownNumber(pure),
      shownNumber(joint),
      shownNumber(weight),
    ]),
  });
}
