// Elements, scales, axes: what every figure is made of. Text goes in as text nodes only; nothing here parses markup.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

// svg("rect", { x: 1, class: "bar" }, ...children): a child is an element, a string, or null for none.
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

// html("button", { type: "button", onclick: f }, ...children): attributes that start with "on" are listeners.
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children, sentence);
}

// Words of a sentence: a number and its unit stay in one line.
export function sentence(text) {
  return shownText(text)
    .replace(/(\d) (?=(?:%|M|bn|tn)(?![\p{L}\p{N}]))/gu, "$1\u00a0")
    .replace(/ × 10(?=[\p{No}⁻])/gu, "\u00a0×\u00a010");
}

function fill(element, attributes, children, shown = shownText) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  const given = children.filter((child) => child !== null && child !== undefined);
  element.append(...given.map((child) => (typeof child === "string" ? shown(child) : child)));
  return element;
}

// Foreign text as it is shown: marks that turn the direction of what follows would turn the page's own words too, so
// they are written out. What is copied or downloaded keeps them.
export function shownText(text) {
  const code = (mark) => mark.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (mark) => `⟨U+${code(mark)}⟩`);
}

// A feature's name as it is shown; a column may be called "".
export function nameText(name) {
  return name || "(no name)";
}

// An empty drawing of a size; `label` is what a screen reader says of it.
export function drawing(width, height, label, attributes = {}) {
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, ...attributes });
}

// Straight map of [a, b] onto [p, q]; a domain of no width maps to the middle.
export function linear([a, b], [p, q]) {
  return (x) => (b === a ? (p + q) / 2 : p + ((x - a) / (b - a)) * (q - p));
}

// Round numbers between a and b, about `count` of them; at least two, because one is no scale.
export function ticks(a, b, count = 5) {
  if (!(b > a)) return [a];
  const rough = (b - a) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const sizes = [0.1, 0.2, 0.5, 1, 2, 5, 10];
  for (let size = sizes.findIndex((m) => m >= 1 && m * power >= rough * 0.999); size >= 0; size -= 1) {
    const found = multiples(a, b, sizes[size] * power);
    if (found.length >= Math.max(2, count / 2) || size === 0) return found;
  }
  return [];
}

function multiples(a, b, step) {
  const found = [];
  for (let k = Math.ceil(a / step - 1e-9); k * step <= b + step * 1e-9; k += 1) found.push(k * step);
  return found;
}

// A large number in millions (M), billions (bn) or trillions (tn), to the digit of a step.
export function largeText(value, step = Math.abs(value) / 1000) {
  const [unit, name] = Math.abs(value) >= 1e12 ? [1e12, "tn"] : Math.abs(value) >= 1e9 ? [1e9, "bn"] : [1e6, "M"];
  if (value === 0) return "0";
  const digits = Math.min(Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9)), 6);
  return `${Number((value / unit).toFixed(digits))} ${name}`.replace("-", "−");
}

// A number as Python writes one that is very large or very small: digits times a power of ten.
function powerText(value) {
  const [digits, power] = value.toExponential(1).split("e");
  const raised = [...String(Number(power))].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[sign])).join("");
  return `${Number(digits)} × 10${raised}`.replace("-", "−");
}

// An axis tick in as few digits as its step needs.
export function tickText(value, values) {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(value) || 1;
  const digits = Math.min(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), 12);
  const most = Math.max(...values.map(Math.abs), Math.abs(value));
  if (most >= 1e6 && most < 1e15) return largeText(value, step);
  if (value === 0 && most >= 1e15) return "0";
  if (most >= 1e15 || (value !== 0 && digits > 6)) return powerText(value);
  const text = value.toFixed(digits).replace("-", "−");
  return Math.abs(value) < 10_000 ? text : text.replace(/\d(?=(\d{3})+(?!\d))/g, "$&,"); // a year has no comma
}

// Ticks and title below a figure. `scale` maps data to x; `y` is where the axis stands; a title stays within `width`.
export function axisBottom({ scale, values, y, title = null, texts = null, grid = 0, width = Infinity }) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  values.forEach((value, k) => {
    const x = scale(value);
    if (grid) group.append(svg("line", { class: "grid", x1: x, x2: x, y1: y - grid, y2: y }));
    group.append(svg("text", { x, y: y + 16, "text-anchor": "middle" }, texts ? texts[k] : tickText(value, values)));
  });
  if (title) {
    const middle = (scale(values[0]) + scale(values[values.length - 1])) / 2;
    const shown = shortText(title, width);
    const half = textWidth(shown) / 2;
    const x = Math.max(half, Math.min(middle, width - half));
    group.append(svg("text", { class: "axis-title", x, y: y + 34, "text-anchor": "middle" }, shown));
  }
  return group;
}

// Ticks and title at the left of a figure. `scale` maps data to y; `x` is where the axis stands.
export function axisLeft({ scale, values, x, title = null, texts = null, grid = 0, gap = 34 }) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  values.forEach((value, k) => {
    const y = scale(value);
    if (grid) group.append(svg("line", { class: "grid", x1: x, x2: x + grid, y1: y, y2: y }));
    group.append(svg("text", { x: x - 6, y: y + 4, "text-anchor": "end" }, texts ? texts[k] : tickText(value, values)));
  });
  if (title) {
    const middle = (scale(values[0]) + scale(values[values.length - 1])) / 2;
    const turned = { class: "axis-title", transform: `translate(${x - gap} ${middle}) rotate(-90)`, "text-anchor": "middle" };
    group.append(svg("text", turned, title));
  }
  return group;
}

// About how wide a text is in a drawing; letters of some scripts are twice as wide as others.
export function textWidth(text) {
  return [...shownText(text)].reduce((sum, letter) => sum + (letter.codePointAt(0) >= 0x1100 ? 13 : 6.9), 0);
}

// The text, cut so that it fits into a width.
export function shortText(text, width) {
  const letters = [...shownText(text)];
  if (textWidth(text) <= width) return letters.join("");
  while (letters.length && textWidth(letters.join("")) > width - 7) letters.pop();
  return `${letters.join("")}…`;
}

// Calls draw(width) now and whenever the element's width changes; in a notebook it has none at first.
export function onWidth(element, draw) {
  let last = 0;
  const observer = new ResizeObserver(() => {
    const width = Math.floor(element.getBoundingClientRect().width);
    if (width > 0 && width !== last) {
      last = width;
      draw(width);
    }
  });
  observer.observe(element);
  return observer;
}
