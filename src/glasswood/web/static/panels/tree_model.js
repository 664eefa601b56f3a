// What the tree panel knows of a tree: ancestors, frontiers, and the slice of the plane each node owns.
// Rows and splits are compared by their cells, which are whole numbers; Python made them from the floats.

export function treeLinks(tree) {
  const size = tree.left.length;
  const parent = new Array(size).fill(-1);
  for (let node = 0; node < size; node += 1) {
    if (tree.left[node] < 0) continue;
    parent[tree.left[node]] = node;
    parent[tree.right[node]] = node;
  }
  const last = tree.impurity.length - 1;
  // owner[d][node]: the node that stands for it when the tree is cut at depth d
  const owner = [];
  for (let depth = 0; depth <= last; depth += 1) {
    owner.push(parent.map((above, node) => (tree.depth[node] <= depth ? node : -1)));
    for (let node = 0; node < size; node += 1) if (owner[depth][node] < 0) owner[depth][node] = owner[depth][parent[node]];
  }
  const leaf = (node) => tree.left[node] < 0;
  const levels = Array.from({ length: last + 1 }, () => []);
  tree.depth.forEach((depth, node) => levels[depth].push(node));
  for (const level of levels) level.sort((a, b) => tree.x[a] - tree.x[b]);
  return {
    parent,
    last,
    owner,
    leaf,
    inFrontier: (node, depth) => tree.depth[node] === depth || (leaf(node) && tree.depth[node] < depth),
    // the node and all above it
    path(node) {
      const nodes = [];
      for (let at = node; at >= 0; at = parent[at]) nodes.push(at);
      return nodes;
    },
    // the nodes of a depth, from left to right
    level: (depth) => levels[depth],
    // the nodes that may look different when the cut moves from one depth to another: those between; all at first
    between: (from, to) => levels.slice(from < 0 ? 0 : Math.min(from, to), from < 0 ? last + 1 : Math.max(from, to) + 1).flat(),
  };
}

function goesLeft(tree, node, cell) {
  if (cell < 0) return tree.missing_left[node] === 1;
  const levels = tree.levels[node];
  return levels ? levels.includes(cell) : cell <= tree.cut[node];
}

function wholeSide(feature) {
  if (!feature) return null;
  if (feature.kind === "category") return { levels: feature.levels.map((_, k) => k), missing: feature.missing };
  return { after: -1, upto: feature.cuts.length, missing: feature.missing };
}

function sideOfChild(tree, node, side, left) {
  const missing = side.missing && (tree.missing_left[node] === 1) === left;
  if (side.levels) return { levels: side.levels.filter((level) => goesLeft(tree, node, level) === left), missing };
  const cut = tree.cut[node];
  return left
    ? { after: side.after, upto: Math.min(side.upto, cut), missing }
    : { after: Math.max(side.after, cut), upto: side.upto, missing };
}

// For each node its sides on the two features drawn, or null where the slice through the row does not meet it.
// A side is { after, upto, missing }, cuts between which it lies, or { levels, missing }.
export function sliceOf(data, tree, pair, row) {
  const [a, b] = pair;
  const boxes = new Array(tree.left.length).fill(null);
  boxes[0] = [wholeSide(data.features[a]), wholeSide(data.features[b])];
  for (let node = 0; node < boxes.length; node += 1) {
    const box = boxes[node];
    if (!box || tree.left[node] < 0) continue;
    const feature = tree.feature[node];
    const children = [[tree.left[node], true], [tree.right[node], false]];
    for (const [child, left] of children) {
      if (feature === a) boxes[child] = [sideOfChild(tree, node, box[0], left), box[1]];
      else if (feature === b) boxes[child] = [box[0], sideOfChild(tree, node, box[1], left)];
      else if (goesLeft(tree, node, data.features[feature].cells[row]) === left) boxes[child] = box;
    }
  }
  return boxes;
}
