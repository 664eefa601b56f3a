// The app: a form above the panels. A refusal is said beside its field, and the figures before it stay.

import { ask } from "./ask.js";
import { createForm } from "./form.js";

const PROGRESS_PAUSE = 700; // ms between two questions how far the server is

export async function startApp(shell) {
  const form = createForm(shell.state, submit, (await about()).given);
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
      const more = async (kind, wanted) => (await ask(`api/${kind}?${new URLSearchParams({ ...settings, ...wanted })}`)).data;
      const load = (kind, say) => told(more(kind, {}), `api/progress?${new URLSearchParams({ ...settings, kind })}`, say ?? form.say);
      const kinds = outline.sections.map((section) => section.kind);
      const first = settings.data === "given" ? "overview" : "tree";
      const viewed = [shell.state.get("view"), first, kinds[0]].find((kind) => kinds.includes(kind));
      const shown = await loadOrRefuse(load, viewed);
      if (mine !== running) return;
      const sections = outline.sections.map((section) => ({ ...section, data: section.kind === viewed ? shown : null }));
      shell.state.set("view", viewed);
      form.done(settings, `api/export?${query}`);
      shell.show({ title: outline.title, sections }, load, more);
    } catch (error) {
      if (mine === running) form.refuse(error.field ?? null, error.message);
    } finally {
      if (mine === running) form.busy(false);
    }
  }

  if (form.complete()) submit(form.settings());
  else shell.show({ title: "Look into a model", sections: [] });
}

// The same promise; while it is not kept, say(text) is told how long it takes already and what the server is doing.
function told(promise, address, say) {
  const begun = Date.now();
  let over = false;
  const end = () => {
    over = true;
  };
  promise.then(end, end);
  (async () => {
    await pause(PROGRESS_PAUSE);
    while (!over) {
      let doing = "";
      try {
        ({ doing } = await ask(address));
      } catch {
        return; // the promise says what is wrong
      }
      if (over) return;
      say(`Computing … ${Math.round((Date.now() - begun) / 1000)} s${doing ? `, ${doing}` : ""}`);
      await pause(PROGRESS_PAUSE);
    }
  })();
  return promise;
}

function pause(time) {
  return new Promise((done) => setTimeout(done, time));
}

// What the server has; a server that does not answer is said when something is asked of it.
async function about() {
  try {
    return await ask("api");
  } catch {
    return { given: null };
  }
}

// The data of a panel, or why it cannot be shown: one panel that refuses leaves the others. What is wrong with a field
// of the form is said there.
async function loadOrRefuse(load, kind) {
  try {
    return await load(kind);
  } catch (error) {
    if (error.field) throw error;
    return { refused: error.message };
  }
}
