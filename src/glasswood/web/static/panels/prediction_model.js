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
  // What a tree gives is kept until a change of the row makes one of its splits answer differently.
  const kept = { cells: null, trees: new Array(model.start.length - 1) };
  function parts(cells) {
    const walk = mixer(trees, model.width, cells, n);
    for (const t of changedTrees(trees, model.start, kept.cells, cells)) {
      const sums = new Float64Array(model.width * n);
      background.cells.forEach((other, k) => {
        if (background.weight[k] > 0) walk(model.start[t], sums, other, background.weight[k] / total);
      });
      kept.trees[t] = sums;
    }
    kept.cells = [...cells];
    const found = Array.from({ length: outputs }, () => new Float64Array(n));
    kept.trees.forEach((sums, t) => {
      for (let w = 0; w < model.width; w += 1) {
        const output = found[model.output[t] + w];
        for (let k = 0; k < n; k += 1) output[k] += sums[w * n + k];
      }
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

// Trees of which some split answers differently after a change of cells; all of them before the first.
function changedTrees(trees, start, before, cells) {
  const found = [];
  for (let t = 0; t + 1 < start.length; t += 1) {
    let differs = before === null;
    for (let node = start[t]; !differs && node < start[t + 1]; node += 1) {
      const feature = trees.feature[node];
      if (feature >= 0 && cells[feature] !== before[feature]) differs = trees.goesLeft(node, cells) !== trees.goesLeft(node, before);
    }
    if (differs) found.push(t);
  }
  return found;
}

// walk(root, sums, other, weight) adds what one tree gives each feature, between a row and one other row, to (width, n) sums.
function mixer(trees, width, cells, n) {
  const side = new Uint8Array(n); // 0: not asked where they differ; 1: the row's own value; 2: the other's
  const own = [];
  const others = [];

  function reach(node, sums, weight) {
    const a = own.length;
    const b = others.length;
    if (a + b === 0) return;
    const forOwn = a ? weight * orders(a - 1, b) : 0;
    const forOther = b ? weight * orders(a, b - 1) : 0;
    for (let w = 0; w < width; w += 1) {
      const value = trees.value[trees.leaf[node] + w];
      for (const feature of own) sums[w * n + feature] += value * forOwn;
      for (const feature of others) sums[w * n + feature] -= value * forOther;
    }
  }

  function visit(node, sums, other, weight) {
    const feature = trees.feature[node];
    if (feature < 0) {
      reach(node, sums, weight);
      return;
    }
    if (side[feature]) {
      visit(trees.next(node, trees.goesLeft(node, side[feature] === 1 ? cells : other)), sums, other, weight);
      return;
    }
    const mine = trees.goesLeft(node, cells);
    if (mine === trees.goesLeft(node, other)) {
      visit(trees.next(node, mine), sums, other, weight);
      return;
    }
    side[feature] = 1;
    own.push(feature);
    visit(trees.next(node, mine), sums, other, weight);
    own.pop();
    side[feature] = 2;
    others.push(feature);
    visit(trees.next(node, !mine), sums, other, weight);
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
