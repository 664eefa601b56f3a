// Keys: where an arrow leads in the tree, and what it makes of a depth.

export function nodeAfter(key, node, tree, links) {
  if (key === "Home") return 0;
  if (key === "ArrowUp") return links.parent[node] >= 0 ? links.parent[node] : null;
  if (key === "ArrowDown") return tree.left[node] >= 0 ? tree.left[node] : null;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const level = links.level(tree.depth[node]);
  const next = level[level.indexOf(node) + (key === "ArrowRight" ? 1 : -1)];
  return next ?? null;
}

export function depthAfter(key, depth, last) {
  const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: 3, PageUp: -3 };
  if (key === "Home") return 0;
  if (key === "End") return last;
  return key in steps ? Math.max(0, Math.min(last, depth + steps[key])) : null;
}
