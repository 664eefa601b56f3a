// What several panels share: a sentence at the top, choices, a ranked list to pick from, a table behind a fold.

import { html, largeText, nameText } from "../svg.js";

// The one sentence a panel begins with.
export function beginPanel(root, data) {
  root.append(html("p", { class: "lead" }, data.lead));
}

// The state as one panel uses it: `stop` ends all its listening at once, when the panel is taken away.
export function ownState(state) {
  const stops = [];
  return {
    get: state.get,
    set: state.set,
    listen: (key, listener) => stops.push(state.listen(key, listener)),
    stop: () => stops.forEach((stop) => stop()),
  };
}

// A number of the data as it stands there, with a typographic minus.
export function shownNumber(value) {
  if (value === null || value === undefined) return "–";
  return Math.abs(value) >= 1e6 && Math.abs(value) < 1e15 ? largeText(value) : String(value).replace("-", "−");
}

// A number with its sign.
export function signedNumber(value) {
  const text = shownNumber(value);
  return value > 0 ? `+${text}` : text;
}

// A labelled select; `options` are { value, text }.
export function choice(label, options, value, onpick) {
  const select = html(
    "select",
    { "aria-label": label, onchange: () => onpick(select.value) },
    ...options.map((option) => html("option", { value: option.value, selected: option.value === value }, option.text)),
  );
  return { element: html("label", { class: "choice" }, html("span", {}, label), select), select };
}

// Cells at their real widths, or all alike; kept in the state, where the real ones go without saying.
export function widthChoice(state) {
  const options = [
    { value: "real", text: "real widths" },
    { value: "equal", text: "equal widths" },
  ];
  const shown = (value) => (value === "equal" ? "equal" : "real"); // curves have further axes
  const made = choice("Cells", options, shown(state.get("cells")), (value) =>
    state.set("cells", value === "real" ? null : value),
  );
  state.listen("cells", (value) => {
    made.select.value = shown(value);
  });
  return made.element;
}

// A select for the output where there are several; null where there is one. It follows the state and sets it.
export function outputChoice(outputs, state) {
  if (outputs.length < 2) return null;
  const made = choice(
    "Output",
    outputs.map((name) => ({ value: name, text: name })),
    outputs[outputIndex(outputs, state)],
    (value) => state.set("output", value),
  );
  state.listen("output", () => {
    made.select.value = outputs[outputIndex(outputs, state)];
  });
  return made.element;
}

export function outputIndex(outputs, state) {
  return Math.max(0, outputs.indexOf(state.get("output")));
}

// A list to pick one from, with a bar for each. Items: { key, text, detail, share (0 to 1 or null), group (a heading or
// null) }; items of a group stand together.
export function rankList(label, items, key, onpick) {
  const chosen = { key };
  const options = items.map((item, k) =>
    html(
      "li",
      { role: "option", class: "rank", id: `rank-${rankCount.next}-${k}`, onclick: () => pick(k) },
      html("span", { class: "rank-text" }, nameText(item.text)),
      html("span", { class: "rank-detail" }, item.detail),
      item.share === null || item.share === undefined ? null : rankBar(item.share),
    ),
  );
  rankCount.next += 1;
  const list = html("ul", { class: "rank-list", role: "listbox", "aria-label": label, tabindex: "0" });
  const groups = grouped(items, options);
  list.append(...groups.map(({ element }) => element));

  function mark(where) {
    options.forEach((option, k) => option.setAttribute("aria-selected", items[k].key === where ? "true" : "false"));
    const k = items.findIndex((item) => item.key === where);
    if (k >= 0) list.setAttribute("aria-activedescendant", options[k].id);
    chosen.key = where;
    keepInSight();
  }

  // The whole of the chosen entry can be seen.
  function keepInSight() {
    const option = options[items.findIndex((item) => item.key === chosen.key)];
    if (!option) return;
    const edge = 4; // the padding of the list
    const below = option.offsetTop + option.offsetHeight + edge - list.clientHeight;
    if (below > list.scrollTop) list.scrollTop = below;
    if (option.offsetTop - edge < list.scrollTop) list.scrollTop = option.offsetTop - edge;
  }

  function pick(k) {
    mark(items[k].key);
    onpick(items[k].key);
  }

  list.addEventListener("keydown", (event) => {
    // what a search has hidden is passed over
    const seen = options.map((_, k) => k).filter((k) => !options[k].hidden);
    const at = seen.indexOf(items.findIndex((item) => item.key === chosen.key));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: seen.length - 1 }[event.key];
    if (to === undefined || !seen.length) return;
    event.preventDefault();
    pick(seen[Math.min(seen.length - 1, Math.max(0, to))]);
  });
  mark(key);
  new ResizeObserver(keepInSight).observe(list); // it has no height before its panel is shown
  const showGroups = () => groups.forEach(({ element, own }) => (element.hidden = own.every((option) => option.hidden)));
  return { element: list, mark, options, showGroups };
}

