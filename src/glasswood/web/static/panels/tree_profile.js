// Impurity by depth, beside the tree: depth downward as there, impurity to the right. The figure is a slider.

import { axisBottom, drawing, linear, svg, textWidth, ticks } from "../svg.js";

export function drawProfile({ tree, links, rows, width }) {
  const root = drawing(width, rows.height, "Depth of the cut", {
    class: "profile-drawing",
    role: "slider",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-valuemin": 0,
    "aria-valuemax": links.last,
  });
  const left = 30;
  const right = width - 14;
  const scale = linear([0, tree.impurity_end], [left, right]);
  const bottom = rows.top(links.last + 1);
  const values = ticks(0, tree.impurity_end, Math.max(2, Math.round((right - left) / 70)));
  const band = svg("rect", { class: "band", x: 0, width, height: rows.band });
  const points = tree.impurity.map((impurity, depth) => [scale(impurity), rows.y(depth)]);
  const dots = points.map(([cx, cy], depth) => svg("circle", { class: "profile-dot", "data-depth": depth, cx, cy, r: 4 }));
  const value = svg("text", { class: "profile-value" });
  const step = Math.max(1, Math.ceil(15 / rows.band));
  const numbers = points.map(([, cy], depth) =>
    depth % step ? null : svg("text", { class: "depth-number", x: 12, y: cy + 4, "text-anchor": "middle" }, String(depth)),
  );
  root.append(
    band,
    axisBottom({ scale, values, y: bottom, grid: bottom - rows.top(0), title: tree.impurity_title, width }),
    svg("path", { class: "profile-line", d: `M${points.map((point) => point.join(" ")).join("L")}` }),
    ...numbers.filter(Boolean),
    ...dots,
    value,
  );
  return {
    root,
    band,
    select(depth) {
      const [cx, cy] = points[depth];
      const text = tree.impurity_text[depth];
      const wide = 1.1 * textWidth(text); // it is bold
      const fitsLeft = cx - 9 - wide >= 24; // numbers of depths stand there
      const fitsRight = cx + 9 + wide <= width;
      const onLeft = fitsLeft && (cx > (left + right) / 2 || !fitsRight);
      value.textContent = text;
      value.setAttribute("x", onLeft ? cx - 9 : fitsRight ? cx + 9 : width);
      value.setAttribute("y", cy - 7);
      value.setAttribute("text-anchor", onLeft || !fitsRight ? "end" : "start");
      root.setAttribute("aria-valuenow", depth);
      root.setAttribute("aria-valuetext", `depth ${depth} of ${links.last}, impurity ${tree.impurity_text[depth]}`);
      dots.forEach((dot, k) => dot.classList.toggle("chosen", k === depth));
    },
  };
}
