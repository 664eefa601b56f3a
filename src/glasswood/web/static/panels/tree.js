// The tree panel: a tree, its impurity by depth and its regions, three figures with one selected depth.

import { html, onWidth } from "../svg.js";
import { fold } from "./parts.js";
import { treeControls } from "./tree_controls.js";
import { drawIcicle } from "./tree_icicle.js";
import { depthAfter, nodeAfter } from "./tree_keys.js";
import { treeLegend } from "./tree_legend.js";
import { sliceOf, treeLinks } from "./tree_model.js";
import { drawNodes } from "./tree_nodes.js";
import { drawProfile } from "./tree_profile.js";
import { drawRegions } from "./tree_regions.js";
import { rowScale } from "./tree_rows.js";
import { treeZoom } from "./tree_zoom.js";

const WORD_BAND = 48; // px of a depth, so that two lines of words fit
const MAX_LEAVES = 40; // a wider tree is drawn as an icicle, until it is zoomed

// The trees that the page has; where a server can be asked for others, they take the place of those.
export function mountTree(root, data, context) {
  let asked = 0;
  let stop = showTrees(root, data, context, another);
  async function another(number) {
    asked += 1;
    const mine = asked;
    let more;
    try {
      more = await context.load("tree", { first_tree: number });
    } catch (error) {
      more = { ...data, notes: [error.message] };
    }
    if (mine !== asked) return;
    stop();
    root.replaceChildren();
    context.state.set("tree", number);
    stop = showTrees(root, more, context, another);
  }
  const wanted = whole(context.state.get("tree"), 0, data.n_trees - 1);
  if (wanted !== null && context.load && !data.trees.some(({ number }) => number === wanted)) another(wanted);
  return () => {
    asked += 1;
    stop();
  };
}

