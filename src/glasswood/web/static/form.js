// The form of the app: which rows, which tree. Its values are part of the address.

import { ask } from "./ask.js";
import { html, shownText } from "./svg.js";

const FORM_FIELDS = [
  { name: "seed", label: "Random seed", value: "7", generated: true, width: 7, mode: "numeric" },
  { name: "n", label: "Rows", value: "200", generated: true, width: 5, mode: "numeric" },
  { name: "classes", label: "Classes", value: "2", generated: true, width: 3, mode: "numeric" },
  { name: "noise", label: "Noise", value: "0.3", generated: true, width: 4, mode: "decimal" },
  { name: "max_depth", label: "Largest depth", value: "", hint: "none", width: 5, mode: "numeric" },
];
const TOY_TABLES = ["moons", "circles", "blobs", "xor"];

// `given` is the title of the model the app was started with, null where there is none.
export function createForm(state, submit, given) {
  const kinds = [...(given === null ? [] : ["given"]), "table", ...TOY_TABLES];
  const option = (value, text) => html("option", { value }, text);
  const data = html(
    "select",
    { name: "data", id: "field-data" },
    given === null ? null : option("given", given),
    option("table", "own files"),
    html("optgroup", { label: "Toy tables" }, ...TOY_TABLES.map((name) => option(name, name))),
  );
  const start = firstKind(state, given, kinds);
  const inputs = new Map(FORM_FIELDS.map((field) => [field.name, input(field)]));
  const files = fileFields(state, () => clear());
  const button = html("button", { type: "submit", class: "primary" }, "Generate");
  const save = html("a", { class: "export-link", hidden: true, download: "glasswood.html" }, "Save as one file");
  const working = html("span", { class: "form-working quiet", role: "status" });
  const messages = new Map();
  const wrapped = (name, label, control, ...more) => {
    const message = html("span", { class: "field-message", id: `message-${name}`, role: "alert" });
    messages.set(name, message);
    return html("span", { class: "field", "data-field": name }, html("label", { for: control.id }, label), control, ...more, message);
  };
  const rest = html("p", { class: "form-message", role: "alert" });
  const toy = html("button", { type: "button", onclick: () => showToy() }, "Look at a toy table");
  const welcome = html(
    "p",
    { class: "form-welcome" },
    "Choose a table with a target, and a model file if you have one, or drop the files here. Nothing leaves this machine.",
    toy,
  );
  const element = html(
    "form",
    { class: "form", novalidate: true, "aria-label": "Data and model" },
    welcome,
    wrapped("data", "Data", data),
    ...FORM_FIELDS.slice(0, 4).map((field) => wrapped(field.name, field.label, inputs.get(field.name))),
    ...files.fields.map((field) => wrapped(...field)),
    wrapped("max_depth", "Largest depth", inputs.get("max_depth")),
    html("span", { class: "field-buttons" }, button, save, working),
    rest,
  );

  data.value = start;
  for (const field of FORM_FIELDS) inputs.get(field.name).value = state.get(field.name) ?? field.value;
  arrange();

  function arrange() {
    const own = data.value === "table";
    const made = TOY_TABLES.includes(data.value);
    for (const field of FORM_FIELDS.filter((item) => item.generated)) inputs.get(field.name).parentElement.hidden = !made;
    for (const [, , control] of files.fields) control.parentElement.hidden = !own;
    inputs.get("max_depth").parentElement.hidden = data.value === "given";
    button.hidden = data.value === "given";
    button.textContent = own ? "Show" : "Generate";
    welcome.hidden = !own || complete();
  }

  // Whether there is something to show without asking for files first.
  function complete() {
    return data.value !== "table" || Boolean(files.settings().table);
  }

  function showToy() {
    data.value = TOY_TABLES[0];
    data.dispatchEvent(new Event("change"));
  }

  function settings() {
    const found = { data: data.value };
    for (const field of FORM_FIELDS) {
      if (!TOY_TABLES.includes(data.value) && (field.generated || data.value === "given")) continue;
      if (field.name !== "max_depth" || inputs.get("max_depth").value !== "") found[field.name] = inputs.get(field.name).value;
    }
    return data.value === "table" ? { ...found, ...files.settings() } : found;
  }

  function clear() {
    rest.textContent = "";
    for (const name of messages.keys()) say(name, files.refusal(name));
  }

  function refuse(name, text) {
    clear();
    if (messages.has(name)) say(name, text);
    else rest.textContent = shownText(text);
  }

  function say(name, text) {
    const control = element.querySelector(`#field-${name}`);
    messages.get(name).textContent = text ? shownText(text) : "";
    if (!text) {
      control.removeAttribute("aria-invalid");
      return;
    }
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", `message-${name}`);
  }

  data.addEventListener("change", () => {
    arrange();
    clear();
    if (data.value !== "table") element.requestSubmit();
  });
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (data.value === "table") {
      await files.settled();
      // a refused file is still named by the form: nothing else may be shown under its name
      const refused = files.refused();
      if (refused) {
        clear();
        element.querySelector(`#field-${refused}`).focus();
        return;
      }
    }
    for (const key of ["depth", "node", "tree", "x", "y", "row"]) state.set(key, null);
    submit(settings());
  });
  // An address changed by hand is a form filled in by hand.
  for (const field of [{ name: "data", value: start }, ...FORM_FIELDS]) {
    state.listen(field.name, (value) => {
      const control = field.name === "data" ? data : inputs.get(field.name);
      if (control.value === (value ?? field.value)) return;
      control.value = value ?? field.value;
      arrange();
      if (data.value !== "table" || (complete() && !files.refused())) submit(settings());
    });
  }
  for (const type of ["dragover", "drop"]) {
    element.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      if (type === "dragover") return;
      data.value = "table";
      arrange();
      files.take([...event.dataTransfer.files]);
    });
  }

  return {
    element,
    settings,
    complete,
    refuse,
    busy(on) {
      button.disabled = on;
      element.setAttribute("aria-busy", on ? "true" : "false");
      if (!on) working.textContent = "";
    },
    // what the server is doing while one waits
    say(text) {
      working.textContent = text;
    },
    // The settings that are shown now are those of the address.
    done(shown, address) {
      clear();
      arrange();
      save.href = address;
      save.hidden = false;
      for (const name of ["data", "seed", "n", "classes", "noise", "max_depth", "table", "target", "model", "check"]) {
        state.set(name, shown[name] === undefined || shown[name] === "" ? null : shown[name]);
      }
    },
  };
}

