// Credibility: sliders for spread, noise and rows; two densities, Z and gain under every rule, the grid, an example.

import { drawing, html, linear, onWidth, svg } from "../svg.js";
import { credibilityOf, gainOf, normalDensity } from "./credibility_formulas.js";
import { beginPanel, choice, ownState } from "./parts.js";

const SLIDER_STEPS = 200;
const SLIDER_KEYS = { spread: "spread", sd: "sd", n: "size" };

export function mountCredibility(root, data, context) {
  beginPanel(root, data);
  const state = ownState(context.state);
  const values = () =>
    Object.fromEntries(
      Object.entries(data.sliders).map(([name, slider]) => [
        name,
        sliderValue(slider, state.get(SLIDER_KEYS[name]), name),
      ]),
    );
  const sliders = Object.entries(data.sliders).map(([name, slider]) => makeSlider(name, slider, values, state));
  const rules = html("div", {});
  const grid = html("div", {});
  const densities = html("div", {});
  const rule = choice(
    "Rule",
    data.rules.map(({ name }) => ({ value: name, text: name })),
    gridRule(data, state),
    (value) => state.set("rule", value),
  );
  root.append(
    html("div", { class: "sliders" }, ...sliders.map((slider) => slider.element)),
    html(
      "div",
      { class: "credibility-grid" },
      html("div", {}, densities, rules),
      html("div", {}, html("div", { class: "controls" }, rule.element), grid),
    ),
  );
  const body = context.figure(densities, { title: "The two groups", name: "groups" });
  const barsBody = context.figure(rules, { title: "What each rule makes of them", name: "rules-of-credibility" });
  const gridBody = context.figure(grid, { title: "Z over the simulation grid", name: "credibility-grid" });
  const note = html("p", { class: "quiet figure-caption" });
  grid.append(note);
  const widths = { body: 0, bars: 0, grid: 0 };

  function show() {
    const now = values();
    rule.select.value = gridRule(data, state);
    for (const slider of sliders) slider.mark(now);
    if (widths.body) body.replaceChildren(drawGroups(now, widths.body));
    if (widths.bars) barsBody.replaceChildren(drawRules(data, now, widths.bars));
    if (widths.grid) gridBody.replaceChildren(drawGrid(data, now, gridRule(data, state), widths.grid));
    const { name, words } = data.rules.find((one) => one.name === gridRule(data, state));
    const rows = data.grid.n[nearestRows(data.grid.n, now.n)].toLocaleString("en");
    note.textContent = `${name}, ${rows} rows: ${words}. The ring is where the sliders stand.`;
  }
  const follow = (element, key) =>
    onWidth(element, (width) => {
      widths[key] = width;
      show();
    });
  follow(body, "body");
  follow(barsBody, "bars");
  follow(gridBody, "grid");
  for (const key of [...Object.values(SLIDER_KEYS), "rule"]) state.listen(key, show);
  root.append(twoFeatures(data.example, context));
  show();
  return state.stop;
}

function gridRule(data, state) {
  return data.rules.some(({ name }) => name === state.get("rule")) ? state.get("rule") : "cred_std";
}

// Sliders are logarithmic; the state holds the value itself, in three digits.
function sliderValue(slider, text, name) {
  const given = Number(text);
  const value =
    text !== null && Number.isFinite(given) ? Math.min(slider.high, Math.max(slider.low, given)) : slider.start;
  return name === "n" ? Math.round(value) : value;
}

function makeSlider(name, slider, values, state) {
  const ratio = Math.log(slider.high / slider.low);
  const id = `slider-${name}`;
  const shown = html("output", { for: id });
  const input = html("input", { type: "range", id, min: 0, max: SLIDER_STEPS, step: 1 });
  input.addEventListener("input", () => {
    const value = slider.low * Math.exp((ratio * Number(input.value)) / SLIDER_STEPS);
    state.set(SLIDER_KEYS[name], Number(name === "n" ? Math.round(value) : value.toPrecision(3)));
  });
  return {
    element: html("div", { class: "slider" }, html("label", { for: id }, slider.label), input, shown),
    mark(now) {
      input.value = Math.round((SLIDER_STEPS * Math.log(now[name] / slider.low)) / ratio);
      shown.textContent = now[name].toLocaleString("en");
      input.setAttribute("aria-valuetext", shown.textContent);
    },
  };
}

