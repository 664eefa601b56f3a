// A wide tree as an icicle: a bar per node, as wide as its rows, divided by class. Finished leaves go on, pale, so that a row of
// bars is the tree cut at that depth, and the colour that is not the bar's own is what it gets wrong.

import { drawing, svg } from "../svg.js";
import { cutText } from "./parts.js";
import { setMark } from "./tree_marks.js";
import { wordsOf } from "./tree_node_words.js";

export function drawIcicle({ tree, links, rows, width, colours }) {
  const root = drawing(width, rows.height, "Decision tree structure", { class: "tree-drawing", role: "tree" });
  const side = 10;
  const x = (share) => side + share * (width - 2 * side);
  const gap = Math.min(3, rows.band * 0.14);
  const band = svg("rect", { class: "band", x: 0, width, height: rows.band });
  const layer = svg("g");
  const pale = svg("g", { class: "icicle-pale", "aria-hidden": "true" });
  // finished leaves once more, in full colour: seen only where the band is
  const clip = svg("rect", { x: 0, width, height: rows.band });
  const row = svg("g", { class: "icicle-row", "aria-hidden": "true", "clip-path": "url(#icicle-band)" });
  const nodes = tree.left.map((child, node) => {
    const depth = tree.depth[node];
    const group = svg("g", {
      class: "node bar",
      "data-node": node,
      role: "treeitem",
      tabindex: node === 0 ? 0 : -1,
      "aria-level": depth + 1,
      "aria-label": `${tree.label[node]}; ${tree.detail[node]}`,
    });
    const top = rows.top(depth) + gap;
    const height = rows.band - 2 * gap;
    group.append(...bars(tree, node, x, top, height, colours));
    const from = x(tree.start[node]);
    const wide = Math.max(x(tree.start[node] + tree.width[node]) - from, 0.5);
    group.append(svg("rect", { class: "ring", x: from, y: top, width: wide, height }));
    setMark(group, tree, node, colours);
    const most = Math.floor((wide - 6) / 6);
    if (most >= 5 && height >= 14) {
      const words = cutText(wordsOf(tree, node, most), most);
      group.append(svg("text", { class: "bar-word", x: from + wide / 2, y: top + height / 2 + 4, "text-anchor": "middle", "aria-hidden": "true" }, words));
    }
    layer.append(group);
    if (child < 0 && depth < links.last) {
      const rest = rows.top(links.last + 1) - rows.top(depth + 1);
      pale.append(...bars(tree, node, x, rows.top(depth + 1), rest, colours));
      row.append(...bars(tree, node, x, rows.top(depth + 1), rest, colours));
    }
    return group;
  });
  root.append(svg("clipPath", { id: "icicle-band" }, clip), band, pale, row, layer);
  return { root, nodes, bands: [band, clip], edges: new Map() };
}

function bars(tree, node, x, top, height, colours) {
  const rect = (look, from, to) => svg("rect", { class: look, x: from, y: top, width: Math.max(to - from, 0.25), height });
  if (!tree.counts || !tree.predicted) {
    const bar = rect("wedge shaded", x(tree.start[node]), x(tree.start[node] + tree.width[node]));
    setMark(bar, tree, node, colours);
    return [bar];
  }
  const found = [];
  let before = 0;
  tree.counts[node].forEach((count, k) => {
    const share = (rows) => tree.start[node] + (tree.width[node] * rows) / Math.max(tree.rows[node], 1);
    if (count > 0) found.push(rect(`wedge ${colours.classOf(k)}`, x(share(before)), x(share(before + count))));
    before += count;
  });
  return found;
}
