// The legend of the tree panel: classes with their colour and shape, and what lines and outlines mean.

import { html, svg } from "../svg.js";
import { shapeOf } from "./tree_marks.js";

export function treeLegend(data, colours) {
  const items = [];
  if (data.classes) {
    data.classes.forEach((name, k) => items.push(item(icon(svg("path", { class: `point ${colours.classOf(k)}`, d: shapeOf(k, 4.2) })), name)));
    if (data.trees[0].predicted) items.push(item(icon(svg("path", { class: "point wrong mark-0", d: shapeOf(0, 4.2) })), "outlined: wrong at this depth"));
    else items.push(html("li", {}, "nodes and regions: the class towards which the tree moves the answer, compared with its average"), item(icon(svg("rect", { class: "legend-blank", x: -6, y: -6, width: 12, height: 12 })), "no class in particular"));
  } else {
    items.push(item(swatch("mark-below"), "below the mean"), item(swatch("mark-above"), "above the mean"));
    if (data.trees[0].serves) items.push(html("li", {}, "nodes and regions: less or more than the tree adds on average"));
  }
  items.push(
    item(icon(svg("path", { class: "split", d: "M-10 0H10" }), 24), "new split"),
    item(icon(svg("path", { class: "split same", d: "M-10 0H10" }), 24), "new split, same on both sides"),
  );
  return html("ul", { class: "legend", "aria-label": "Legend" }, ...items);
}

function item(mark, text) {
  return html("li", {}, mark, html("span", {}, text));
}

function icon(shape, width = 14) {
  return svg("svg", { width, height: 14, viewBox: `${-width / 2} -7 ${width} 14`, "aria-hidden": "true" }, shape);
}

function swatch(mark) {
  return icon(svg("rect", { class: `legend-swatch ${mark}`, x: -6, y: -6, width: 12, height: 12 }));
}