function densityPath(mean, sd, x, y, [low, high], share = 1) {
  const points = [];
  for (let k = 0; k <= 160; k += 1) {
    const at = low + ((high - low) * k) / 160;
    points.push(`${x(at).toFixed(2)} ${y(share * normalDensity(at, mean, sd)).toFixed(2)}`);
  }
  return `M${points.join("L")}`;
}

function drawGroups({ spread, sd, n }, width) {
  const height = 190;
  const reach = Math.max(spread + 3.2 * sd, 0.05);
  const x = linear([-reach, reach], [8, width - 8]);
  const y = linear([0, normalDensity(0, 0, sd) * 1.05], [height - 26, 8]);
  const text = `means −${spread} and +${spread}, sd ${sd}, ${n.toLocaleString("en")} rows each`;
  const figure = drawing(width, height, `Two densities: ${text}`, { class: "densities" });
  figure.append(svg("line", { class: "base", x1: 8, x2: width - 8, y1: y(0), y2: y(0) }));
  [-spread, spread].forEach((mean, k) => {
    const line = densityPath(mean, sd, x, y, [-reach, reach]);
    figure.append(
      svg("path", { d: `${line}L${width - 8} ${y(0)}L8 ${y(0)}Z`, class: `density-area mark-${k}` }),
      svg("path", { d: line, class: `density-line mark-${k}` }),
      svg("line", {
        class: `density-mean mark-${k}`,
        x1: x(mean),
        x2: x(mean),
        y1: y(0),
        y2: y(normalDensity(0, 0, sd)),
      }),
    );
  });
  figure.append(svg("text", { x: width / 2, y: height - 8, "text-anchor": "middle" }, text));
  return figure;
}

function drawRules(data, { spread, sd, n }, width) {
  const line = 34;
  const left = 74;
  const right = width - 176;
  const rows = data.rules.map(({ name }) => ({
    name,
    z: credibilityOf(name, spread, sd, n),
    gain: gainOf(name, spread, sd, n),
  }));
  const words = rows.map(({ name, z, gain }) => `${name} Z ${z.toFixed(3)}, gain ${gain.toPrecision(4)}`).join("; ");
  const figure = drawing(width, rows.length * line + 6, words, { class: "rule-z" });
  rows.forEach(({ name, z, gain }, k) => {
    const y = k * line + 4;
    figure.append(
      svg("text", { x: left - 8, y: y + 19, "text-anchor": "end", class: "name" }, name),
      svg("rect", { x: left, y: y + 6, width: Math.max(0, right - left), height: 18, class: "track" }),
      svg("rect", { x: left, y: y + 6, width: Math.max(0, z * (right - left)), height: 18, class: "fill mark-2" }),
      svg("text", { x: right + 10, y: y + 19, class: "name" }, `Z ${z.toFixed(3)}`),
      svg("text", { x: width - 2, y: y + 19, "text-anchor": "end" }, `gain ${shortGain(gain)}`),
    );
  });
  return figure;
}

function shortGain(gain) {
  return gain >= 10000 ? Math.round(gain).toLocaleString("en") : String(Number(gain.toPrecision(4)));
}

function nearestRows(rows, n) {
  const away = rows.map((value) => Math.abs(Math.log(value / n)));
  return away.indexOf(Math.min(...away));
}

// Columns are sds, lines spreads, of the grid Python computed; between its values the ring's place is logarithmic.
function drawGrid(data, now, rule, width) {
  const { grid } = data;
  const r = grid.rules.indexOf(rule);
  const i = nearestRows(grid.n, now.n);
  const [left, top] = [52, 6];
  const cell = { width: (width - left - 8) / grid.sd.length, height: 34 };
  const height = top + cell.height * grid.spread.length + 40;
  const figure = drawing(width, height, `Z of ${rule} by spread and sd, ${grid.n[i]} rows`, { class: "z-grid" });
  grid.spread.forEach((spread, s) => {
    const y = top + cell.height * (grid.spread.length - 1 - s);
    figure.append(svg("text", { x: left - 8, y: y + cell.height / 2 + 4, "text-anchor": "end" }, String(spread)));
    grid.sd.forEach((sd, d) => {
      const z = grid.credibility[r][i][s][d];
      const rect = svg("rect", {
        x: left + cell.width * d,
        y,
        width: cell.width - 1,
        height: cell.height - 1,
        class: "heat mark-2",
      });
      rect.style.setProperty("--share", z * 0.5);
      figure.append(rect);
      const text = data.grid_text.credibility[r][i][s][d];
      if (cell.width > 34)
        figure.append(
          svg(
            "text",
            { x: left + cell.width * (d + 0.5), y: y + cell.height / 2 + 4, "text-anchor": "middle", class: "on-heat" },
            text,
          ),
        );
    });
  });
  grid.sd.forEach((sd, d) =>
    figure.append(
      svg("text", { x: left + cell.width * (d + 0.5), y: height - 24, "text-anchor": "middle" }, String(sd)),
    ),
  );
  figure.append(
    svg("text", { x: left + (width - left) / 2, y: height - 6, "text-anchor": "middle", class: "axis-title" }, "sd"),
  );
  figure.append(
    svg(
      "text",
      {
        transform: `translate(12 ${top + (cell.height * grid.spread.length) / 2}) rotate(-90)`,
        "text-anchor": "middle",
        class: "axis-title",
      },
      "spread",
    ),
  );
  const cx = left + cell.width * (logPlace(grid.sd, now.sd) + 0.5);
  const cy = top + cell.height * (grid.spread.length - 0.5 - logPlace(grid.spread, now.spread));
  figure.append(svg("circle", { class: "ring-under", cx, cy, r: 14 }), svg("circle", { class: "ring", cx, cy, r: 14 }));
  return figure;
}

