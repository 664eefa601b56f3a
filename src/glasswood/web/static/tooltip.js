// The one tooltip of a page: lines of text beside the pointer, or beside what has the focus.

import { html } from "./svg.js";

export function createTooltip(host) {
  const box = html("div", { class: "tooltip", role: "tooltip", id: "tooltip", hidden: true });
  host.append(box);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.hidden = true;
  });
  return {
    element: box,
    // `target` is an element, or a point { x, y } of the window; the first lines, by default two, are code, the rest a
    // remark.
    show(target, lines, code = 2) {
      box.replaceChildren(...lines.map((line, k) => html("div", { class: k < code ? "tooltip-code" : "tooltip-note" }, line)));
      box.hidden = false;
      place(box, target instanceof Element ? corner(target) : target);
    },
    hide() {
      box.hidden = true;
    },
  };
}

function corner(element) {
  const rect = element.getBoundingClientRect();
  return { x: rect.right, y: rect.bottom };
}

// Right below the point, or on its other side where the window ends.
function place(box, point) {
  const gap = 12;
  const { width, height } = box.getBoundingClientRect();
  const right = document.documentElement.clientWidth;
  const bottom = document.documentElement.clientHeight;
  const x = point.x + gap + width <= right ? point.x + gap : point.x - gap - width;
  const y = point.y + gap + height <= bottom ? point.y + gap : point.y - gap - height;
  box.style.left = `${Math.max(4, Math.min(x, right - width - 4))}px`;
  box.style.top = `${Math.max(4, y)}px`;
}
