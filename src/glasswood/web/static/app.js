// The app: a form above the panels. A refusal is said beside its field, and the figures before it stay.

import { ask } from "./ask.js";
import { createForm } from "./form.js";

export function startApp(shell) {
  const form = createForm(shell.state, submit);
  shell.top.append(form.element);
  let running = 0;

  // The page of some settings: its outline, and the panel that is looked at; the others are asked for when opened.
  async function submit(settings) {
    running += 1;
    const mine = running;
    form.busy(true);
    try {
      const query = new URLSearchParams(settings);
      const outline = await ask(`api/page?${query}`);
      const load = async (kind) => (await ask(`api/${kind}?${query}`)).data;
      const kinds = outline.sections.map((section) => section.kind);
      const viewed = kinds.includes(shell.state.get("view")) ? shell.state.get("view") : kinds.includes("tree") ? "tree" : kinds[0];
      const first = await load(viewed);
      if (mine !== running) return;
      const sections = outline.sections.map((section) => ({ ...section, data: section.kind === viewed ? first : null }));
      shell.state.set("view", viewed);
      form.done(settings, `api/export?${query}`);
      shell.show({ title: outline.title, sections }, load);
    } catch (error) {
      if (mine === running) form.refuse(error.field ?? null, error.message);
    } finally {
      if (mine === running) form.busy(false);
    }
  }

  submit(form.settings());
}
