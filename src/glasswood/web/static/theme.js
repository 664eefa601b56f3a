// Light or dark: what the reader's system says, unless the button says otherwise.

import { html } from "./svg.js";

const THEMES = ["auto", "light", "dark"];
const THEME_TEXT = { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" };

export function themeButton() {
  let theme = remembered();
  const button = html("button", { type: "button", class: "theme-button" });
  function apply() {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = THEME_TEXT[theme];
    button.setAttribute("aria-label", `Colours: ${theme}`);
  }
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    try {
      localStorage.setItem("glasswood-theme", theme);
    } catch {
      // a sandboxed frame remembers nothing
    }
    apply();
  });
  apply();
  return button;
}

function remembered() {
  try {
    const theme = localStorage.getItem("glasswood-theme");
    return THEMES.includes(theme) ? theme : "auto";
  } catch {
    return "auto";
  }
}
