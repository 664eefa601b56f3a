// A waterfall: from the average answer, part by part, to the answer for one row.

import { axisBottom, drawing, shortText, svg, textWidth, ticks } from "../svg.js";

const FALL_LINE = 28;

// drawWaterfall({ base, end, parts: [{ text, value }], baseText, endText, textOf, unit, width, label }) → svg
export function drawWaterfall({ base, end, parts, baseText, endText, textOf, unit, width, label }) {
  const narrow = width < 620;
  const line = narrow ? 40 : FALL_LINE;
  const top = narrow ? 17 : 0; // names stand above their bars where there is no room beside them
  const left = narrow ? 10 : Math.min(width * 0.42, 310, 24 + Math.max(...parts.map(({ text }) => textWidth(text)), 110));
  const right = width - 74;
  const stops = [base];
  for (const { value } of parts) stops.push(stops[stops.length - 1] + value);
  const low = Math.min(...stops, end);
  const high = Math.max(...stops, end);
  const room = (high - low || 1) * 0.04;
  const x = (value) => left + ((value - low + room) / (high - low + 2 * room || 1)) * (right - left);
  const bottom = (parts.length + 2) * line + 4;
  const figure = drawing(width, bottom + 40, label, { class: "waterfall" });
  const values = ticks(low, high, Math.max(2, Math.round((right - left) / 110)));
  figure.append(axisBottom({ scale: x, values, y: bottom, grid: bottom, title: unit, width }));
  figure.append(...stopLine({ k: 0, at: x(base), name: "average answer", text: baseText, line, top, left, narrow }));
  parts.forEach(({ text, value }, k) => {
    const y = (k + 1) * line;
    const [from, to] = [x(stops[k]), x(stops[k + 1])];
    const look = value < 0 ? "mark-below" : "mark-above";
    figure.append(
      svg("line", { class: "fall-link", x1: from, x2: from, y1: y - line / 2 + top, y2: y + line / 2 + top / 2 }),
      svg("text", { class: "name", x: narrow ? 10 : left - 12, y: narrow ? y + 13 : y + line / 2 + 4, "text-anchor": narrow ? "start" : "end" }, shortText(text, narrow ? width - 20 : left - 16)),
      svg("rect", { class: `fill ${look}`, x: Math.min(from, to), y: y + 5 + top, width: Math.max(1, Math.abs(to - from)), height: line - 10 - top }),
      svg("text", { class: "fall-value", x: Math.max(from, to) + 6, y: y + (line + top) / 2 + 4 }, textOf(value)),
    );
  });
  const last = parts.length + 1;
  figure.append(...stopLine({ k: last, at: x(end), name: "this row", text: endText, line, top, left, narrow }));
  return figure;
}

function stopLine({ k, at, name, text, line, top, left, narrow }) {
  const y = k * line;
  return [
    svg("text", { class: "name fall-end", x: narrow ? 10 : left - 12, y: narrow ? y + 13 : y + line / 2 + 4, "text-anchor": narrow ? "start" : "end" }, name),
    svg("line", { class: "fall-stop", x1: at, x2: at, y1: y + 3 + top, y2: y + line - 3 }),
    svg("text", { class: "fall-value fall-end", x: at + 6, y: y + (line + top) / 2 + 4 }, text),
  ];
}
