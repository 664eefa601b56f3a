// Overview: what was read, the certificate, the ledger and the importance of the features.

import { drawing, html, nameText, onWidth, shortText, svg, textWidth } from "../svg.js";
import { beginPanel, fold, outputChoice, outputIndex, ownState } from "./parts.js";

export function mountOverview(root, data, context) {
  beginPanel(root, data);
  const state = ownState(context.state);
  const outputs = data.importance.outputs ?? data.ledger.outputs ?? [];
  root.append(parityCard(data.parity));
  if (data.score) root.append(html("p", { class: "score" }, data.score));
  const chosen = outputChoice(outputs, state);
  if (chosen) root.append(html("div", { class: "controls" }, chosen));
  const ledger = html("div", {});
  const importance = html("div", {});
  const facts = html("div", { class: "facts-box" }, html("h3", {}, "What was read"), factList(data.facts));
  root.append(html("div", { class: "overview-grid" }, html("div", {}, ledger, importance), facts));

  function show() {
    showLedger(ledger, data.ledger, outputIndex(outputs, state), context);
    showImportance(importance, data.importance, outputIndex(outputs, state), context);
  }
  if (outputs.length > 1) state.listen("output", show);
  show();
  return state.stop;
}

function parityCard(parity) {
  const sign = { checked: "✓", own: "✓", unchecked: "?" }[parity.state];
  return html(
    "div",
    { class: `parity parity-${parity.state}` },
    html("span", { class: "parity-sign", "aria-hidden": "true" }, sign),
    html("div", {}, html("strong", {}, parity.title), html("p", {}, parity.words)),
  );
}

function factList(facts) {
  return html(
    "dl",
    { class: "facts" },
    ...facts.flatMap(([what, value]) => [html("dt", {}, what), html("dd", {}, value)]),
  );
}

function showLedger(root, ledger, o, context) {
  root.replaceChildren();
  if (ledger.refused) {
    root.append(html("h3", {}, "Does it add up?"), html("p", { class: "refused", role: "note" }, ledger.refused));
    return;
  }
  const part = ledger.parts[o];
  const body = context.figure(root, {
    title: "Does it add up?",
    name: "ledger",
    note: `variance of the raw answer over ${ledger.n_rows}: ${part.variance}`,
  });
  onWidth(body, (width) => body.replaceChildren(ledgerBar(part, width)));
  const legend = part.shares.map((share, k) =>
    html(
      "li",
      { class: context.colours.classOf([0, 2, 4][k]) },
      html("span", { class: "swatch", "aria-hidden": "true" }),
      `${share.name} `,
      html("strong", {}, share.text),
    ),
  );
  root.append(html("ul", { class: "share-legend" }, ...legend), html("p", { class: "figure-caption" }, part.words));
  if (part.overlap) root.append(html("p", { class: "quiet" }, part.overlap));
}

function ledgerBar(part, width) {
  const figure = drawing(width, 40, part.words, { class: "ledger" });
  let at = 0;
  part.shares.forEach(({ share }, k) => {
    const wide = share * width;
    figure.append(
      svg("rect", { x: at, y: 4, width: Math.max(0, wide - 2), height: 30, rx: 3, class: `fill mark-${[0, 2, 4][k]}` }),
    );
    at += wide;
  });
  return figure;
}

function showImportance(root, importance, o, context) {
  root.replaceChildren();
  if (importance.refused) {
    root.append(
      html("h3", {}, "Importance of the features"),
      html("p", { class: "refused", role: "note" }, importance.refused),
    );
    return;
  }
  const body = context.figure(root, { title: "Importance of the features", name: "importance" });
  onWidth(body, (width) => body.replaceChildren(importanceBars(importance, o, width, context)));
  const note = importance.note ? `; ${importance.note}` : "";
  root.append(
    html(
      "p",
      { class: "quiet figure-caption" },
      `bar: standard deviation of the effect on the ${importance.unit}; dot: mean size of the effect${note}.`,
    ),
    fold("Show the importance as a table", (into) =>
      context.table(into, {
        title: "Importance of the features",
        name: "importance",
        columns: ["feature", "sd", "mean |effect|"],
        rows: importanceOrder(importance, o).map((k) => [importance.features[k], importance.sd[o][k], importance.mean_abs[o][k]]),
        texts: importanceOrder(importance, o).map((k) => [importance.features[k], importance.sd_text[o][k], importance.mean_abs_text[o][k]]),
      }),
    ),
  );
}

// The largest bar of the chosen output first.
function importanceOrder(importance, o) {
  return importance.features.map((_, k) => k).sort((a, b) => importance.sd[o][b] - importance.sd[o][a]);
}

function importanceBars(importance, o, width, context) {
  const line = 26;
  const left = Math.min(width * 0.4, 216, 20 + Math.max(...importance.features.map((name) => textWidth(nameText(name)))));
  const right = width - 56;
  const reach = Math.max(...importance.sd[o], ...importance.mean_abs[o]) || 1;
  const order = importanceOrder(importance, o);
  const words = order.map((k) => `${importance.features[k]} ${importance.sd_text[o][k]}`).join(", ");
  const figure = drawing(width, importance.features.length * line + 6, `Importance: ${words}`, { class: "importance" });
  order.forEach((k, place) => {
    const name = importance.features[k];
    const y = place * line + 4;
    const wide = (importance.sd[o][k] / reach) * (right - left);
    const dot = left + (importance.mean_abs[o][k] / reach) * (right - left);
    const group = svg(
      "g",
      { class: "importance-row" },
      svg("rect", { x: 0, y, width, height: line, class: "hit" }),
      svg("text", { x: left - 10, y: y + 17, "text-anchor": "end", class: "name" }, shortText(nameText(name), left - 14)),
      svg("rect", { x: left, y: y + 5, width: Math.max(1, wide), height: line - 10, class: "fill mark-0" }),
      dot > left ? svg("circle", { cx: dot, cy: y + line / 2, r: 3.5, class: "dot" }) : null,
      svg("text", { x: Math.max(left + wide, dot + 4) + 8, y: y + 17 }, importance.sd_text[o][k]),
    );
    group.addEventListener("pointermove", (event) =>
      context.tooltip.show({ x: event.clientX, y: event.clientY }, [
        name,
        `sd ${importance.sd_text[o][k]}, mean size ${importance.mean_abs_text[o][k]}`,
      ]),
    );
    group.addEventListener("pointerleave", () => context.tooltip.hide());
    figure.append(group);
  });
  return figure;
}