function showTrees(root, data, context, another) {
  const { state } = context;
  const choice = readChoice(data, state);
  const view = { depth: 0, node: null };
  let parts = null;

  const bar = html("div", { class: "tree-bar" });
  const figures = html("div", { class: "tree-figures" });
  root.append(bar, figures);
  const treeBody = context.figure(figures, { title: "Decision Tree Structure", name: "tree" });
  const profileBody = context.figure(figures, { title: "Node impurity vs Tree depth", name: "impurity" });
  const regionsBody = context.figure(figures, { title: "Decision regions of subtree", name: "regions" });
  const caption = html("p", { class: "caption tree-caption", role: "status", "aria-live": "polite" });
  const notes = html("p", { class: "quiet tree-notes" });
  const path = html("p", { class: "tree-path", role: "status" });
  const served = html("span", { class: "tree-serves" });
  const nodeTable = html("div", {});
  root.append(caption, path, treeLegend(data, context.colours), notes, nodeTable);

  const tree = () => data.trees[choice.tree];
  const links = data.trees.map(() => null);
  const linksOf = () => (links[choice.tree] ??= treeLinks(tree()));

  function select(depth, node = null, from = null) {
    if (depth === view.depth && node === view.node && from !== "draw") return;
    view.depth = depth;
    view.node = node;
    if (!parts) return;
    for (const band of [...parts.tree.bands, parts.profile.band]) band.setAttribute("y", parts.rows.top(depth));
    parts.profile.select(depth);
    parts.regions.select(depth, node);
    markNodes(parts, tree(), linksOf(), depth, node);
    caption.textContent = tree().caption[depth];
    controls.update(depth, linksOf().last);
    state.set("depth", depth);
    state.set("node", node);
  }

  function draw() {
    const width = figures.getBoundingClientRect().width;
    if (!width) return;
    const room = width < 700 ? 330 : 440;
    // a zoomed tree is as tall as the words of its nodes need
    const tall = zoom.factor() > 1 ? Math.max(room, WORD_BAND * (linksOf().last + 2)) : room;
    const rows = rowScale(linksOf().last, tall);
    const common = { data, tree: tree(), links: linksOf(), rows, colours: context.colours };
    const wide = leaves() > MAX_LEAVES * zoom.factor();
    const treeDrawing = (wide ? drawIcicle : drawNodes)({ ...common, width: Math.ceil(inner(treeBody) * zoom.factor()) });
    const profile = drawProfile({ ...common, width: inner(profileBody) });
    const boxes = sliceOf(data, tree(), choice.pair, choice.row ?? data.row);
    const regionsWidth = inner(regionsBody);
    const height = width < 700 ? Math.min(420, regionsWidth) : room;
    const regions = drawRegions({ ...common, boxes, pair: choice.pair, width: regionsWidth, height });
    const focused = treeBody.contains(document.activeElement);
    treeBody.replaceChildren(treeDrawing.root);
    profileBody.replaceChildren(profile.root);
    regionsBody.replaceChildren(regions.root);
    parts = { rows, tree: treeDrawing, profile, regions };
    lightPath(parts, tree(), linksOf(), choice.row);
    path.textContent = pathWords(data, tree(), choice.row);
    zoom.show();
    listen();
    select(Math.min(view.depth, linksOf().last), view.node, "draw");
    notes.textContent = [...data.notes, sliceNote(data, choice)].filter(Boolean).join(" · ");
    if (focused) parts.tree.nodes[view.node ?? 0].focus(); // keys that zoom draw the tree anew
  }

  function listen() {
    const { root: drawn } = parts.tree;
    for (const type of ["pointermove", "pointerdown"]) drawn.addEventListener(type, overTree);
    drawn.addEventListener("pointerleave", () => context.tooltip.hide());
    drawn.setAttribute("tabindex", -1); // a drawing that listens for focus becomes a stop of its own in some browsers
    drawn.addEventListener("focusin", (event) => {
      const node = nodeAt(event, ".node");
      if (node !== null) focusNode(node);
    });
    drawn.addEventListener("focusout", () => context.tooltip.hide());
    drawn.addEventListener("keydown", treeKey);
    const slider = parts.profile.root;
    for (const type of ["pointermove", "pointerdown"]) slider.addEventListener(type, overProfile);
    slider.addEventListener("keydown", profileKey);
    const plane = parts.regions.root;
    for (const type of ["pointermove", "pointerdown"]) plane.addEventListener(type, overRegions);
    plane.addEventListener("pointerleave", () => {
      context.tooltip.hide();
      select(view.depth, null);
    });
  }

  function say(node, target, first) {
    const current = tree();
    context.tooltip.show(target, [first ?? current.label[node], current.detail[node], current.note[node]]);
  }

  function nodeAt(event, selector) {
    const found = event.target.closest(selector);
    return found ? Number(found.dataset.node) : null;
  }

  function overTree(event) {
    if (zoom.drags()) return;
    const node = nodeAt(event, ".node");
    if (node === null) {
      context.tooltip.hide();
      select(parts.rows.depthAt(event.clientY - event.currentTarget.getBoundingClientRect().top), null);
    } else {
      select(tree().depth[node], node);
      say(node, { x: event.clientX, y: event.clientY });
    }
  }

  function overProfile(event) {
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    const { top } = event.currentTarget.getBoundingClientRect();
    select(parts.rows.depthAt(event.clientY - top), null);
  }

  function overRegions(event) {
    const node = nodeAt(event, ".region");
    if (node === null) return;
    select(view.depth, node);
    say(node, { x: event.clientX, y: event.clientY }, tree().rule[node]);
  }

  function focusNode(node) {
    select(tree().depth[node], node);
    say(node, parts.tree.nodes[node]);
  }

  function treeKey(event) {
    if (zoom.key(event)) return;
    const node = nodeAfter(event.key, view.node ?? 0, tree(), linksOf());
    if (node === null) return;
    event.preventDefault();
    for (const item of parts.tree.root.querySelectorAll('.node[tabindex="0"]')) item.setAttribute("tabindex", -1);
    parts.tree.nodes[node].setAttribute("tabindex", 0);
    parts.tree.nodes[node].focus();
  }

  function profileKey(event) {
    const depth = depthAfter(event.key, view.depth, linksOf().last);
    if (depth === null) return;
    event.preventDefault();
    select(depth, null);
  }

  function choose(changed) {
    Object.assign(choice, changed);
    if ("tree" in changed) {
      choice.pair = readPair(data, choice.tree, null, null);
      view.node = null;
      view.depth = Math.min(view.depth, linksOf().last);
      zoom.reset();
      showTree();
    }
    writeChoice(data, choice, state);
    controls.choice(choice);
    draw();
  }

  function showTree() {
    served.textContent = tree().serves ? `This tree adds to ${tree().serves}.` : "";
    nodeTable.replaceChildren(fold("Show the nodes as a table", (into) => nodesTable(into, tree(), context)));
  }

  const leaves = () => tree().left.filter((child) => child < 0).length;
  const controls = treeControls(bar, data, {
    choose,
    select: (depth) => select(depth, null),
    depth: () => view.depth,
    another: context.load ? (number) => another(number) : null,
  });
  const zoom = treeZoom(bar, treeBody, { leaves, changed: draw });
  controls.choice(choice);
  bar.append(served);
  showTree();
  view.depth = whole(state.get("depth"), 0, linksOf().last) ?? linksOf().last;
  view.node = whole(state.get("node"), 0, tree().left.length - 1);
  if (view.node !== null) view.depth = tree().depth[view.node];
  const stop = state.listen("depth", (value) => {
    const depth = whole(value, 0, linksOf().last);
    if (depth !== null && depth !== view.depth) select(depth, null);
  });
  const stopRow = state.listen("row", (value) => {
    const row = data.rows.index.indexOf(whole(value, 0, Number.MAX_SAFE_INTEGER));
    if (row >= 0 && row !== choice.row) choose({ row });
  });
  const observer = onWidth(figures, draw);
  return () => {
    stop();
    stopRow();
    observer.disconnect();
    controls.stop();
  };
}

