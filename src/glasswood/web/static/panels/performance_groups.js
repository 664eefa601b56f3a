// Predicted beside actual, and residuals, for groups of rows: one line per group, so that long names can be read.

import { axisBottom, drawing, html, linear, nameText, onWidth, shortText, svg, textWidth, ticks } from "../svg.js";
import { fold } from "./parts.js";

const GROUP_LINE = 30;

export function showGroups(root, view, part, context) {
  const what = part.name ? `share of ${part.name}` : "target";
  const title = `Predicted and actual ${what}, by ${nameText(view.name)}`;
  const body = context.figure(root, { title, name: `groups-${view.name}` });
  const words = view.words.map((group, k) => [
    group,
    `actual ${view.found_text[k]} (95 % interval ${view.range_text[k]})`,
    `predicted ${view.said_text[k]}; ${view.rows[k]}`,
  ]);
  onWidth(body, (width) => {
    const texts = part.name ? (value) => `${Number((100 * value).toFixed(1))} %` : null;
    const lines = groupLines(view, [...view.low, ...view.high, ...view.said], width, title, words, context, texts);
    view.words.forEach((_, k) => {
      const y = lines.y(k);
      lines.group(
        k,
        svg("line", { class: "interval", x1: lines.x(view.low[k]), x2: lines.x(view.high[k]), y1: y, y2: y }),
        svg("circle", { class: "actual", cx: lines.x(view.found[k]), cy: y, r: 4.5 }),
        svg("circle", { class: "predicted", cx: lines.x(view.said[k]), cy: y, r: 6 }),
      );
    });
    body.replaceChildren(lines.figure);
  });
  root.append(
    html("p", { class: "quiet figure-caption" }, "filled: actual, with a 95 % interval; ring: predicted. A ring outside of its line is a group that the model misjudges."),
    fold("Show the groups as a table", (into) =>
      context.table(into, {
        title,
        name: `groups-${view.name}`,
        columns: ["group", "rows", "predicted", "actual", "95 % interval", ...view.columns],
        rows: view.words.map((group, k) => [group, view.rows[k], view.said[k], view.found[k], view.range_text[k], ...view.more[k]]),
        texts: view.words.map((group, k) => [
          group,
          view.rows[k],
          view.said_text[k],
          view.found_text[k],
          view.range_text[k],
          ...view.more[k],
        ]),
      }),
    ),
  );
}

export function showResiduals(root, view, context) {
  const { residual } = view;
  const title = `Residuals (actual minus predicted), by ${nameText(view.name)}`;
  const body = context.figure(root, { title, name: `residuals-${view.name}` });
  const words = view.words.map((group, k) => [
    group,
    `mean residual ${residual.middle_text[k]}`,
    `four of five rows: ${residual.band_text[k]}; ${view.rows[k]}`,
  ]);
  onWidth(body, (width) => {
    const reach = [...residual.tenth, ...residual.ninth, ...residual.low, ...residual.high, 0];
    const lines = groupLines(view, reach, width, title, words, context);
    lines.figure.prepend(
      svg("line", { class: "guess-line", x1: lines.x(0), x2: lines.x(0), y1: 0, y2: view.words.length * lines.height }),
    );
    view.words.forEach((_, k) => {
      const y = lines.y(k);
      const [from, to] = [lines.x(residual.tenth[k]), lines.x(residual.ninth[k])];
      lines.group(
        k,
        svg("rect", { class: "spread", x: from, width: Math.max(1, to - from), y: y - 6, height: 12 }),
        svg("line", { class: "interval", x1: lines.x(residual.low[k]), x2: lines.x(residual.high[k]), y1: y, y2: y }),
        svg("circle", { class: "actual", cx: lines.x(residual.middle[k]), cy: y, r: 4.5 }),
      );
    });
    body.replaceChildren(lines.figure);
  });
  root.append(
    html("p", { class: "quiet figure-caption" }, "dot: mean residual, with a 95 % interval; band: the residuals of four of five rows; dashed: no miss."),
    fold("Show the residuals as a table", (into) =>
      context.table(into, {
        title,
        name: `residuals-${view.name}`,
        columns: ["group", "rows", "mean residual", "four of five rows"],
        rows: view.words.map((group, k) => [group, view.rows[k], residual.middle[k], residual.band_text[k]]),
        texts: view.words.map((group, k) => [group, view.rows[k], residual.middle_text[k], residual.band_text[k]]),
      }),
    ),
  );
}

// What tells a group from the others; the title has the name of the feature.
function withoutName(text, name) {
  const start = `${nameText(name)} `;
  return text.startsWith(start) ? text.slice(start.length) : text;
}

// A drawing with a line per group: its words at the left, or above it where there is little room.
function groupLines(view, values, width, title, words, context, textOf = null) {
  const narrow = width < 640;
  const height = narrow ? GROUP_LINE + 18 : GROUP_LINE;
  const widest = narrow ? width - 12 : Math.min(width * 0.45, 320) - 18;
  const names = view.words.some((text) => textWidth(text) > widest) ? view.words.map((text) => withoutName(text, view.name)) : view.words;
  const left = narrow ? 14 : Math.min(width * 0.45, 320, 24 + Math.max(...names.map(textWidth)));
  const known = values.filter((value) => value !== null);
  const margin = 0.04 * (Math.max(...known) - Math.min(...known)) || 1e-9;
  const [low, high] = [Math.min(...known) - margin, Math.max(...known) + margin];
  const x = linear([low, high], [left, width - 18]);
  const y = (k) => k * height + (narrow ? height - 12 : height / 2);
  const figure = drawing(width, view.words.length * height + 30, title, { class: "groups" });
  const room = narrow ? width - 12 : left - 18;
  const marks = ticks(low, high, narrow ? 3 : 6);
  const texts = textOf ? marks.map(textOf) : null;
  figure.append(axisBottom({ scale: x, values: marks, texts, y: view.words.length * height + 4, grid: view.words.length * height + 4 }));
  names.forEach((text, k) => {
    const place = narrow ? { x: 4, y: y(k) - 14 } : { x: left - 14, y: y(k) + 4, "text-anchor": "end" };
    figure.append(svg("text", { class: "name", ...place }, shortText(text, room)));
  });
  function group(k, ...drawn) {
    const hit = svg("rect", { class: "hit", x: 0, y: k * height, width, height });
    const element = svg("g", { class: "group-line" }, ...drawn, hit);
    element.addEventListener("pointermove", (event) => context.tooltip.show({ x: event.clientX, y: event.clientY }, words[k]));
    element.addEventListener("pointerleave", () => context.tooltip.hide());
    figure.append(element);
  }
  return { figure, x, y, height, group };
}