function logPlace(values, value) {
  const last = values.length - 1;
  if (value <= values[0]) return 0;
  if (value >= values[last]) return last;
  const k = values.findIndex((next) => next >= value) - 1;
  return k + Math.log(value / values[k]) / Math.log(values[k + 1] / values[k]);
}

// Twenty thousand rows in three groups: two features can divide them, and the rules disagree on which.
function twoFeatures(example, context) {
  const root = html(
    "div",
    { class: "two-features" },
    html("h3", { class: "section-title" }, "An example in which the rules differ"),
    html("p", { class: "figure-caption" }, example.words),
  );
  const frames = html("div", { class: "pair-of-figures" });
  root.append(frames);
  for (const option of example.options) {
    const body = context.figure(frames, {
      title: `Split by ${option.feature}: ${option.levels.join(" | ")}`,
      name: `split-by-${option.feature}`,
    });
    onWidth(body, (width) => body.replaceChildren(drawSplit(example, option, width)));
  }
  const features = example.options.map(({ feature }) => feature);
  const rows = example.gains.map((line) => [
    line.rule,
    line.l2,
    ...features.map((name) => line.gain[name].value),
    line.picks,
  ]);
  const texts = example.gains.map((line) => [
    line.rule,
    line.l2,
    ...features.map((name) => line.gain[name].text),
    line.picks,
  ]);
  const made = context.table(root, {
    title: "Gain of each split",
    name: "two-features",
    columns: ["rule", "l2", ...features.map((name) => `gain of ${name}`), "takes"],
    rows,
    texts,
  });
  made
    .querySelectorAll("tbody tr")
    .forEach((line, k) => line.cells[2 + features.indexOf(example.gains[k].picks)].classList.add("differs"));
  return root;
}

function drawSplit(example, option, width) {
  const height = 150;
  const { low, high, ticks: marks } = example.axis;
  const x = linear([low, high], [8, width - 8]);
  const top = Math.max(...example.blocks.map(({ share, sd }) => share * normalDensity(0, 0, sd)));
  const y = linear([0, top * 1.08], [height - 26, 14]);
  const words = example.blocks.map((block) => `${block[option.feature]}: ${block.rows} rows`).join(", ");
  const figure = drawing(width, height, `Groups coloured by ${option.feature}: ${words}`, { class: "densities" });
  for (const [value, text] of marks)
    figure.append(svg("text", { x: x(value), y: height - 8, "text-anchor": "middle" }, text));
  figure.append(svg("line", { class: "base", x1: 8, x2: width - 8, y1: y(0), y2: y(0) }));
  for (const block of example.blocks) {
    const k = option.levels.indexOf(block[option.feature]);
    const line = densityPath(block.mean, block.sd, x, y, [low, high], block.share);
    figure.append(
      svg("path", { d: `${line}L${x(high)} ${y(0)}L${x(low)} ${y(0)}Z`, class: `density-area mark-${k}` }),
      svg("path", { d: line, class: `density-line mark-${k}` }),
    );
    figure.append(
      svg(
        "text",
        {
          x: x(block.mean),
          y: y(block.share * normalDensity(0, 0, block.sd)) - 4,
          "text-anchor": "middle",
          class: "name",
        },
        block[option.feature],
      ),
    );
  }
  return figure;
}