// What the address names; a link with a seed is one to a toy table.
function firstKind(state, given, kinds) {
  if (kinds.includes(state.get("data"))) return state.get("data");
  if (FORM_FIELDS.some((field) => state.get(field.name) !== null)) return TOY_TABLES[0];
  return given === null ? "table" : "given";
}

function input({ name, value, hint, width, mode }) {
  const control = html("input", { name, id: `field-${name}`, value, placeholder: hint, inputmode: mode, autocomplete: "off" });
  control.style.width = `${width + 3}ch`;
  return control;
}

// A table file, which of its columns is the target, and a model file for those who have one. A file that was refused is
// remembered until another is chosen or it is removed.
function fileFields(state, changed) {
  const table = html("input", { type: "file", id: "field-table", accept: ".csv,.parquet,.tsv,.txt" });
  const target = html("select", { id: "field-target" });
  const model = html("input", { type: "file", id: "field-model" });
  const trusted = html("input", { type: "checkbox", id: "field-check", checked: state.get("check") === "1" });
  const remove = html("button", { type: "button", class: "tool", hidden: true }, "Use no model file");
  const keys = { table: state.get("table"), model: state.get("model") };
  const refusals = { table: null, model: null };
  const sending = { table: null, model: null };
  if (state.get("target")) target.append(html("option", { value: state.get("target") }, state.get("target")));
  arrange();

  function arrange() {
    remove.hidden = !(keys.model || refusals.model || model.files.length);
    trusted.disabled = remove.hidden;
  }

  // The answer of the server, or null where it refused or another file was chosen meanwhile.
  async function send(kind, file) {
    keys[kind] = null;
    refusals[kind] = null;
    sending[kind] = null;
    arrange();
    changed();
    if (!file) return null;
    const mine = ask(`api/${kind}`, { method: "POST", body: file });
    sending[kind] = mine;
    try {
      const answer = await mine;
      if (sending[kind] !== mine) return null;
      keys[kind] = answer[kind];
      return answer;
    } catch (error) {
      if (sending[kind] === mine) refusals[kind] = error.message;
      return null;
    } finally {
      if (sending[kind] === mine) sending[kind] = null;
      arrange();
      changed();
    }
  }

  table.addEventListener("change", async () => {
    const answer = await send("table", table.files[0]);
    if (!answer) return;
    const names = answer.columns.map((column) => column.name);
    target.replaceChildren(...names.map((name) => html("option", { value: name }, name)));
    target.value = names[names.length - 1];
  });
  model.addEventListener("change", () => send("model", model.files[0]));
  remove.addEventListener("click", () => {
    model.value = "";
    send("model", null);
  });

  return {
    fields: [
      ["table", "Table (CSV, Parquet)", table],
      ["target", "Target", target],
      ["model", "Model file (optional)", model, remove],
      ["check", "Compare with its library (a file you trust)", trusted],
    ],
    settings: () => {
      const found = {};
      if (keys.table) found.table = keys.table;
      if (target.value) found.target = target.value;
      if (keys.model) found.model = keys.model;
      if (keys.model && trusted.checked) found.check = "1";
      return found;
    },
    // files that were dropped: tables by the ending of their name, all others are models
    take(dropped) {
      for (const file of dropped) {
        const control = /\.(csv|tsv|parquet)$/i.test(file.name) ? table : model;
        const held = new DataTransfer();
        held.items.add(file);
        control.files = held.files;
        control.dispatchEvent(new Event("change"));
      }
    },
    refusal: (name) => refusals[name] ?? null,
    refused: () => Object.keys(refusals).find((kind) => refusals[kind]) ?? null,
    async settled() {
      // a browser that restores the form names files that were never sent
      for (const [kind, control] of [["table", table], ["model", model]]) {
        if (control.files.length && !keys[kind] && !refusals[kind] && !sending[kind]) await send(kind, control.files[0]);
      }
      while (sending.table || sending.model) await Promise.allSettled([sending.table, sending.model]);
    },
  };
}
