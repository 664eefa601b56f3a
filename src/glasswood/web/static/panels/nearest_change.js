// The nearest change: which values of a row would have to be different for another answer.

import { html, nameText } from "../svg.js";

// nearestChange({ row, data, context, set }): set(cells) tries the values, null where the page cannot predict.
export function nearestChange({ row, data, context, set }) {
  const body = html("div", { class: "nearest-body" });
  const box = html("section", { class: "nearest" }, html("h3", { class: "section-title" }, "What would change the answer?"), body);

  function show(found, asked) {
    body.replaceChildren();
    if (found) body.append(html("p", { role: "status" }, found.sentence), ...changeList(found));
    else body.append(html("p", { class: "quiet", role: "note" }, data.unsearched));
    const buttons = [];
    if (found?.changes.length && set) {
      const tried = [...row.cells];
      for (const { place, cell } of found.changes) tried[place] = cell;
      buttons.push(html("button", { type: "button", onclick: () => set(tried) }, "Try these values"));
    }
    const open = !found || found.status === "undecided";
    if (open && context.load && !asked) buttons.push(searchButton(search));
    else if (open) body.append(html("p", { class: "quiet" }, `${context.load ? "" : "glasswood app searches any row, in models of up to 300,000 leaves. "}In Python, gw.counterfactuals(model, row, target, X=X) searches longer, for any target.`));
    if (buttons.length) body.append(html("p", { class: "row-links" }, ...buttons));
  }

  async function search(button) {
    button.disabled = true;
    button.textContent = "Searching …";
    try {
      show(await context.load("nearest", { row: row.row }), true);
    } catch (error) {
      body.replaceChildren(html("p", { class: "quiet", role: "status" }, error.message));
    }
  }

  show(row.nearest, false);
  return box;
}

function searchButton(search) {
  const button = html("button", { type: "button", onclick: () => search(button) }, "Search longer");
  return button;
}

function changeList({ changes, answer }) {
  if (!changes.length) return [];
  const lines = changes.map((change) => html("li", {}, html("strong", {}, nameText(change.feature)), `: ${change.from} → ${change.to}`));
  return [html("ul", {}, ...lines), html("p", { class: "quiet" }, `The model then says ${answer}.`)];
}
