// Every figure as SVG and PNG, every table as CSV, made in the page.

const COPIED_STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin", "opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor",
  "shape-rendering", "display", "visibility", "paint-order",
];

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export function saveSvg(drawings, name) {
  save(new Blob([standalone(drawings).text], { type: "image/svg+xml" }), `${name}.svg`);
}

export function savePng(drawings, name, scale = 2) {
  const { text, width, height } = standalone(drawings);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const image = new Image();
  return new Promise((resolve, reject) => {
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = width * scale;
      canvas.height = height * scale;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(address);
      canvas.toBlob((blob) => {
        save(blob, `${name}.png`);
        resolve(blob);
      }, "image/png");
    };
    image.onerror = () => reject(new Error("the picture could not be drawn"));
    image.src = address;
  });
}

export function saveCsv(columns, rows, name) {
  const lines = [columns, ...rows].map((row) => row.map(quoted).join(","));
  save(new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" }), `${name}.csv`);
}

// A spreadsheet runs a cell that starts like a formula; an apostrophe makes it text again. Numbers stay numbers.
function quoted(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// The drawings, side by side as they stand in the page, as one SVG that needs no style sheet.
function standalone(drawings) {
  const boxes = drawings.map((drawing) => drawing.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.ceil(Math.max(...boxes.map((box) => box.right)) - left);
  const height = Math.ceil(Math.max(...boxes.map((box) => box.bottom)) - top);
  const root = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  root.setAttribute("width", width);
  root.setAttribute("height", height);
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", width);
  paper.setAttribute("height", height);
  paper.setAttribute("fill", plainColour(getComputedStyle(document.body).backgroundColor));
  root.append(paper);
  drawings.forEach((drawing, k) => {
    const copy = drawing.cloneNode(true);
    copyStyles(drawing, copy);
    copy.setAttribute("x", boxes[k].left - left);
    copy.setAttribute("y", boxes[k].top - top);
    root.append(copy);
  });
  return { text: new XMLSerializer().serializeToString(root), width, height };
}

function copyStyles(from, to) {
  const style = getComputedStyle(from);
  for (const name of COPIED_STYLES) to.setAttribute(name, plainColour(style.getPropertyValue(name)));
  for (const name of ["class", "style", "tabindex"]) to.removeAttribute(name);
  [...from.children].forEach((child, k) => copyStyles(child, to.children[k]));
}

// Mixed colours are computed as color(srgb r g b), which few programs besides browsers read.
function plainColour(value) {
  const found = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(value);
  if (!found) return value;
  const channel = (text) => Math.round(Math.min(1, Math.max(0, Number(text))) * 255);
  const [red, green, blue] = found.slice(1, 4).map(channel);
  return found[4] === undefined ? `rgb(${red}, ${green}, ${blue})` : `rgba(${red}, ${green}, ${blue}, ${found[4]})`;
}
