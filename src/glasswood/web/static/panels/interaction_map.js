// The map of a pair: its cells at their real places, margins, colours around zero, and a cell to read.

import { drawing, nameText, sentence, svg } from "../svg.js";
import { cellAt, cutText, placeCells, shownNumber, signedNumber, TURNED_GAP } from "./parts.js";

const MAP_MARGIN = 62;
const MAP_LEGEND = 44;

export function drawMap(body, width, content) {
  const { pair, equal } = content;
  const size = Math.min(width, 760);
  const besides = [...pair.up.label.filter((label) => label !== null), ...(equal ? pair.up.edges : pair.up.ticks.map(([, text]) => text))];
  const left = 30 + 6.8 * Math.max(2, ...besides.map((text) => Math.min(text.length, 14)));
  const top = 8 + MAP_MARGIN;
  const right = size - MAP_MARGIN - 8;
  const side = Math.max(180, Math.min(right - left, 520));
  const bottom = top + side * 0.86;
  const acrossNames = pair.across.label.filter((label) => label !== null);
  const turned = acrossNames.some((label) => label.length * 7 > (right - left) / pair.across.left.length - 6);
  const foot = 44 + (turned ? Math.min(14, Math.max(...acrossNames.map((label) => label.length))) * 5 : 0);
  const height = bottom + foot + MAP_LEGEND;
  const across = placeCells(pair.across, [left, right], equal);
  const up = placeCells(pair.up, [bottom, top], equal, 26);
  const figure = drawing(size, height, `${content.title}: a map; arrow keys move between its cells`, {
    class: "heat-map",
    tabindex: "0",
    role: "application",
  });
  figure.append(mapCells(pair, content, across, up));
  figure.append(marginLines(content.output, 0, across, { at: top - 8, size: MAP_MARGIN - 14 }));
  figure.append(marginLines(content.output, 1, up, { at: right + 8, size: MAP_MARGIN - 14 }));
  figure.append(mapLabels(pair, across, up, { left, right, top, bottom, turned, foot }));
  figure.append(mapLegend(content, left, bottom + foot, right - left));
  const frame = svg("rect", { class: "map-cursor", visibility: "hidden" });
  figure.append(frame);
  body.replaceChildren(figure);
  readMap(figure, frame, across, up, content);
}

function rectOf(across, up, i, j) {
  return {
    x: across.left[i],
    width: across.right[i] - across.left[i],
    y: Math.min(up.left[j], up.right[j]),
    height: Math.abs(up.right[j] - up.left[j]),
  };
}

function mapCells(pair, { values, reach }, across, up) {
  const group = svg("g", { class: "map-cells", "aria-hidden": "true" });
  const n = pair.up.words.length;
  values.forEach((value, k) => {
    if (value === null) return;
    const rect = svg("rect", {
      ...rectOf(across, up, Math.floor(k / n), k % n),
      class: `heat ${value < 0 ? "mark-below" : "mark-above"}${pair.weight[k] > 0 ? "" : " empty"}`,
    });
    rect.style.setProperty("--share", Math.min(1, Math.abs(value) / reach.value));
    group.append(rect);
  });
  return group;
}

// The effect of each feature alone: above the map for the first, to its right for the second.
function marginLines(output, d, placed, { at, size }) {
  const group = svg("g", { class: "margin", "aria-hidden": "true" });
  const middle = (value) =>
    d === 0
      ? at - size / 2 - (value / output.margin_reach) * (size / 2)
      : at + size / 2 + (value / output.margin_reach) * (size / 2);
  const ends = [placed.left[0], placed.right[placed.right.length - 1]];
  group.append(
    d === 0
      ? svg("line", { class: "zero", x1: ends[0], x2: ends[1], y1: middle(0), y2: middle(0) })
      : svg("line", { class: "zero", y1: ends[0], y2: ends[1], x1: middle(0), x2: middle(0) }),
  );
  output.margins[d].forEach((value, k) => {
    if (value === null) return;
    const [a, b, m] = [placed.left[k], placed.right[k], middle(value)];
    group.append(
      d === 0
        ? svg("line", { class: "margin-line", x1: a, x2: b, y1: m, y2: m })
        : svg("line", { class: "margin-line", x1: m, x2: m, y1: a, y2: b }),
    );
  });
  return group;
}

