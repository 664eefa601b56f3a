"""What every panel must satisfy."""

from playwright.sync_api import Page

from tests.browser.waiting import eventually

# contrast of every text with its background, by WCAG's formula; text over figures is not checked
CONTRAST = """
() => {
  const channel = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map(); // few colours are used many times
  const rgba = (text) => {
    if (known.has(text)) return known.get(text);
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    known.set(text, [...canvas.getImageData(0, 0, 1, 1).data]);
    return known.get(text);
  };
  const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = rgba(getComputedStyle(at).backgroundColor);
      if (found[3] > 250) return found;
    }
    return [255, 255, 255, 255];
  };
  const low = [];
  const shown = "main > :not([hidden]) *, header *, nav *, .top *";
  for (const element of document.querySelectorAll(shown)) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.getClientRects().length || element.closest("option, .on-heat, .tooltip")) continue;
    const style = getComputedStyle(element);
    const front = rgba(element.closest("svg") ? style.fill : style.color);
    const [a, b] = [light(front), light(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const need = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const name = element.className?.baseVal ?? element.className;
    if (ratio < need) low.push(`${element.tagName} ${name} ${element.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return low;
}
"""

# Controls without a name, drawings without a label, ids used twice.
NAMELESS = """
() => {
  const wrong = [];
  const named = (element) =>
    element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.length || element.title;
  const kinds = ["button", "select", "input", "summary", "[tabindex='0']", "svg", "[role]"];
  for (const element of document.querySelectorAll(kinds.map((kind) => `main ${kind}`).join(", "))) {
    if (element.closest("[aria-hidden='true'], [role='status'], [role='note']")) continue;
    if (!named(element)) wrong.push(element.outerHTML.slice(0, 120));
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) wrong.push(`id ${id} twice`);
  return wrong;
}
"""


# visible texts of the drawings that are outside of their drawing, or overlap in the same axis
SPOILT = """
(panel) => {
  const wrong = [];
  for (const figure of document.querySelectorAll(`#panel-${panel} figure svg`)) {
    const frame = figure.getBoundingClientRect();
    const texts = [...figure.querySelectorAll("text")].filter((t) => t.textContent && t.getBoundingClientRect().width);
    for (const text of texts) {
      const box = text.getBoundingClientRect();
      const out = Math.max(frame.left - box.left, box.right - frame.right, box.bottom - frame.bottom - 2);
      if (out > 1.5) wrong.push(`cut off: ${text.textContent}`);
    }
    const slanted = texts.filter((t) => /rotate\\(-(40|55)\\)/.test(t.getAttribute("transform") ?? ""))
      .map((t) => [...t.getAttribute("transform").matchAll(/[-\\d.]+/g)].slice(0, 2).map(Number));
    for (const [k, [x, y]] of slanted.entries()) {
      if (slanted.slice(k + 1).some(([a, b]) => b === y && Math.abs(a - x) < 15)) wrong.push(`slanted names at ${x}`);
    }
    const straight = texts.filter((t) => !t.getAttribute("transform"));
    const titles = texts.filter((t) => t.classList.contains("axis-title"));
    const hit = (a, b, slack) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
    for (const [k, text] of straight.entries()) {
      if (text.closest(".node, .node-words")) continue;
      for (const other of [...straight.slice(k + 1), ...titles]) {
        if (other === text || other.closest(".node, .node-words")) continue;
        if (hit(text.getBoundingClientRect(), other.getBoundingClientRect(), 1.5)) {
          wrong.push(`printed over each other: ${text.textContent} and ${other.textContent}`);
        }
      }
    }
  }
  return wrong;
}
"""

TOO_WIDE = "() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)"


def assert_looks_right(page: Page) -> None:
    """Names, contrast, and nothing wider than the window."""
    eventually(page, lambda: page.evaluate(NAMELESS), [])
    eventually(page, lambda: page.evaluate(CONTRAST), [])
    eventually(page, lambda: page.evaluate(TOO_WIDE), 0)
