// This prediction: a row, the way from the average answer to its own, and what other values would change.

import { html, largeText, nameText, onWidth, sentence } from "../svg.js";
import { beginPanel, fold, outputChoice, outputIndex, ownState, rankList } from "./parts.js";
import { nearestChange } from "./nearest_change.js";
import { changedAnswers } from "./changed_answers.js";
import { inverseLink } from "./prediction_model.js";
import { drawWaterfall } from "./waterfall.js";
import { changeControls, cellWords } from "./what_if.js";

const MAX_PARTS = 10;

export function mountPrediction(root, data, context) {
  beginPanel(root, data);
  const state = ownState(context.state);
  const answers = changedAnswers(data, context);
  const view = html("div", { class: "beside-main" });
  const current = () => data.rows.find((row) => String(row.row) === state.get("example")) ?? data.rows[0];
  const items = data.rows.map((row) => ({
    key: String(row.row),
    text: row.name,
    detail: row.target === null ? row.prediction : `${row.prediction} · target ${row.target}`,
    share: null,
    search: [row.name, row.prediction, row.target, ...row.values].join(" ").toLowerCase(),
  }));
  const side = html("div", { class: "beside-list" });
  const search = html("input", { type: "search", class: "row-search", "aria-label": "Find a row by its name or a value", placeholder: "Find a row or a value", oninput: () => showList() });
  const listBox = html("div", {});
  side.append(html("h3", { class: "side-title" }, "Rows by the model's answer"), search, listBox);
  const shown = { list: null };
  function showList() {
    const wanted = search.value.trim().toLowerCase();
    const kept = items.filter((item) => item.search.includes(wanted));
    shown.list = rankList("Row to explain", kept, String(current().row), (key) => state.set("example", key));
    listBox.replaceChildren(shown.list.element, kept.length ? "" : html("p", { class: "quiet" }, "No row in this list has that name or value."));
  }
  const chosen = outputChoice(data.outputs, state);
  if (chosen) root.append(html("div", { class: "controls" }, chosen));
  root.append(html("div", { class: "beside" }, side, view), html("p", { class: "quiet" }, `${data.note}.`));

  function show() {
    shown.list.mark(String(current().row));
    showRow(view, current(), { data, answers, state, context });
  }
  showList();
  state.listen("example", show);
  if (data.outputs.length > 1) state.listen("output", show);
  show();
  return state.stop;
}

function showRow(view, row, { data, answers, state, context }) {
  const o = outputIndex(data.outputs, state);
  view.replaceChildren();
  const of = data.outputs.length > 1 ? `, output ${data.outputs[o]}` : "";
  const answer = html("p", { class: "answer", role: "status" });
  const body = context.figure(view, { title: `From the average to ${row.name}${of}`, name: `prediction-${row.row}` });
  view.append(answer);
  const now = { cells: [...row.cells], raw: row.raw, parts: row.parts, width: 0 };

  function draw() {
    const changed = data.features.map((_, k) => now.cells[k] !== row.cells[k]);
    const values = data.features.map((feature, k) => (changed[k] ? cellWords(feature, now.cells[k]) : row.values[k]));
    const words = answerWords(data, row, now, o, changed.some(Boolean));
    answer.textContent = sentence(words);
    if (!now.width) return;
    const named = data.features.map((feature, k) => ({ text: `${nameText(feature.name)} = ${values[k]}`, value: now.parts[o][k] }));
    body.replaceChildren(
      drawWaterfall({
        base: data.base[o],
        end: now.raw[o],
        parts: strongest(named),
        baseText: shownDigits(data.base[o]),
        endText: shownDigits(now.raw[o]),
        textOf: signedDigits,
        unit: data.unit,
        width: now.width,
        label: `${words} ${named.map(({ text, value }) => `${text}: ${signedDigits(value)}`).join(", ")}`,
      }),
    );
  }

  const change = answers?.of(row, (cells, found) => {
    if (found.refused) {
      answer.textContent = found.refused;
      return;
    }
    Object.assign(now, { cells, raw: found.raw, parts: found.parts });
    draw();
  });

  onWidth(body, (width) => {
    now.width = width;
    draw();
  });
  draw();
  const controls = change ? changeControls({ data, row, state, order: byStrength(row.parts[o]), change }) : null;
  view.append(controls ? controls.element : html("p", { class: "quiet", role: "note" }, data.refusal));
  view.append(nearestChange({ row, data, context, set: controls ? controls.set : null }), rulesOf(row, data), rowLinks(row, context));
  view.append(
    fold("Show the parts as a table", (into) =>
      context.table(into, {
        title: `What each feature adds, ${row.name}`,
        name: `prediction-${row.row}`,
        columns: ["feature", "value", `adds to the ${data.unit}`],
        rows: byStrength(row.parts[o]).map((k) => [data.features[k].name, row.values[k], row.parts[o][k]]),
        texts: byStrength(row.parts[o]).map((k) => [nameText(data.features[k].name), row.values[k], signedDigits(row.parts[o][k])]),
      }),
    ),
  );
}

