// The shell: title, left rail, and one panel at a time. A panel is drawn when it is first looked at.

import { createContext } from "./context.js";
import { createFinder } from "./find.js";
import { markTerms } from "./glossary.js";
import { PANELS } from "./registry.js";
import { copyText } from "./panels/parts.js";
import { createState } from "./state.js";
import { html, shownText } from "./svg.js";
import { themeButton } from "./theme.js";
import { createTooltip } from "./tooltip.js";

// mountShell(root, first) → { state, show(page, load, more), top }: `show` takes what Page.to_dict() gives; `top` is above the
// panels. Where a section has no data yet, load(kind) promises it; more(kind, settings) promises what no page holds.
export function mountShell(root, first) {
  const state = createState(first);
  const tooltip = createTooltip(document.body);
  const heading = html("h1", {});
  const rail = html("ul", { class: "rail-list" });
  const top = html("div", { class: "top" });
  const main = html("main", { id: "main", tabindex: "-1" });
  const finder = createFinder(state);
  const skip = html("button", { type: "button", class: "skip", onclick: () => main.focus() }, "Skip to the figures");
  const nav = html("nav", { class: "rail", "aria-label": "Panels" }, rail);
  root.prepend(
    skip,
    html("header", { class: "header" }, html("span", { class: "brand" }, "glasswood"), heading, finder.element, keepButton(state), themeButton()),
    html("div", { class: "shell" }, nav, html("div", { class: "content" }, top, main)),
  );
  let panels = [];
  let load = null;
  let more = null;

  function kindsShown() {
    return panels.map(({ section }) => section.kind);
  }

  // The data of a panel, which may not be open yet; null where the page has no such panel.
  async function sectionOf(kind, say = null) {
    const panel = panels.find(({ section }) => section.kind === kind);
    if (!panel) return null;
    panel.data ??= panel.section.data;
    if (!panel.data) {
      panel.asked ??= load(kind, say);
      try {
        panel.data = await panel.asked;
      } finally {
        panel.asked = null;
      }
    }
    return panel.data;
  }

  async function mount(panel) {
    panel.mounted = true;
    const { kind } = panel.section;
    let data = panel.section.data ?? panel.data;
    if (!data) {
      const waiting = html("p", { class: "quiet", role: "status" }, "Computing …");
      panel.body.replaceChildren(waiting);
      try {
        data = await sectionOf(kind, (text) => waiting.replaceChildren(text));
      } catch (error) {
        panel.mounted = false;
        panel.body.replaceChildren(html("p", { class: "refused", role: "alert" }, error.message));
        return;
      }
      panel.body.replaceChildren();
    }
    panel.data = data;
    finder.index(panels.map(indexed));
    // a part that cannot be shown says why, in its place
    if (data.refused) panel.body.append(html("p", { class: "refused", role: "note" }, data.refused));
    else {
      const stop = PANELS[kind](panel.body, data, createContext(state, tooltip, { kinds: kindsShown, section: sectionOf, load: more }));
      const stopTerms = markTerms(panel.body, tooltip);
      panel.stop = () => {
        stopTerms();
        stop?.();
      };
    }
  }

  // On a narrow screen the links scroll sideways; the page itself stays where it is.
  function keepLink() {
    const link = nav.querySelector("[aria-current]");
    if (link) nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
  }

  function open(kind) {
    const wanted = panels.find((panel) => panel.section.kind === kind) ?? panels[0];
    tooltip.hide();
    for (const panel of panels) {
      const here = panel === wanted;
      panel.root.hidden = !here;
      if (here) {
        panel.link.setAttribute("aria-current", "page");
        keepLink();
      } else panel.link.removeAttribute("aria-current");
    }
    if (wanted && !wanted.mounted) mount(wanted);
  }

  function show(page, loadSection = null, loadMore = null) {
    load = loadSection;
    more = loadMore;
    for (const panel of panels) if (typeof panel.stop === "function") panel.stop();
    heading.textContent = shownText(page.title);
    document.title = page.title;
    panels = page.sections.filter((section) => PANELS[section.kind]).map((section) => makePanel(section, state));
    rail.replaceChildren(...panels.map((panel) => html("li", {}, panel.link)));
    nav.hidden = panels.length < 2;
    finder.element.hidden = panels.length < 2;
    finder.index(panels.map(indexed));
    main.classList.toggle("single", panels.length < 2);
    main.replaceChildren(...panels.map((panel) => panel.root));
    open(state.get("view"));
  }

  state.listen("view", open);
  new ResizeObserver(keepLink).observe(nav); // a turned telephone
  return { state, show, top };
}

// In a notebook a page has no address that could be kept: the button copies the call that opens it as it is now.
function keepButton(state) {
  if (window.self === window.top) return null;
  const button = html("button", { type: "button", class: "keep-button", title: "Copies what to write after the page in Python, so that the notebook opens it as it is now" }, "Keep this view");
  button.addEventListener("click", () => {
    button.dataset.call = `.at("${state.written()}")`;
    copyText(button, button.dataset.call);
  });
  return button;
}

// A section as the finder takes it: the app's have no data before they are opened.
function indexed(panel) {
  return { ...panel.section, data: panel.section.data ?? panel.data ?? null };
}

function makePanel(section, state) {
  const id = `panel-${section.kind}`;
  const body = html("div", { class: "panel-body" });
  const title = html("h2", { id: `${id}-title` }, section.title);
  // a whole address: a bare fragment would promise a place in this document
  const address = `${location.href.split("#")[0]}#view=${section.kind}`;
  const link = html("a", { href: address, "data-kind": section.kind }, section.title);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    state.set("view", section.kind);
  });
  const root = html("section", { class: `panel panel-${section.kind}`, id, "aria-labelledby": `${id}-title` }, title, body);
  return { section, root, body, link, mounted: false };
}
