// Controls of the tree panel: stepping and playing through the depths; which tree, which features, which row.

import { html, nameText } from "../svg.js";
import { choice } from "./parts.js";

const STEP_TIME = 700;
const MAX_ROWS = 500; // in the list; others are reached from the panel about one prediction

export function treeControls(bar, data, { choose, select, depth, another }) {
  let last = 0;
  let timer = 0;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const back = html("button", { type: "button", class: "step", "aria-label": "One depth up", onclick: () => step(-1) }, "▲");
  const on = html("button", { type: "button", class: "step", "aria-label": "One depth down", onclick: () => step(1) }, "▼");
  const play = html("button", { type: "button", class: "play", onclick: toggle }, "▶ Play");
  const at = html("output", { class: "depth-shown" });
  bar.append(html("span", { class: "stepper", role: "group", "aria-label": "Depth" }, back, at, on, still ? null : play));

  function step(by) {
    stop();
    select(Math.max(0, Math.min(last, depth() + by)));
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "▶ Play";
  }

  function toggle() {
    if (timer) {
      stop();
      return;
    }
    play.textContent = "❚❚ Pause";
    select(depth() >= last ? 0 : depth() + 1);
    timer = setInterval(() => {
      if (depth() >= last || !bar.isConnected) stop();
      else select(depth() + 1);
    }, STEP_TIME);
  }

  const pickers = morePickers(bar, data, choose, another);
  return {
    stop,
    choice: pickers,
    update(now, deepest) {
      last = deepest;
      at.textContent = `depth ${now} of ${deepest}`;
      back.disabled = now <= 0;
      on.disabled = now >= deepest;
    },
  };
}

// Pickers that only some models need; returns a function that shows a choice in them.
function morePickers(bar, data, choose, another) {
  const show = [];
  if (another && data.n_trees > data.trees.length) show.push(anyTree(bar, data, choose, another));
  else if (data.trees.length > 1) {
    const tree = picker(bar, "Tree", data.trees.map((tree, k) => ({ value: k, text: treeName(data, tree, k) })), (tree) => choose({ tree }));
    show.push((now) => (tree.value = now.tree));
  }
  if (data.features.length > 2) {
    const names = data.features.map((feature, k) => ({ value: k, text: nameText(feature.name) }));
    let pair = null;
    const across = picker(bar, "Horizontal", names, (feature) => choose({ pair: swapped(pair, 0, feature) }));
    const along = picker(bar, "Vertical", names, (feature) => choose({ pair: swapped(pair, 1, feature) }));
    show.push((now) => {
      pair = now.pair;
      [across.value, along.value] = pair;
    });
  }
  show.push(rowPicker(bar, data, choose));
  return (now) => show.forEach((one) => one(now));
}

// The row whose path is marked and, where there are more than two features, at which the others are fixed.
function rowPicker(bar, data, choose) {
  const none = data.features.length > 2 ? [] : [{ value: -1, text: "none" }];
  const rows = data.rows.index.slice(0, MAX_ROWS).map((index, k) => ({ value: k, text: `row ${index}` }));
  const row = picker(bar, "Row", [...none, ...rows], (at) => choose({ row: at < 0 ? null : at }));
  return (now) => {
    if (now.row !== null && now.row >= rows.length && ![...row.options].some(({ value }) => value === String(now.row))) {
      row.append(html("option", { value: now.row }, `row ${data.rows.index[now.row]}`));
    }
    row.value = now.row ?? -1;
  };
}

// Any tree of the model by its number: those that are here at once, the others from the server.
function anyTree(bar, data, choose, another) {
  const last = data.n_trees - 1;
  const input = html("input", { type: "number", min: 0, max: last, step: 1, class: "tree-number" });
  input.addEventListener("change", () => {
    const number = Math.min(last, Math.max(0, Math.round(Number(input.value) || 0)));
    const here = data.trees.findIndex((tree) => tree.number === number);
    if (here >= 0) choose({ tree: here });
    else another(number);
  });
  bar.append(html("label", { class: "choice" }, html("span", {}, `Tree, 0 to ${last}`), input));
  return (now) => {
    input.value = data.trees[now.tree].number;
  };
}

// Its number and, where trees serve different outputs, its output.
function treeName(data, tree, k) {
  return data.trees.some((one) => one.output !== tree.output) ? `${tree.number} · ${tree.output || "every output"}` : String(tree.number);
}

// A pair in which one feature is replaced; the same feature twice changes places instead.
function swapped(pair, place, feature) {
  const next = [...pair];
  if (next[1 - place] === feature) next[1 - place] = next[place];
  next[place] = feature;
  return next;
}

function picker(bar, label, options, change) {
  const made = choice(label, options, null, (value) => change(Number(value)));
  bar.append(made.element);
  return made.select;
}
