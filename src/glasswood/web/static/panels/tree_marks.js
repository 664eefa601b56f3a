// How classes and numbers look: a colour and a shape per class, a tint between two colours per number.

import { svg } from "../svg.js";

const SHAPES = [
  (r) => `M${r} 0A${r} ${r} 0 1 1 ${-r} 0A${r} ${r} 0 1 1 ${r} 0Z`,
  (r) => `M${-0.9 * r} ${-0.9 * r}H${0.9 * r}V${0.9 * r}H${-0.9 * r}Z`,
  (r) => `M0 ${-1.25 * r}L${1.15 * r} ${0.8 * r}H${-1.15 * r}Z`,
  (r) => `M0 ${-1.35 * r}L${1.35 * r} 0L0 ${1.35 * r}L${-1.35 * r} 0Z`,
  (r) => `M${-0.4 * r} ${-1.2 * r}H${0.4 * r}V${-0.4 * r}H${1.2 * r}V${0.4 * r}H${0.4 * r}V${1.2 * r}H${-0.4 * r}V${0.4 * r}H${-1.2 * r}V${-0.4 * r}H${-0.4 * r}Z`,
  (r) => `M0 ${1.25 * r}L${1.15 * r} ${-0.8 * r}H${-1.15 * r}Z`,
  (r) => `M${-1.4 * r} ${-0.5 * r}H${1.4 * r}V${0.5 * r}H${-1.4 * r}Z`,
];

// With ten colours that begin again, the first 70 classes differ in colour or shape.
export function shapeOf(k, radius) {
  return SHAPES[(k + Math.floor(k / 10)) % SHAPES.length](radius);
}

// Sets the colour of an element that stands for a number: how far it lies below (−1) or above (1).
export function setShade(element, shade, colours) {
  element.classList.add(colours.signOf(shade));
  setStrength(element, shade);
}

// Sets the colour of what a node says: its class, the class it moves the answer towards, or its number.
export function setMark(element, tree, node, colours) {
  if (tree.predicted) element.classList.add(colours.classOf(tree.predicted[node]));
  else if (tree.towards) {
    const none = tree.towards[node] < 0;
    element.classList.add(none ? "mark-none" : colours.classOf(tree.towards[node]));
    if (none) element.style.setProperty("--shade", "0%");
    else setStrength(element, tree.shade[node]);
  } else setShade(element, tree.shade[node], colours);
}

function setStrength(element, strength) {
  element.style.setProperty("--shade", `${Math.round(12 + 76 * Math.abs(strength))}%`);
}

// The shares of the classes as a pie.
export function pie(counts, radius, colours) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const wedges = [];
  let turned = 0;
  counts.forEach((count, k) => {
    if (count === 0) return;
    const look = `wedge ${colours.classOf(k)}`;
    if (count === total) {
      wedges.push(svg("circle", { class: look, r: radius }));
      return;
    }
    const corner = (share) => `${radius * Math.sin(2 * Math.PI * share)} ${-radius * Math.cos(2 * Math.PI * share)}`;
    const end = turned + count / total;
    const large = count / total > 0.5 ? 1 : 0;
    wedges.push(svg("path", { class: look, d: `M0 0L${corner(turned)}A${radius} ${radius} 0 ${large} 1 ${corner(end)}Z` }));
    turned = end;
  });
  return wedges;
}
