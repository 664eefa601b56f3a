// Rules: a card per rule, what holds inside and outside of it, and a slider for how many of the trees must share it.

import { axisBottom, drawing, html, onWidth, shortText, svg, ticks } from "../svg.js";
import { beginPanel, copyText, fold, outputChoice, outputIndex, ownState } from "./parts.js";

export function mountRules(root, data, context) {
  beginPanel(root, data);
  const state = ownState(context.state);
  root.append(html("ul", { class: "scores" }, ...data.scores.map((text) => html("li", {}, text))));
  if (data.verdict) root.append(html("p", { class: "verdict" }, data.verdict));
  if (!data.rules.length) {
    root.append(html("p", { class: "refused", role: "note" }, data.note));
    return state.stop;
  }
  const count = html("output", { class: "slider-count" });
  const slider = html("input", {
    type: "range",
    id: "p0",
    min: 0,
    max: data.steps.length - 1,
    step: 1,
    oninput: () => state.set("p0", Number(slider.value) ? slider.value : null),
  });
  const cards = html("div", { class: "cards" });
  const glance = html("div", {});
  const button = (text, code) => {
    const made = html("button", { type: "button", onclick: () => copyText(made, code) }, text);
    return made;
  };
  root.append(
    html(
      "div",
      { class: "controls" },
      outputChoice(data.outputs, state),
      html(
        "label",
        { class: "choice", for: "p0" },
        html("span", {}, "p0: a rule stays if more than this share of the trees has it"),
      ),
      slider,
      count,
      html(
        "span",
        { class: "control-end" },
        button(`Copy all ${data.all} rules as SQL`, data.sql),
        button(`Copy all ${data.all} rules as Python`, data.python),
      ),
    ),
    ...[data.note, data.code_note].filter(Boolean).map((text) => html("p", { class: "quiet" }, text)),
    cards,
    glance,
    fold("Show the rules as a table", (into) => rulesTable(into, data, context)),
  );
  if (data.task === "regression")
    root.append(
      html(
        "p",
        { class: "quiet" },
        "Coefficients are those of the whole list; a shorter list fitted anew has its own.",
      ),
    );

  const step = () => data.steps[Math.min(data.steps.length - 1, Math.max(0, Number(state.get("p0")) || 0))];
  function show() {
    const { text, count: kept } = step();
    slider.value = data.steps.indexOf(step());
    const said = `p0 ${text}: ${kept} of ${data.rules.length} ${data.rules.length === 1 ? "rule" : "rules"}`;
    slider.setAttribute("aria-valuetext", said);
    count.textContent = said;
    const o = outputIndex(data.outputs, state);
    cards.replaceChildren(...data.rules.slice(0, kept).map((rule) => ruleCard(rule, data, o)));
    if (!kept) cards.append(html("p", { class: "quiet" }, "No rule is shared by so many trees."));
    glance.replaceChildren();
    if (!kept) return;
    const body = context.figure(glance, { title: "All rules at a glance", name: "rules" });
    onWidth(body, (width) => body.replaceChildren(ruleGlance(data, o, kept, width)));
    glance.append(
      html(
        "p",
        { class: "quiet figure-caption" },
        `filled: inside, hollow: outside, line: mean of all rows (${data.mean[o].text}); ${data.measured}.`,
      ),
    );
  }
  for (const key of ["p0", "output"]) state.listen(key, show);
  show();
  return state.stop;
}