function nodesTable(root, tree, context) {
  const says = tree.serves ? `adds to ${tree.serves}` : "says";
  context.table(root, {
    title: "Nodes of the tree",
    name: "nodes",
    columns: ["node", "depth", "rows that reach it", "splits by", says, "rows"],
    rows: tree.label.map((label, node) => [node, tree.depth[node], tree.rule[node], tree.left[node] < 0 ? "" : label, tree.says[node], tree.rows[node]]),
  });
}

// The way of a row through the tree, from the root to its leaf.
function lightPath(parts, tree, links, row) {
  if (row === null) return;
  for (const node of links.path(tree.leaf[row])) {
    parts.tree.nodes[node].dataset.row = "";
    const edge = parts.tree.edges.get(node);
    if (edge) edge.dataset.row = "";
  }
}

function pathWords(data, tree, row) {
  if (row === null) return "";
  const leaf = tree.leaf[row];
  const ends = tree.serves ? `the tree adds ${tree.says[leaf]}` : `the tree says ${tree.says[leaf]}`;
  return `Row ${data.rows.index[row]} follows the marked path: ${tree.rule[leaf]}; ${ends}.`;
}

// Rounded up: the tree and its profile touch, and the body clips what is over.
function inner(body) {
  return Math.ceil(body.getBoundingClientRect().width);
}

// Frontier nodes predict; those above are pale, those below nearly gone. Touches only what may have changed.
function markNodes(parts, tree, links, depth, node) {
  const path = new Set(node === null ? [] : links.path(node));
  const before = parts.marked ?? { depth: -1, path: new Set() };
  parts.marked = { depth, path };
  for (const k of new Set([...links.between(before.depth, depth), ...before.path, ...path])) {
    const place = !links.inFrontier(k, depth)
      ? tree.depth[k] < depth ? "above" : "below"
      : tree.depth[k] < depth ? "frontier early" : "frontier";
    const look = `${place}${path.has(k) ? " on-path" : ""}${k === node ? " chosen" : ""}`;
    const group = parts.tree.nodes[k];
    if (group.dataset.look === look) continue;
    group.dataset.look = look;
    const edge = parts.tree.edges.get(k);
    if (edge) edge.dataset.look = look;
  }
}

function whole(text, least, most) {
  if (text === null || !/^\d+$/.test(text)) return null;
  const value = Number(text);
  return value >= least && value <= most ? value : null;
}

function readChoice(data, state) {
  const number = whole(state.get("tree"), 0, data.n_trees - 1);
  const tree = Math.max(0, data.trees.findIndex((one) => one.number === number));
  const wanted = whole(state.get("row") ?? state.get("example"), 0, Number.MAX_SAFE_INTEGER);
  const found = data.rows.index.indexOf(wanted);
  // a slice needs a row; a plane of two features shows none unless it is asked for
  const row = found >= 0 ? found : data.features.length > 2 ? data.row : null;
  return { tree, pair: readPair(data, tree, state.get("x"), state.get("y")), row };
}

function readPair(data, tree, x, y) {
  const place = (name) => data.features.findIndex((feature) => feature.name === name);
  const [a, b] = [place(x), place(y)];
  return a >= 0 && b >= 0 && a !== b ? [a, b] : data.trees[tree].pair;
}

function writeChoice(data, choice, state) {
  if (data.n_trees > 1) state.set("tree", data.trees[choice.tree].number);
  if (data.features.length > 2) {
    state.set("x", data.features[choice.pair[0]].name);
    state.set("y", data.features[choice.pair[1]].name);
  }
  state.set("row", choice.row === null ? null : data.rows.index[choice.row]);
}

function sliceNote(data, choice) {
  if (data.features.length < 3) return null;
  return `a slice: the features not drawn are fixed at row ${data.rows.index[choice.row]}; pale rows lie outside of it`;
}
