// The regions of the tree cut at a depth: the exact boxes of its nodes over two features, and the rows among them.

import { axisBottom, axisLeft, drawing, shortText, svg } from "../svg.js";
import { cutText, TURNED_GAP } from "./parts.js";
import { makeAxis } from "./tree_axis.js";
import { setMark, setShade, shapeOf } from "./tree_marks.js";

const MAX_LETTERS = 12; // of a category beside an axis

export function drawRegions({ data, tree, links, boxes, pair, width, height, colours }) {
  const margin = { left: 46, right: 8, top: 8, bottom: 40 };
  margin.left = leftMargin(makeAxis(data.features[pair[1]], height, true), width);
  const widthLeft = () => Math.max(40, width - margin.left - margin.right);
  const slant = slantOf(makeAxis(data.features[pair[0]], widthLeft(), false));
  if (slant) margin.left = Math.max(margin.left, 12 + 1.2 * slant); // the first of the slanted names reaches to the left
  const w = widthLeft();
  const across = makeAxis(data.features[pair[0]], w, false);
  margin.bottom += slant;
  const h = Math.max(40, height - margin.top - margin.bottom);
  const along = makeAxis(data.features[pair[1]], h, true);
  const root = drawing(width, height, "Decision regions of the tree cut at the chosen depth", { class: "regions-drawing" });
  const plot = svg("g", { transform: `translate(${margin.left} ${margin.top})` });
  const up = ([from, to]) => [h - to, h - from];
  const product = ([first, second]) =>
    across.stretches(first).flatMap((horizontal) => along.stretches(second).map((vertical) => [horizontal, up(vertical)]));

  const regionLayer = svg("g", { class: "regions" });
  const lineLayer = svg("g", { class: "splits", "aria-hidden": "true" });
  const outline = svg("g", { class: "outline", "aria-hidden": "true" });
  const regions = boxes.map((box, node) => {
    if (!box) return null;
    const group = svg("g", { class: "region", "data-node": node, "data-predicted": tree.predicted ? tree.predicted[node] : null });
    for (const [[x0, x1], [y0, y1]] of product(box)) group.append(svg("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
    setMark(group, tree, node, colours);
    group.style.display = "none";
    regionLayer.append(group);
    return group;
  });
  const splits = boxes.map((box, node) => {
    if (!box || links.leaf(node)) return null;
    const d = splitPath(tree, node, boxes, pair, product);
    if (!d) return null;
    const line = svg("path", { class: tree.same[node] ? "split same" : "split", "data-node": node, d });
    line.style.display = "none";
    lineLayer.append(line);
    return line;
  });
  const points = drawPoints(data, across, along, h, colours);
  plot.append(regionLayer, lineLayer, points.layer, outline);
  root.append(plot, ...axes(across, along, margin, w, h, slant));
  return { root, select: selector({ data, tree, links, boxes, regions, splits, points: points.marks, outline }) };
}

// Where the two children of a node touch, each side counted once.
function splitPath(tree, node, boxes, pair, product) {
  const feature = tree.feature[node];
  if (!pair.includes(feature)) return null;
  const horizontal = feature === pair[0];
  const rights = product(boxes[tree.right[node]]);
  const parts = [];
  for (const [lx, ly] of product(boxes[tree.left[node]])) {
    for (const [rx, ry] of rights) {
      if (horizontal) {
        for (const x of [lx[1], lx[0]]) {
          if ((x === rx[0] || x === rx[1]) && ly[0] === ry[0]) parts.push(`M${x} ${ly[0]}V${ly[1]}`);
        }
      } else {
        for (const y of [ly[0], ly[1]]) {
          if ((y === ry[1] || y === ry[0]) && lx[0] === rx[0]) parts.push(`M${lx[0]} ${y}H${lx[1]}`);
        }
      }
    }
  }
  return parts.join("");
}

function drawPoints(data, across, along, h, colours) {
  const layer = svg("g", { class: "points", "aria-hidden": "true" });
  const many = data.rows.index.length > 600;
  const marks = data.rows.index.map((_, row) => {
    const at = `translate(${across.place(row).toFixed(2)} ${(h - along.place(row)).toFixed(2)})`;
    const k = data.rows.class ? data.rows.class[row] : 0;
    const mark = svg("path", { class: "point", d: shapeOf(k, many ? 2.8 : 3.9), transform: at });
    if (data.rows.class) mark.classList.add(colours.classOf(k));
    else {
      mark.classList.add("shaded");
      setShade(mark, data.rows.shade[row], colours);
    }
    layer.append(mark);
    return mark;
  });
  return { layer, marks };
}

// Room for the title, turned, and the longest of the numbers or names beside it.
function leftMargin(along, width) {
  const texts = [...(along.texts ?? []), ...along.marks.map(({ text }) => cutText(text, MAX_LETTERS))];
  const longest = Math.max(3, ...texts.map((text) => text.length));
  return Math.min(30 + 6.6 * longest, width * 0.4);
}

// How much lower the names below the figure reach when they are slanted, because they do not fit side by side.
function slantOf(across) {
  const longest = Math.max(0, ...across.marks.map(({ text }) => Math.min(text.length, MAX_LETTERS)));
  const lane = across.marks.length > 1 ? across.marks[1].at - across.marks[0].at : Infinity;
  return longest * 6.6 > lane - 6 ? longest * 4.4 : 0;
}

// Names that would be printed over each other are left out; the first always stays.
function spaced(marks, least) {
  const kept = [];
  for (const mark of marks) if (!kept.length || Math.abs(mark.at - kept[kept.length - 1].at) >= least) kept.push(mark);
  return kept;
}

function axes(across, along, margin, w, h, slant) {
  const found = [];
  const bottom = margin.top + h;
  if (across.values) {
    found.push(axisBottom({ scale: (value) => margin.left + across.scale(value), values: across.values, texts: across.texts, y: bottom }));
  }
  if (along.values) {
    found.push(axisLeft({ scale: (value) => bottom - along.scale(value), values: along.values, texts: along.texts, x: margin.left }));
  }
  for (const { at, text } of spaced(across.marks, slant ? TURNED_GAP + 5 : 0)) {
    const place = slant
      ? { transform: `translate(${margin.left + at + 4} ${bottom + 12}) rotate(-40)`, "text-anchor": "end" }
      : { x: margin.left + at, y: bottom + 16, "text-anchor": "middle" };
    found.push(svg("text", { ...place, "aria-hidden": "true" }, cutText(text, MAX_LETTERS)));
  }
  for (const { at, text } of spaced(along.marks, 13)) {
    found.push(svg("text", { x: margin.left - 6, y: bottom - at + 4, "text-anchor": "end", "aria-hidden": "true" }, cutText(text, MAX_LETTERS)));
  }
  if (across.title) {
    found.push(svg("text", { class: "axis-title", x: margin.left + w / 2, y: bottom + 34 + slant, "text-anchor": "middle" }, shortText(across.title, w)));
  }
  if (along.title) {
    const turned = `translate(12 ${margin.top + h / 2}) rotate(-90)`;
    found.push(svg("text", { class: "axis-title", transform: turned, "text-anchor": "middle" }, shortText(along.title, h)));
  }
  return found;
}

// select(depth, node): shows the boxes of the frontier; touches only what changes.
function selector({ data, tree, links, boxes, regions, splits, points, outline }) {
  let shown = -1;
  const wrong = new Uint8Array(points.length);
  const apart = new Uint8Array(points.length);
  return function select(depth, node) {
    if (depth !== shown) {
      for (const k of links.between(shown, depth)) {
        if (!regions[k]) continue;
        const want = links.inFrontier(k, depth) ? "" : "none";
        if (regions[k].style.display !== want) regions[k].style.display = want;
      }
      if (shown > 0) for (const k of links.level(shown - 1)) if (splits[k]) splits[k].style.display = "none";
      if (depth > 0) for (const k of links.level(depth - 1)) if (splits[k]) splits[k].style.display = "";
      const owner = links.owner[depth];
      points.forEach((mark, row) => {
        const at = owner[tree.leaf[row]];
        const errs = tree.predicted && data.rows.class && tree.predicted[at] !== data.rows.class[row] ? 1 : 0;
        const away = boxes[at] ? 0 : 1;
        if (errs !== wrong[row]) mark.classList.toggle("wrong", errs === 1);
        if (away !== apart[row]) mark.classList.toggle("apart", away === 1);
        wrong[row] = errs;
        apart[row] = away;
      });
      shown = depth;
    }
    const chosen = node !== null && regions[node] ? [...regions[node].children].map((rect) => rect.cloneNode()) : [];
    outline.replaceChildren(...chosen);
  };
}
