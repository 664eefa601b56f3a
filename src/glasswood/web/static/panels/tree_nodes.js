// The tree as nodes and links: every leaf its own column, the left child where the condition is true.

import { drawing, svg } from "../svg.js";
import { nodeWords } from "./tree_node_words.js";
import { pie, setMark } from "./tree_marks.js";

export function drawNodes({ tree, links, rows, width, colours }) {
  const root = drawing(width, rows.height, "Decision tree structure", { class: "tree-drawing", role: "tree" });
  const side = 16;
  const x = (node) => side + tree.x[node] * (width - 2 * side);
  const y = (node) => rows.y(tree.depth[node]);
  const leaves = tree.left.filter((child) => child < 0).length;
  const largest = Math.min(19, rows.band * 0.42, Math.max(5, ((width - 2 * side) / leaves) * 0.9));
  const radius = (node) => Math.max(Math.min(4.5, largest), largest * Math.sqrt(tree.rows[node] / Math.max(tree.rows[0], 1)));
  const band = svg("rect", { class: "band", x: 0, width, height: rows.band });
  const edges = new Map();
  const edgeLayer = svg("g", { "aria-hidden": "true" });
  const nodeLayer = svg("g");
  const nodes = tree.left.map((child, node) => {
    const above = links.parent[node];
    if (above >= 0) {
      const bend = (y(node) - y(above)) / 2;
      const d = `M${x(above)} ${y(above)}C${x(above)} ${y(above) + bend} ${x(node)} ${y(node) - bend} ${x(node)} ${y(node)}`;
      edges.set(node, svg("path", { class: "edge", d }));
      edgeLayer.append(edges.get(node));
    }
    const group = svg("g", {
      class: "node",
      "data-node": node,
      role: "treeitem",
      tabindex: node === 0 ? 0 : -1,
      "aria-level": tree.depth[node] + 1,
      "aria-label": `${tree.label[node]}; ${tree.detail[node]}`,
      transform: `translate(${x(node)} ${y(node)})`,
    });
    const r = radius(node);
    const face = tree.counts && tree.predicted ? pie(tree.counts[node], r - 2, colours) : [svg("circle", { class: "wedge shaded", r: r - 2 })];
    group.append(svg("circle", { class: "node-ground", r }), ...face, svg("circle", { class: "ring", r }));
    group.append(svg("circle", { class: "hit", r: Math.max(r, Math.min(12, rows.band / 2)) }));
    setMark(group, tree, node, colours);
    nodeLayer.append(group);
    return group;
  });
  const words = nodeWords({ tree, links, rows, width, x, y, radius });
  root.append(band, edgeLayer, ...sideWords(tree, x, y, radius), nodeLayer, words);
  return { root, nodes, bands: [band], edges };
}

// Which side is which, said once.
function sideWords(tree, x, y, radius) {
  if (tree.left[0] < 0) return [];
  return [[tree.left[0], "true", -8, "end"], [tree.right[0], "false", 8, "start"]].map(([child, text, shift, anchor]) =>
    svg("text", { class: "side-word", x: x(child) + shift, y: y(child) - radius(child) - 8, "text-anchor": anchor, "aria-hidden": "true" }, text),
  );
}
