// The model in the page: what it answers for a row of cells, and what each feature adds to that answer.
// Rows and splits are compared by whole numbers that Python made (decision 0061).

// makeModel(model, background, n) → raw(cells) and parts(cells): per output the answer, and what each of n features adds.
export function makeModel(model, background, n) {
  const trees = unpack(model);
  const outputs = model.baseline.length;
  const total = background.weight.reduce((sum, weight) => sum + weight, 0);

  function raw(cells) {
    const sums = [...model.baseline];
    for (let t = 0; t + 1 < model.start.length; t += 1) {
      let node = model.start[t];
      while (trees.feature[node] >= 0) node = trees.next(node, trees.goesLeft(node, cells));
      for (let w = 0; w < model.width; w += 1) sums[model.output[t] + w] += trees.value[trees.leaf[node] + w];
    }
    return sums;
  }

  // Shapley values over the background: for each of its rows, the leaves that some mixture of it and the row reaches.
  function parts(cells) {
    const found = Array.from({ length: outputs }, () => new Float64Array(n));
    const walk = mixer(trees, model.width, cells, found, n);
    background.cells.forEach((other, k) => {
      if (background.weight[k] <= 0) return;
      for (let t = 0; t + 1 < model.start.length; t += 1) walk(model.start[t], model.output[t], other, background.weight[k] / total);
    });
    return found;
  }

  return { raw, parts };
}

// Splits stand for inner nodes only, values for leaves only; here each node has its place in them.
function unpack(model) {
  const size = model.feature.length;
  const feature = Int32Array.from(model.feature);
  const cut = new Int32Array(size);
  const left = new Int32Array(size);
  const right = new Int32Array(size);
  const missing = new Uint8Array(size);
  const leaf = new Int32Array(size);
  const levels = new Array(size).fill(null);
  let inner = 0;
  let leaves = 0;
  for (let node = 0; node < size; node += 1) {
    if (feature[node] < 0) {
      leaf[node] = leaves * model.width;
      leaves += 1;
      continue;
    }
    cut[node] = model.cut[inner];
    left[node] = node + (model.left[inner] ?? 1);
    right[node] = node + model.right[inner];
    missing[node] = model.missing[inner] === "1" ? 1 : 0;
    if (model.levels[node]) levels[node] = new Set(model.levels[node]);
    inner += 1;
  }
  const goesLeft = (node, cells) => {
    const cell = cells[feature[node]];
    if (cell < 0) return missing[node] === 1;
    return levels[node] ? levels[node].has(cell) : cell <= cut[node];
  };
  return { feature, leaf, value: Float64Array.from(model.value), goesLeft, next: (node, goes) => (goes ? left[node] : right[node]) };
}

// walk(root, output, other, weight) adds what one tree gives each feature, between a row and one other row.
function mixer(trees, width, cells, found, n) {
  const side = new Uint8Array(n); // 0: not asked where they differ; 1: the row's own value; 2: the other's
  const own = [];
  const others = [];

  function reach(node, output, weight) {
    const a = own.length;
    const b = others.length;
    if (a + b === 0) return;
    const forOwn = a ? weight * orders(a - 1, b) : 0;
    const forOther = b ? weight * orders(a, b - 1) : 0;
    for (let w = 0; w < width; w += 1) {
      const value = trees.value[trees.leaf[node] + w];
      const sums = found[output + w];
      for (const feature of own) sums[feature] += value * forOwn;
      for (const feature of others) sums[feature] -= value * forOther;
    }
  }

  function visit(node, output, other, weight) {
    const feature = trees.feature[node];
    if (feature < 0) {
      reach(node, output, weight);
      return;
    }
    if (side[feature]) {
      visit(trees.next(node, trees.goesLeft(node, side[feature] === 1 ? cells : other)), output, other, weight);
      return;
    }
    const mine = trees.goesLeft(node, cells);
    if (mine === trees.goesLeft(node, other)) {
      visit(trees.next(node, mine), output, other, weight);
      return;
    }
    side[feature] = 1;
    own.push(feature);
    visit(trees.next(node, mine), output, other, weight);
    own.pop();
    side[feature] = 2;
    others.push(feature);
    visit(trees.next(node, !mine), output, other, weight);
    others.pop();
    side[feature] = 0;
  }
  return visit;
}

// a! b! / (a + b + 1)!: the share of all orders in which a features come before one, and b after it.
function orders(a, b) {
  let share = 1 / (a + b + 1);
  for (let k = 1; k <= Math.min(a, b); k += 1) share *= k / (a + b + 1 - k);
  return share;
}

// The prediction behind raw answers; null where it is not known.
export function inverseLink(link, raw) {
  switch (link.kind) {
    case "identity":
      return raw;
    case "log":
      return raw.map(Math.exp);
    case "logit":
    case "ova":
      return raw.map((x) => 1 / (1 + Math.exp(-link.scale * x)));
    case "softmax": {
      const most = Math.max(...raw);
      const powers = raw.map((x) => Math.exp(x - most));
      const sum = powers.reduce((a, b) => a + b, 0);
      return powers.map((x) => x / sum);
    }
    default:
      return null;
  }
}
