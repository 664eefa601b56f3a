// Figures of how good a model is: curves on the unit square, calibration, and classes taken for one another.

import { axisBottom, axisLeft, drawing, html, linear, onWidth, svg } from "../svg.js";
import { cutText, fold } from "./parts.js";

const UNIT_TICKS = [0, 0.25, 0.5, 0.75, 1];
const UNIT_TEXTS = ["0", "25 %", "50 %", "75 %", "100 %"];
const NARROW_TICKS = [0, 0.5, 1];

// A curve through points of the unit square, with one of them marked; pointing at the figure chooses the nearest.
export function drawCurve(root, context, { title, name, across, up, points, base, words, choose = null }) {
  const frame = html("div", {});
  root.append(frame);
  const body = context.figure(frame, { title, name });
  frame.append(html("p", { class: "quiet figure-caption" }, words));
  const drawn = { mark: null, k: 0, x: null, y: null };
  onWidth(body, (width) => {
    const square = unitSquare(width, `${title}: ${across} and ${up}`, across, up);
    const { figure, x, y } = square;
    figure.append(baseLine(base, x, y));
    const path = points.filter(Boolean).map(([a, b]) => `${x(a).toFixed(2)} ${y(b).toFixed(2)}`);
    figure.append(svg("path", { class: "curve", d: `M${path.join("L")}` }));
    const mark = svg("circle", { class: "curve-mark", r: 5.5, visibility: "hidden" });
    figure.append(mark);
    Object.assign(drawn, { mark, x, y });
    if (choose) {
      figure.classList.add("can-choose");
      const nearest = (event) => {
        const box = figure.getBoundingClientRect();
        choose(nearestPoint(points, (event.clientX - box.left), event.clientY - box.top, x, y));
      };
      figure.addEventListener("pointerdown", nearest);
      figure.addEventListener("pointermove", (event) => {
        if (event.buttons) nearest(event);
      });
    }
    body.replaceChildren(figure);
    place(drawn.k);
  });

  function place(k) {
    drawn.k = k;
    if (!drawn.mark) return;
    const point = choose ? points[k] : null;
    drawn.mark.setAttribute("visibility", point ? "visible" : "hidden");
    if (!point) return;
    drawn.mark.setAttribute("cx", drawn.x(point[0]));
    drawn.mark.setAttribute("cy", drawn.y(point[1]));
  }
  return { mark: place };
}

function nearestPoint(points, px, py, x, y) {
  let best = 0;
  let least = Infinity;
  points.forEach((point, k) => {
    if (!point) return;
    const away = (x(point[0]) - px) ** 2 + (y(point[1]) - py) ** 2;
    if (away < least) [best, least] = [k, away];
  });
  return best;
}

function unitSquare(width, label, across, up) {
  const size = Math.min(width, 420);
  const left = 62;
  const bottom = size - 46;
  const right = size - 24; // half of the last tick
  const x = linear([0, 1], [left, right]);
  const y = linear([0, 1], [bottom, 10]);
  const values = size < 300 ? NARROW_TICKS : UNIT_TICKS;
  const texts = values.map((value) => UNIT_TEXTS[UNIT_TICKS.indexOf(value)]);
  const figure = drawing(size, size, label, { class: "unit-square" });
  const most = Math.floor((bottom - 10) / 6.2);
  figure.append(
    axisLeft({ scale: y, values, texts, x: left, grid: right - left, title: cutText(up, most), gap: 50 }),
    axisBottom({ scale: x, values, texts, y: bottom, title: cutText(across, most) }),
  );
  return { figure, x, y };
}

function baseLine(base, x, y) {
  const [from, to] = base === "diagonal" ? [0, 1] : [base, base];
  return svg("line", { class: "guess-line", x1: x(0), x2: x(1), y1: y(from), y2: y(to) });
}

export function drawGains(root, points, words, context) {
  const grid = html("div", { class: "performance-grid" });
  root.append(grid);
  drawCurve(grid, context, {
    title: "Gains: how soon the target is found",
    name: "gains",
    across: "share of the rows, highest prediction first",
    up: "share of the target found",
    points,
    base: "diagonal",
    words,
  });
}

// Tenths of the rows by their predicted share: what was predicted, and what was found, with its interval.
export function showCalibration(root, part, context) {
  const frame = html("div", {});
  root.append(frame);
  const body = context.figure(frame, { title: "Calibration: can the shares be believed?", name: "calibration" });
  const { said, found, low, high, rows } = part.calibration;
  onWidth(body, (width) => {
    const { figure, x, y } = unitSquare(width, "Calibration of tenths of the rows", `predicted share of ${part.name}`, `share of ${part.name} found`);
    figure.append(baseLine("diagonal", x, y));
    said.forEach((share, k) => {
      const point = svg(
        "g",
        { class: "interval-point" },
        svg("line", { class: "interval", x1: x(share), x2: x(share), y1: y(low[k]), y2: y(high[k]) }),
        svg("circle", { class: "actual", cx: x(share), cy: y(found[k]), r: 4.5 }),
      );
      const lines = [
        `predicted ${part.calibration.said_text[k]}, found ${part.calibration.found_text[k]}`,
        `95 % interval ${part.calibration.range_text[k]}`,
        rows[k],
      ];
      point.addEventListener("pointermove", (event) => context.tooltip.show({ x: event.clientX, y: event.clientY }, lines));
      point.addEventListener("pointerleave", () => context.tooltip.hide());
      figure.append(point);
    });
    body.replaceChildren(figure);
  });
  frame.append(
    html(
      "p",
      { class: "quiet figure-caption" },
      "Each point is about a tenth of the rows, its line a 95 % interval; on the dashed line the prediction is right on average.",
    ),
    fold("Show the calibration as a table", (into) =>
      context.table(into, {
        title: "Calibration",
        name: "calibration",
        columns: ["predicted", "found", "95 % interval", "rows"],
        rows: said.map((share, k) => [share, found[k], part.calibration.range_text[k], rows[k]]),
        texts: said.map((_, k) => [
          part.calibration.said_text[k],
          part.calibration.found_text[k],
          part.calibration.range_text[k],
          rows[k],
        ]),
      }),
    ),
  );
}

// Rows of each class by the class with the largest share.
export function showConfusion(root, confusion, context) {
  const frame = html("div", { class: confusion.names.length > 5 ? "many-classes" : null });
  root.append(frame);
  const title = "Which class is predicted as which";
  const element = context.table(frame, {
    title,
    name: "confusion",
    columns: ["target", ...confusion.names, "right"],
    rows: confusion.names.map((name, j) => [name, ...confusion.text[j], confusion.of[j]]),
  });
  for (const head of element.querySelectorAll("th:not(:first-child), td:last-child")) head.classList.add("number");
  const lines = element.querySelectorAll("tbody tr");
  confusion.share.forEach((line, j) =>
    line.forEach((share, k) => {
      const cell = lines[j].children[k + 1];
      cell.classList.add("number", j === k ? "right" : "wrong");
      cell.style.setProperty("--share", share ?? 0);
    }),
  );
  frame.append(
    html(
      "p",
      { class: "quiet figure-caption" },
      "One line per class of the target; columns are the predicted class, the one with the largest share. A darker cell holds more of its line.",
    ),
  );
}
