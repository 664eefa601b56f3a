// Zoom and pan of the tree: the drawing becomes wider than its frame, which scrolls; rows keep their height.

import { html } from "../svg.js";

const ZOOM_STEP = 1.5;
const LEAF_ROOM = 110; // px of a leaf at the largest zoom: its words fit
const DRAG_START = 4; // px; less is a click

// treeZoom(bar, frame, { leaves, changed }) → { factor, fit, keys(event), drags(), centre(x) }: `leaves` is a function.
export function treeZoom(bar, frame, { leaves, changed }) {
  let factor = 1;
  let drag = null;
  const button = (text, label, action) => html("button", { type: "button", class: "step", "aria-label": label, onclick: action }, text);
  const out = button("−", "Zoom out", () => set(factor / ZOOM_STEP));
  const back = button("fit", "Fit the tree into its frame", () => set(1));
  const into = button("+", "Zoom in", () => set(factor * ZOOM_STEP));
  bar.append(html("span", { class: "stepper zoom", role: "group", "aria-label": "Zoom" }, out, back, into));
  frame.classList.add("zoomable");

  function largest() {
    return Math.max(1, (leaves() * LEAF_ROOM) / Math.max(frame.clientWidth, 1));
  }

  // Zooms so that what is at `x` of the frame stays there.
  function set(wanted, x = frame.clientWidth / 2) {
    const next = Math.min(largest(), Math.max(1, wanted));
    if (next === factor) return;
    const share = (frame.scrollLeft + x) / Math.max(frame.scrollWidth, 1);
    factor = next;
    frame.classList.toggle("zoomed", factor > 1);
    changed();
    frame.scrollLeft = share * frame.scrollWidth - x;
    show();
  }

  function show() {
    frame.classList.toggle("zoomed", factor > 1); // a frame that need not scroll shows no scroll bar
    out.disabled = factor <= 1;
    back.disabled = factor <= 1;
    into.disabled = factor >= largest() * 0.999;
  }

  frame.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls, as everywhere
      event.preventDefault();
      set(factor * (event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP), event.clientX - frame.getBoundingClientRect().left);
    },
    { passive: false },
  );
  frame.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button === 0 && factor > 1) drag = { x: event.clientX, left: frame.scrollLeft, moved: false };
  });
  frame.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!event.buttons) {
      drag = null;
      return;
    }
    drag.moved ||= Math.abs(event.clientX - drag.x) > DRAG_START;
    if (drag.moved) frame.scrollLeft = drag.left - (event.clientX - drag.x);
  });
  for (const type of ["pointerup", "pointerleave"]) frame.addEventListener(type, () => (drag = null));

  return {
    factor: () => Math.min(factor, largest()),
    reset() {
      factor = 1;
      show();
    },
    show,
    drags: () => drag !== null && drag.moved,
    // the key of a zoom, if it is one
    key(event) {
      const to = { "+": factor * ZOOM_STEP, "-": factor / ZOOM_STEP, 0: 1 }[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey) return false;
      event.preventDefault();
      set(to);
      return true;
    },
    // brings a place of the drawing into the middle of the frame
    centre(x) {
      if (factor > 1) frame.scrollLeft = x - frame.clientWidth / 2;
    },
  };
}
