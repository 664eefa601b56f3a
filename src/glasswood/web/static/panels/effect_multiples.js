// All effects at a glance: a small curve per feature, on one vertical scale; a click opens the feature.

import { drawing, html, nameText, svg } from "../svg.js";
import { axisKind, placeFeature } from "./effect_scale.js";
import { stepPath } from "./effect_figure.js";

const SMALL_WIDTH = 150;
const SMALL_HEIGHT = 64;

export function showMultiples(root, data, o, choose) {
  const { low, high } = data.ranges[o];
  const y = (value) => SMALL_HEIGHT - 4 - ((value - low) / (high - low)) * (SMALL_HEIGHT - 8);
  const items = data.order[o].map((k) => {
    const feature = data.features[k];
    return html(
      "li",
      {},
      html(
        "button",
        { type: "button", class: "small-effect", title: nameText(feature.name), onclick: () => choose(feature.name) },
        smallCurve(feature, feature.outputs[o], y),
        html("span", { class: "small-name" }, nameText(feature.name)),
      ),
    );
  });
  root.append(
    html("p", { class: "quiet" }, "One vertical scale for all, so that a flat line is a feature that matters little. Choose one to see it large."),
    html("ul", { class: "small-effects" }, ...items),
  );
}

function smallCurve(feature, output, y) {
  const placed = placeFeature(feature, [2, SMALL_WIDTH - 2], axisKind(feature, null));
  const figure = drawing(SMALL_WIDTH, SMALL_HEIGHT, "", { class: "small-curve", "aria-hidden": "true", role: null, "aria-label": null });
  figure.append(svg("line", { class: "zero", x1: 0, x2: SMALL_WIDTH, y1: y(0), y2: y(0) }));
  const path = stepPath(feature.axis, output, placed, y);
  if (path) figure.append(svg("path", { class: "step-line", d: path }));
  output.effect.forEach((value, k) => {
    if (feature.axis.label[k] === null || value === null) return;
    figure.append(svg("circle", { class: "small-dot", cx: (placed.left[k] + placed.right[k]) / 2, cy: y(value), r: 2.5 }));
  });
  return figure;
}