function mapLabels(pair, across, up, { left, right, top, bottom, turned, foot }) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  for (const [x, text] of across.ticks) group.append(svg("text", { x, y: bottom + 17, "text-anchor": "middle" }, text));
  for (const [y, text] of up.ticks) group.append(svg("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, text));
  const free = (placed, label, gap) => {
    let last = -Infinity; // names that would be printed over each other are left out
    return label.map((text, k) => {
      const middle = (placed.left[k] + placed.right[k]) / 2;
      if (text === null || Math.abs(middle - last) < gap) return false;
      last = middle;
      return true;
    });
  };
  const [acrossFree, upFree] = [free(across, pair.across.label, turned ? TURNED_GAP : 13), free(up, pair.up.label, 13)];
  pair.across.label.forEach((label, k) => {
    if (!acrossFree[k]) return;
    const x = (across.left[k] + across.right[k]) / 2;
    const place = turned
      ? { transform: `translate(${x + 4} ${bottom + 10}) rotate(-55)`, "text-anchor": "end" }
      : { x, y: bottom + 17, "text-anchor": "middle" };
    group.append(svg("text", place, cutText(label, 14)));
  });
  pair.up.label.forEach((label, k) => {
    if (upFree[k])
      group.append(
        svg("text", { x: left - 6, y: (up.left[k] + up.right[k]) / 2 + 4, "text-anchor": "end" }, cutText(label, 14)),
      );
  });
  group.append(
    svg(
      "text",
      { class: "axis-title", x: (left + right) / 2, y: bottom + foot - 6, "text-anchor": "middle" },
      cutText(nameText(pair.features[0]), Math.floor((right - left) / 6.5)),
    ),
  );
  group.append(
    svg(
      "text",
      { class: "axis-title", transform: `translate(12 ${(top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" },
      cutText(nameText(pair.features[1]), Math.floor((bottom - top) / 6.5)),
    ),
  );
  return group;
}

function mapLegend({ reach, unit, joint }, left, y, width) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  const count = 21;
  const wide = Math.min(width, 260);
  for (let k = 0; k < count; k += 1) {
    const share = (2 * k) / (count - 1) - 1;
    const rect = svg("rect", {
      x: left + (wide * k) / count,
      y: y + 6,
      width: wide / count + 0.5,
      height: 10,
      class: `heat ${share < 0 ? "mark-below" : "mark-above"}`,
    });
    rect.style.setProperty("--share", Math.abs(share));
    group.append(rect);
  }
  group.append(
    svg("text", { x: left, y: y + 32, "text-anchor": "start" }, `−${reach.text}`),
    svg("text", { x: left + wide / 2, y: y + 32, "text-anchor": "middle" }, "0"),
    svg("text", { x: left + wide, y: y + 32, "text-anchor": "end" }, `+${reach.text}`),
  );
  if (width - wide > 120)
    group.append(
      svg("text", { x: left + wide + 12, y: y + 15 }, `${joint ? "joint effect" : "interaction"} on the ${unit}`),
    );
  return group;
}

function readMap(figure, frame, across, up, { pair, output, values, unit, joint, reading, tooltip }) {
  const n = pair.up.words.length;
  const at = { i: -1, j: -1 };

  function choose(i, j) {
    at.i = Math.min(pair.across.words.length - 1, Math.max(0, i));
    at.j = Math.min(n - 1, Math.max(0, j));
    const k = at.i * n + at.j;
    for (const [name, value] of Object.entries(rectOf(across, up, at.i, at.j))) frame.setAttribute(name, value);
    frame.setAttribute("visibility", "visible");
    const weight = pair.weight[k] > 0 ? `weight ${shownNumber(pair.weight[k])}` : "no rows here";
    const alone = `alone ${output.margin_text[0][at.i]} and ${output.margin_text[1][at.j]}`;
    const rest = `${alone}; joint ${signedNumber(output.joint[k])}; ${weight}`;
    const lines = [
      `${pair.across.words[at.i]}; ${pair.up.words[at.j]}`,
      `${joint ? "joint effect" : "interaction"} ${signedNumber(values[k])} on the ${unit}`,
      rest,
    ];
    reading.textContent = sentence(lines.join(" · "));
    return lines;
  }

  const point = (event) => {
    const box = figure.getBoundingClientRect();
    const lines = choose(
      cellAt(across, event.clientX - box.left),
      cellAt({ left: up.right, right: up.left }, event.clientY - box.top),
    );
    tooltip.show({ x: event.clientX, y: event.clientY }, lines);
  };
  figure.addEventListener("pointermove", point);
  figure.addEventListener("pointerdown", point);
  figure.addEventListener("pointerleave", () => tooltip.hide());
  figure.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    choose(Math.max(0, at.i) + (at.i < 0 ? 0 : step[0]), Math.max(0, at.j) + (at.j < 0 ? 0 : step[1]));
  });
}