// The options as they are, or in groups with a heading each: { element, own: its options }.
function grouped(items, options) {
  if (!items.some(({ group }) => group)) return options.map((element) => ({ element, own: [element] }));
  const found = new Map();
  items.forEach(({ group }, k) => (found.get(group) ?? found.set(group, []).get(group)).push(options[k]));
  return [...found].map(([group, own]) => ({
    own,
    element: html(
      "ul",
      { role: "group", "aria-label": group },
      html("li", { class: "rank-group", "aria-hidden": "true" }, group),
      ...own,
    ),
  }));
}

// The same with a field to search by, where the list is long.
export function searchList(label, what, items, key, onpick) {
  const list = rankList(label, items, key, onpick);
  if (items.length <= FEW_ITEMS) return list;
  const none = html("p", { class: "quiet", hidden: true }, `No ${what} in this list has that name.`);
  const search = html("input", {
    type: "search",
    class: "row-search",
    "aria-label": `Find a ${what} in the list`,
    placeholder: `Find a ${what} among ${items.length}`,
    oninput: () => {
      const wanted = search.value.trim().toLowerCase();
      let left = 0;
      items.forEach((item, k) => {
        const shown = item.text.toLowerCase().includes(wanted);
        list.options[k].hidden = !shown;
        left += shown ? 1 : 0;
      });
      list.showGroups();
      none.hidden = left > 0;
    },
  });
  return { element: html("div", {}, search, list.element, none), mark: list.mark };
}

const FEW_ITEMS = 12; // that are seen without scrolling
const rankCount = { next: 0 };

function rankBar(share) {
  const fill = html("span", { class: "rank-fill" });
  fill.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return html("span", { class: "rank-bar", "aria-hidden": "true" }, fill);
}

// Folded away until somebody wants it; `build(root)` is called once, when it is first opened.
export function fold(summary, build) {
  const body = html("div", { class: "fold-body" });
  let built = false;
  const element = html(
    "details",
    {
      class: "fold",
      ontoggle: () => {
        if (!built && element.open) {
          built = true;
          build(body);
        }
      },
    },
    html("summary", {}, summary),
    body,
  );
  return element;
}

// Puts text on the clipboard and says so on the button; a frame that may not ask the browser copies as of old.
export async function copyText(button, text) {
  const before = button.textContent;
  try {
    if (window.self !== window.top) throw new Error("a frame may not ask the browser");
    await navigator.clipboard.writeText(text);
  } catch {
    const area = html("textarea", { class: "offscreen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = before;
  }, 1200);
}

// Cells of a feature as pixels: { left[], right[], ticks: [[pixel, text]] }. Real widths, or one width for all.
// `gap` is the least distance between two ticks; by default the width of their texts.
export function placeCells(axis, [from, to], equal, gap = null) {
  const n = axis.left.length;
  if (!equal) {
    const low = Math.min(...axis.left);
    const high = Math.max(...axis.right);
    const place = (x) => from + ((x - low) / (high - low || 1)) * (to - from);
    return {
      left: axis.left.map(place),
      right: axis.right.map(place),
      ticks: thin(
        axis.ticks.map(([x, text]) => [place(x), text]),
        gap,
      ),
    };
  }
  const line = axis.label.filter((label) => label === null).length;
  const beside = line > 0 && line < n ? 0.5 : 0;
  const step = (to - from) / (n + beside);
  const start = (k) => from + step * (k + (k >= line ? beside : 0));
  const left = axis.left.map((_, k) => start(k));
  return {
    left,
    right: left.map((x) => x + step),
    ticks: thin(
      axis.edges.map((text, k) => [start(k + 1), text]),
      gap,
    ),
  };
}

export const TURNED_GAP = 17; // px between slanted names that can still be told apart

// Texts that would run into each other are left out.
export function thin(marks, gap) {
  const kept = [];
  for (const mark of marks) {
    const last = kept[kept.length - 1];
    if (!last || Math.abs(mark[0] - last[0]) >= (gap ?? 3.6 * (mark[1].length + last[1].length) + 8)) kept.push(mark);
  }
  return kept;
}

// The cell at a pixel, or the nearest one.
export function cellAt(placed, pixel) {
  let best = 0;
  let least = Infinity;
  placed.left.forEach((left, k) => {
    const away = pixel < left ? left - pixel : pixel > placed.right[k] ? pixel - placed.right[k] : 0;
    if (away < least) {
      least = away;
      best = k;
    }
  });
  return best;
}

// Text cut to a length; the whole of it is in what is read aloud and in the table.
export function cutText(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

// A name cut in the middle: names of columns often differ only in their last letters.
export function cutName(text, most) {
  if (text.length <= most) return text;
  const digits = /\d*$/.exec(text)[0].length; // the last digits of a number would be another number
  const last = digits && digits < most - 2 ? digits : Math.floor((most - 1) / 3);
  return `${text.slice(0, most - 1 - last)}…${text.slice(text.length - last)}`;
}
