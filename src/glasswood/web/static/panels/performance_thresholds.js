// Thresholds of a class: a slider, what it costs, and the point it is on ROC, PR and gains.

import { html, sentence } from "../svg.js";
import { drawCurve } from "./performance_figures.js";

const DEFAULT_COST = 1;

// Gives the element that the figures stand in.
export function mountThresholds(root, part, state, context) {
  const [all, total] = part.total;
  const rest = total - all;
  const points = part.points.map(([threshold, found, others]) => ({ threshold, found, others }));
  const cost = (key) => {
    const value = Number(state.get(key) ?? DEFAULT_COST);
    return Number.isFinite(value) && value >= 0 ? value : DEFAULT_COST;
  };
  const costOf = (point) => cost("cost_alarm") * point.others + cost("cost_miss") * (all - point.found);
  const place = () => {
    const text = state.get("threshold");
    if (text === "none") return 0;
    const wanted = Number(text);
    if (text === null || !Number.isFinite(wanted)) return part.start;
    let k = 0;
    while (k + 1 < points.length && points[k + 1].threshold >= wanted) k += 1;
    return k;
  };

  const slider = html("input", { type: "range", id: "threshold", min: 0, max: points.length - 1, step: 1 });
  const said = html("output", { class: "slider-count", for: "threshold" });
  const counts = html("div", { class: "confusion", tabindex: "0", role: "region", "aria-label": "Counts of right and wrong" });
  const reading = html("p", { class: "reading", role: "status" });
  const alarm = costField("cost_alarm", `Cost of taking another row for ${part.name}`);
  const miss = costField("cost_miss", `Cost of missing a row of ${part.name}`);
  const cheapest = html("button", { type: "button", onclick: goCheapest }, "Go to the cheapest threshold");

  // right is lower: more and more rows are taken for the class
  slider.addEventListener("input", () => choose(Number(slider.value)));

  function choose(k) {
    state.set("threshold", points[k].threshold === null ? "none" : points[k].threshold);
  }

  function goCheapest() {
    let best = 0;
    points.forEach((point, k) => {
      if (costOf(point) < costOf(points[best])) best = k;
    });
    choose(best);
  }

  function costField(key, label) {
    const input = html("input", { type: "number", min: 0, step: "any", inputmode: "decimal", value: cost(key) });
    input.addEventListener("input", () => {
      const given = Number(input.value);
      state.set(key, input.value === "" || !Number.isFinite(given) || given < 0 || given === DEFAULT_COST ? null : input.value);
    });
    return { key, input, element: html("label", { class: "choice" }, html("span", {}, label), input) };
  }

  const figures = html("div", { class: "performance-grid" });
  root.append(
    html("h3", { class: "section-title" }, `Where a row is taken for ${part.name}`),
    html(
      "div",
      { class: "controls threshold-bar" },
      html("label", { class: "choice", for: "threshold" }, html("span", {}, "Threshold of the share")),
      slider,
      said,
    ),
    html("div", { class: "controls" }, alarm.element, miss.element, cheapest),
    reading,
    counts,
    figures,
  );
  const curves = [
    drawCurve(figures, context, {
      title: "ROC: found and false alarms",
      name: "roc",
      across: "share of the other rows taken",
      up: `share of ${part.name} found`,
      points: points.map((point) => [point.others / (rest || 1), point.found / (all || 1)]),
      base: "diagonal",
      words: "dashed: a guess",
      choose,
    }),
    drawCurve(figures, context, {
      title: "Precision and recall",
      name: "precision-recall",
      across: `share of ${part.name} found (recall)`,
      up: `share of ${part.name} among those taken (precision)`,
      points: points.map((point) => {
        const taken = point.found + point.others;
        return taken > 0 ? [point.found / (all || 1), point.found / taken] : null;
      }),
      base: part.base,
      words: "dashed: a guess",
      choose,
    }),
    drawCurve(figures, context, {
      title: "Gains: how soon the rows are found",
      name: "gains",
      across: "share of all rows taken, the highest first",
      up: `share of ${part.name} found`,
      points: points.map((point) => [(point.found + point.others) / total, point.found / (all || 1)]),
      base: "diagonal",
      words: part.top,
      choose,
    }),
  ];

  function show() {
    const k = place();
    const point = points[k];
    const text = point.threshold === null ? "no row is taken" : `at least ${sharpText(point.threshold)}`;
    slider.value = k;
    slider.setAttribute("aria-valuetext", text);
    said.textContent = text;
    for (const { key, input } of [alarm, miss]) {
      if (document.activeElement !== input) input.value = cost(key);
    }
    const taken = point.found + point.others;
    const right = point.found + (rest - point.others);
    const words = [
      `${countText(taken)} of ${countText(total)} rows are taken for ${part.name}`,
      taken > 0 ? `${shareText(point.found, taken)} of them are ${part.name} (precision)` : "no precision, because no row is taken",
      `${shareText(point.found, all)} of ${part.name} are found (recall)`,
      `${shareText(right, total)} of all rows are right`,
      `cost ${countText(costOf(point))}`,
    ];
    reading.textContent = sentence(words.join(" · "));
    counts.replaceChildren(confusionTable(part, point, all, rest));
    for (const curve of curves) curve.mark(k);
  }
  for (const key of ["threshold", "cost_alarm", "cost_miss"]) state.listen(key, show);
  show();
  return figures;
}

function confusionTable(part, { found, others }, all, rest) {
  const cell = (value, of, right) =>
    html("td", { class: right ? "number right" : "number wrong" }, `${countText(value)} (${shareText(value, of)})`);
  const head = (text) => html("th", { scope: "col", class: "number" }, text);
  return html(
    "table",
    { "aria-label": "Confusion at this threshold" },
    html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "target"), head(`taken for ${part.name}`), head("not taken"))),
    html(
      "tbody",
      {},
      html("tr", {}, html("th", { scope: "row" }, part.name), cell(found, all, true), cell(all - found, all, false)),
      html("tr", {}, html("th", { scope: "row" }, `not ${part.name}`), cell(others, rest, false), cell(rest - others, rest, true)),
    ),
  );
}

function shareText(part, whole) {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "–";
}

function countText(value) {
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 });
}

function sharpText(share) {
  return share >= 0.01 ? share.toFixed(3) : share.toPrecision(2);
}
