// Controls of the tree panel: stepping and playing through the depths; which tree, which features, which row.

import { html } from "../svg.js";

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
    const tree = picker(bar, "Tree", data.trees.map((_, k) => [k, String(k)]), (value) => choose({ tree: Number(value) }));
    show.push((choice) => (tree.value = choice.tree));
  }
  if (data.features.length > 2) {
    const names = data.features.map((feature, k) => [k, feature.name]);
    let now = null;
    const across = picker(bar, "Horizontal", names, (value) => choose({ pair: swapped(now, 0, Number(value)) }));
    const along = picker(bar, "Vertical", names, (value) => choose({ pair: swapped(now, 1, Number(value)) }));
    const rows = data.rows.index.slice(0, 500).map((index, k) => [k, `row ${index}`]);
    const row = picker(bar, "Others fixed at", rows, (value) => choose({ row: Number(value) }));
    show.push((choice) => {
      now = choice.pair;
      [across.value, along.value] = choice.pair;
      if (choice.row >= rows.length && row.options.length === rows.length) row.append(html("option", { value: choice.row }, `row ${data.rows.index[choice.row]}`));
      row.value = choice.row;
    });
  }
  return (choice) => show.forEach((one) => one(choice));
}

// A pair in which one feature is replaced; the same feature twice changes places instead.
function swapped(pair, place, feature) {
  const next = [...pair];
  if (next[1 - place] === feature) next[1 - place] = next[place];
  next[place] = feature;
  return next;
}

function picker(bar, label, options, change) {
  const select = html("select", { "aria-label": label, onchange: (event) => change(event.target.value) });
  select.append(...options.map(([value, text]) => html("option", { value }, text)));
  bar.append(html("label", { class: "picker" }, html("span", {}, label), select));
  return select;
}