function byStrength(values) {
  return values.map((_, k) => k).sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]));
}

// The strongest parts by themselves, the others together.
function strongest(named) {
  const order = byStrength(named.map(({ value }) => value));
  if (order.length <= MAX_PARTS + 1) return order.map((k) => named[k]);
  const rest = order.slice(MAX_PARTS).reduce((sum, k) => sum + named[k].value, 0);
  return [...order.slice(0, MAX_PARTS).map((k) => named[k]), { text: `${order.length - MAX_PARTS} other features`, value: rest }];
}

function answerWords(data, row, now, o, changed) {
  const said = inverseLink(data.link, now.raw);
  const shownAs = (values, k) => (data.link.shares ? `${(100 * values[k]).toFixed(1)} %` : shownDigits(values[k]));
  const output = data.outputs.length > 1 || data.link.shares ? ` for ${data.outputs[o]}` : "";
  const scale = data.unit === "prediction" || said === null ? "" : ` (${data.unit} ${shownDigits(now.raw[o])})`;
  const text = said === null ? `raw score ${shownDigits(now.raw[o])}` : `${shownAs(said, o)}${scale}`;
  if (!changed) return `The model says ${text}${output}${row.target === null ? "" : `; the actual target is ${row.target}`}.`;
  const before = inverseLink(data.link, row.raw);
  return `With these values the model says ${text}${output}; before it said ${before === null ? shownDigits(row.raw[o]) : shownAs(before, o)}.`;
}

function rulesOf(row, data) {
  if (!data.rules.length) return html("div", {});
  const held = row.rules.map((k) => html("li", {}, `Rule ${k + 1}: ${data.rules[k]}`));
  return html(
    "section",
    { class: "row-rules" },
    html("h3", { class: "section-title" }, "Rules that hold for this row"),
    held.length ? html("ul", {}, ...held) : html("p", { class: "quiet" }, `None of the ${data.rules.length} rules of the panel Rules.`),
  );
}

// Other panels about the same row, where the page has them.
function rowLinks(row, { state, kinds }) {
  const link = (kind, text, before = () => {}) =>
    kinds().includes(kind) ? html("button", { type: "button", onclick: () => { before(); state.set("view", kind); } }, text) : null;
  return html(
    "p",
    { class: "row-links" },
    link("tree", "Its path in each tree", () => state.set("row", row.row)),
    link("examples", "Rows that the model treats most alike"),
    link("effects", "Its line in each effect", () => state.set("single", "rows")),
  );
}

// A number in four digits.
function shownDigits(value) {
  if (Math.abs(value) >= 1e6 && Math.abs(value) < 1e15) return largeText(Number(value.toPrecision(4)), Math.abs(value) / 1000);
  const text = value === 0 ? "0" : String(Number(value.toPrecision(Math.abs(value) >= 1000 ? 6 : 4)));
  return text.replaceAll("-", "−");
}

function signedDigits(value) {
  return value > 0 ? `+${shownDigits(value)}` : shownDigits(value);
}
