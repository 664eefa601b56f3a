// Find anything: a field in the header that leads to every panel, feature, pair, row and rule of the page.

import { html, nameText, shownText } from "./svg.js";

const MAX_FOUND = 12;

// createFinder(state) → { element, index(sections) }; sections are those of the page, with or without data.
export function createFinder(state) {
  let entries = [];
  let found = [];
  let at = -1;
  const list = html("ul", { class: "found", id: "found", role: "listbox", "aria-label": "Found", hidden: true });
  const input = html("input", {
    type: "search",
    class: "find",
    role: "combobox",
    "aria-label": "Find a feature, pair, row or rule",
    "aria-expanded": "false",
    "aria-controls": "found",
    "aria-autocomplete": "list",
    autocomplete: "off",
    placeholder: "Find a feature, pair, row …",
    oninput: search,
    onfocus: search,
    onblur: close,
    onkeydown: key,
  });

  function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = words.length ? bestEntries(entries, words, input.value.trim().toLowerCase()) : [];
    at = found.length ? 0 : -1;
    const none = words.length && !found.length;
    list.replaceChildren(
      ...found.map((entry, k) =>
        html(
          "li",
          { role: "option", id: `found-${k}`, onpointerdown: (event) => event.preventDefault(), onclick: () => go(k) },
          html("span", { class: "found-text" }, entry.text),
          html("span", { class: "found-where" }, entry.where),
        ),
      ),
      none ? html("li", { role: "option", "aria-disabled": "true", class: "quiet" }, "Nothing on this page has that name.") : "",
    );
    list.hidden = !words.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark();
  }

  function mark() {
    [...list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === at)));
    if (at >= 0) input.setAttribute("aria-activedescendant", `found-${at}`);
    else input.removeAttribute("aria-activedescendant");
  }

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function key(event) {
    if (event.key === "Escape") {
      input.value = "";
      close();
    } else if (event.key === "Enter" && at >= 0 && !list.hidden) go(at);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (list.hidden || !found.length) return;
      at = Math.min(found.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1)));
      mark();
      list.children[at].scrollIntoView({ block: "nearest" });
    } else return;
    event.preventDefault();
  }

  function go(k) {
    for (const [name, value] of Object.entries(found[k].state)) state.set(name, value);
    input.value = "";
    close();
  }

  return {
    element: html("div", { class: "finder", role: "search" }, input, list),
    index(sections) {
      entries = sections.flatMap(entriesOf);
      entries.forEach((entry) => {
        entry.key = `${shownText(entry.text)} ${entry.more ?? ""}`.toLowerCase();
      });
    },
  };
}

// What is called exactly as typed comes first, then what begins so; the order of the page decides among equals.
function bestEntries(entries, words, typed) {
  const kept = entries.filter((entry) => words.every((word) => entry.key.includes(word)));
  const rank = (entry) => (entry.text.toLowerCase() === typed ? 0 : entry.key.startsWith(words[0]) ? 1 : 2);
  return kept.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_FOUND);
}

// What a panel holds that can be gone to: the text found by, and the state that shows it.
function entriesOf({ kind, title, data }) {
  const panel = { text: title, where: "panel", state: { view: kind } };
  if (!data || data.refused) return [panel];
  const lists = {
    effects: () =>
      [...data.features.map(({ name }) => name), ...data.without.used, ...data.without.unused].map((name) => ({
        text: nameText(name),
        where: title,
        state: { view: kind, feature: name },
      })),
    interactions: () =>
      data.tables.map(({ features }) => ({ text: features.map(nameText).join(" × "), where: title, state: { view: kind, pair: features.join(" × ") } })),
    prediction: () =>
      data.rows.map(({ row, name, values, target }) => ({
        text: name,
        more: [...values, target ?? ""].join(" "),
        where: title,
        state: { view: kind, example: row },
      })),
    rules: () => data.rules.map(({ sentence }) => ({ text: sentence, where: title, state: { view: kind, p0: null } })),
    comparison: () => data.curves.map(({ name }) => ({ text: nameText(name), where: title, state: { view: kind, feature: name } })),
    performance: () =>
      (data.parts[0]?.views ?? []).map(({ name }) => ({ text: nameText(name), where: title, state: { view: kind, against: name } })),
  };
  return [panel, ...(lists[kind]?.() ?? [])];
}
