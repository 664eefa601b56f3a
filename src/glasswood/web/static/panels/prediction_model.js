// The model in the page: what it answers for a row of cells, and what each feature adds to that answer.
// Rows and splits are compared by whole numbers that Python made (decision 0061).

// makeModel(model, background, n) → raw(cells) and parts(cells): per output the answer, and what each of n features adds.
export function makeModel(model, background, n) {
  const trees = unpack(model);
  const outputs = model.baseline.length;
  const blocks = rowBlocks(trees, background);

  function raw(cells) {
    const sums = [...model.baseline];
    for (let t = 0; t + 1 < model.start.length; t += 1) {
      let node = model.start[t];
      while (trees.feature[node] >= 0) node = trees.next(node, trees.goesLeft(node, cells));
      for (let w = 0; w < model.width; w += 1) sums[model.output[t] + w] += trees.value[trees.leaf[node] + w];
    }
    return sums;
  }

  // Shapley values over the background: the leaves that some mixture of one of its rows and the row reaches. Rows of the
  // background that go the same way are walked together.
  // What a tree gives is kept until a change of the row makes one of its splits answer differently.
  const kept = { cells: null, trees: new Array(model.start.length - 1) };
  function parts(cells) {
    const walk = mixer(trees, model.width, cells, n);
    for (const t of changedTrees(trees, model.start, kept.cells, cells)) {
      const sums = new Float64Array(model.width * n);
      for (const block of blocks) walk(model.start[t], sums, block);
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

const BLOCK = 128; // rows of the background that are walked together: four words of 32 bits

// Blocks of the background: which of its rows go left at each node, as bits, and what a set of rows weighs of all.
function rowBlocks(trees, background) {
  const used = background.cells.map((cells, k) => ({ cells, weight: background.weight[k] })).filter(({ weight }) => weight > 0);
  const total = used.reduce((sum, { weight }) => sum + weight, 0);
  const blocks = [];
  for (let start = 0; start < used.length; start += BLOCK) {
    const rows = used.slice(start, start + BLOCK);
    const left = new Int32Array(4 * trees.feature.length);
    const all = new Int32Array(4);
    rows.forEach(({ cells }, k) => {
      const bit = 1 << (k & 31);
      all[k >> 5] |= bit;
      for (let node = 0; node < trees.feature.length; node += 1) {
        if (trees.feature[node] >= 0 && trees.goesLeft(node, cells)) left[4 * node + (k >> 5)] |= bit;
      }
    });
    const even = rows.every(({ weight }) => weight === rows[0].weight);
    const shares = rows.map(({ weight }) => weight / total);
    blocks.push({ left, all, weigh: even ? (a, b, c, d) => (bits(a) + bits(b) + bits(c) + bits(d)) * shares[0] : unevenly(shares) });
  }
  return blocks;
}

function bits(word) {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function unevenly(shares) {
  return (...words) => {
    let sum = 0;
    words.forEach((word, k) => {
      for (let rest = word; rest; rest &= rest - 1) sum += shares[32 * k + 31 - Math.clz32(rest & -rest)];
    });
    return sum;
  };
}

// walk(root, sums, block) adds what one tree gives each feature, between a row and the rows of a block, to (width, n) sums.
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
      for (let k = 0; k < a; k += 1) sums[w * n + own[k]] += value * forOwn;
      for (let k = 0; k < b; k += 1) sums[w * n + others[k]] -= value * forOther;
    }
  }

  // a, b, c, d: the rows of the block that come here with the same sides
  function visit(node, sums, block, a, b, c, d) {
    const feature = trees.feature[node];
    if (feature < 0) {
      reach(node, sums, block.weigh(a, b, c, d));
      return;
    }
    const mine = trees.goesLeft(node, cells);
    if (side[feature] === 1) {
      visit(trees.next(node, mine), sums, block, a, b, c, d);
      return;
    }
    const turn = mine ? 0 : -1; // rows that go my way
    const { left } = block;
    const p = a & (left[4 * node] ^ turn);
    const q = b & (left[4 * node + 1] ^ turn);
    const r = c & (left[4 * node + 2] ^ turn);
    const s = d & (left[4 * node + 3] ^ turn);
    if (p | q | r | s) visit(trees.next(node, mine), sums, block, p, q, r, s);
    const e = a ^ p;
    const f = b ^ q;
    const g = c ^ r;
    const h = d ^ s;
    if (!(e | f | g | h)) return;
    if (side[feature] === 2) {
      visit(trees.next(node, !mine), sums, block, e, f, g, h);
      return;
    }
    side[feature] = 1;
    own.push(feature);
    visit(trees.next(node, mine), sums, block, e, f, g, h);
    own.pop();
    side[feature] = 2;
    others.push(feature);
    visit(trees.next(node, !mine), sums, block, e, f, g, h);
    others.pop();
    side[feature] = 0;
  }
  return (root, sums, block) => visit(root, sums, block, ...block.all);
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
