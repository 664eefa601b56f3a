"""What every panel must satisfy."""

from playwright.sync_api import Page

from tests.browser.waiting import eventually

# contrast of every text with its background, by WCAG's formula; text over figures is not checked
CONTRAST = """
() => {
  const channel = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
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
  for (const element of document.querySelectorAll("main *, header *, nav *")) {
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


TOO_WIDE = "() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)"


def assert_looks_right(page: Page) -> None:
    """Names, contrast, and nothing wider than the window."""
    eventually(page, lambda: page.evaluate(NAMELESS), [])
    eventually(page, lambda: page.evaluate(CONTRAST), [])
    eventually(page, lambda: page.evaluate(TOO_WIDE), 0)
