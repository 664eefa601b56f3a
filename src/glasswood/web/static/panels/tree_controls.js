// Controls of the tree panel: stepping and playing through the depths; which tree, which features, which row.

import { html } from "../svg.js";
import { choice } from "./parts.js";

const STEP_TIME = 700;

export function treeControls(bar, data, { choose, select, depth }) {
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

  const pickers = morePickers(bar, data, choose);
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
function morePickers(bar, data, choose) {
  const show = [];
  if (data.trees.length > 1) {
    const tree = picker(bar, "Tree", data.trees.map((tree, k) => ({ value: k, text: treeName(data, tree, k) })), (tree) => choose({ tree }));
    show.push((now) => (tree.value = now.tree));
  }
  if (data.features.length > 2) {
    const names = data.features.map((feature, k) => ({ value: k, text: feature.name }));
    let pair = null;
    const across = picker(bar, "Horizontal", names, (feature) => choose({ pair: swapped(pair, 0, feature) }));
    const along = picker(bar, "Vertical", names, (feature) => choose({ pair: swapped(pair, 1, feature) }));
    const rows = data.rows.index.slice(0, 500).map((index, k) => ({ value: k, text: `row ${index}` }));
    const row = picker(bar, "Others fixed at", rows, (at) => choose({ row: at }));
    show.push((now) => {
      pair = now.pair;
      [across.value, along.value] = pair;
      if (now.row >= rows.length && row.options.length === rows.length) row.append(html("option", { value: now.row }, `row ${data.rows.index[now.row]}`));
      row.value = now.row;
    });
  }
  return (now) => show.forEach((one) => one(now));
}

// Its number and, where trees serve different outputs, its output.
function treeName(data, tree, k) {
  return data.trees.some((one) => one.output !== tree.output) ? `${k} · ${tree.output || "every output"}` : String(k);
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