function ruleCard(rule, data, o) {
  const scale = data.scale[o];
  const place = (value) => ((value - scale.low) / (scale.high - scale.low)) * 100;
  const bar = (name, part, filled) => {
    const fill = html("span", { class: `rule-fill ${filled ? "inside" : "outside"}` });
    fill.style.width = `${Math.max(0.5, place(part.value))}%`;
    const mean = html("span", { class: "rule-mean" });
    mean.style.left = `${place(data.mean[o].value)}%`;
    return html(
      "div",
      { class: "rule-bar" },
      html("span", { class: "rule-name" }, name),
      html("span", { class: "rule-track", "aria-hidden": "true" }, fill, mean),
      html("span", { class: "rule-value" }, part.text),
    );
  };
  const copy = (text, code) => {
    const made = html(
      "button",
      {
        type: "button",
        class: "tool",
        "aria-label": `${text} of rule ${rule.number}`,
        onclick: () => copyText(made, code),
      },
      text,
    );
    return made;
  };
  const facts = [
    ...(rule.difference[o] ? [rule.difference[o]] : []),
    rule.support,
    rule.frequency,
    ...(rule.coefficient === null ? [] : [`coefficient ${rule.coefficient}`]),
  ];
  return html(
    "article",
    { class: "card", "aria-label": `Rule ${rule.number}` },
    html(
      "header",
      {},
      html("span", { class: "card-number" }, String(rule.number)),
      html("p", { class: "sentence" }, rule.sentence),
      html("span", { class: "control-end" }, copy("SQL", rule.sql), copy("Python", rule.python)),
    ),
    bar("inside", rule.inside[o], true),
    bar("outside", rule.outside[o], false),
    html("footer", { class: "quiet" }, facts.join(" · ")),
  );
}

function rulesTable(root, data, context) {
  const lines = data.rules.flatMap((rule) => data.outputs.map((output, o) => ({ rule, output, o })));
  const several = data.outputs.length > 1;
  const tail = ({ rule, output }) => [
    rule.support,
    rule.frequency,
    ...(rule.coefficient === null ? [] : [rule.coefficient]),
    ...(several ? [output] : []),
    rule.sql,
  ];
  context.table(root, {
    title: "Rules",
    name: "rules",
    columns: [
      "rule",
      "inside",
      "outside",
      "support",
      "frequency",
      ...(data.task === "regression" ? ["coefficient"] : []),
      ...(several ? ["output"] : []),
      "SQL",
    ],
    rows: lines.map((line) => [
      line.rule.conditions.join(" and "),
      line.rule.inside[line.o].value,
      line.rule.outside[line.o].value,
      ...tail(line),
    ]),
    texts: lines.map((line) => [
      line.rule.conditions.join(" and "),
      line.rule.inside[line.o].text,
      line.rule.outside[line.o].text,
      ...tail(line),
    ]),
  });
}

function ruleGlance(data, o, kept, width) {
  const line = 30;
  const narrow = width < 640;
  const left = narrow ? 24 : Math.min(width * 0.5, 430);
  const right = width - 24; // half of the last tick
  const rowHeight = narrow ? 46 : line;
  const scale = data.scale[o];
  const place = (value) => left + ((value - scale.low) / (scale.high - scale.low)) * (right - left);
  const rules = data.rules.slice(0, kept);
  const bottom = rules.length * rowHeight + 8;
  const figure = drawing(width, bottom + 24, `Inside and outside of ${kept} rules`, { class: "glance" });
  const mean = place(data.mean[o].value);
  const values = ticks(scale.low, scale.high, Math.max(2, Math.round((right - left) / 110)));
  const texts = data.task === "regression" ? null : values.map((value) => `${Math.round(100 * value)} %`);
  figure.append(
    axisBottom({ scale: place, values, texts, y: bottom, grid: bottom }),
    svg("line", { class: "mean-line", x1: mean, x2: mean, y1: 0, y2: bottom }),
  );
  rules.forEach((rule, k) => {
    const y = k * rowHeight + (narrow ? 34 : rowHeight / 2 + 4);
    const [inside, outside] = [place(rule.inside[o].value), place(rule.outside[o].value)];
    const room = narrow ? width - 16 : left - 20;
    const text = narrow ? { x: 8, y: y - 14 } : { x: left - 14, y: y + 4, "text-anchor": "end" };
    figure.append(
      svg("text", { class: "name", ...text }, shortText(`${rule.number}. ${rule.conditions.join(" and ")}`, room)),
      svg("line", { class: "between", x1: inside, x2: outside, y1: y, y2: y }),
      svg("circle", { class: "inside", cx: inside, cy: y, r: 5.5 }),
      svg("circle", { class: "outside", cx: outside, cy: y, r: 4.5 }),
    );
  });
  return figure;
}
