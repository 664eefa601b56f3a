// Single rows: what the model says for each row of the panel about one prediction when only one feature is changed.

import { svg } from "../svg.js";
import { makeModel } from "./prediction_model.js";

// rowCurves(prediction, feature, context) promises { rows, raw[row][cell][output] }, or { why } where they cannot be computed.
export async function rowCurves(prediction, feature, context) {
  if (!prediction || prediction.refused) return { why: "Single rows cannot be drawn: the page has no panel about one prediction." };
  const k = prediction.features.findIndex(({ name }) => name === feature.name);
  const { rows } = prediction;
  if (k < 0) return { rows, raw: rows.map((row) => feature.axis.words.map(() => row.raw)) }; // no tree asks for the feature
  if (!prediction.model) return askedCurves(prediction, feature, context);
  const model = makeModel(prediction.model, prediction.background, prediction.features.length);
  const raw = rows.map((row) => {
    const cells = [...row.cells];
    return feature.cell.map((cell) => {
      cells[k] = cell;
      return model.raw(cells);
    });
  });
  return { rows, raw };
}

// The app's server computes what the trees in a page would.
async function askedCurves({ refusal, rows }, feature, context) {
  if (refusal || !context.load) {
    return { why: "Single rows cannot be drawn: the trees of the model do not fit the page. glasswood app, started with the model and the rows, draws them." };
  }
  try {
    const { raw } = await context.load("single", { feature: feature.name, cells: feature.cell.join("_") });
    return { rows, raw };
  } catch (error) {
    return { why: error.message };
  }
}

// The effect that each row would have by itself: its raw answer minus the average one.
export function rowEffects(curves, o, base) {
  return curves.raw.map((cells) => cells.map((outputs) => outputs[o] - base));
}

// A line per row, that of the chosen row on top; a category joins its levels, so that a row can be followed.
export function drawRowCurves({ feature, effects, chosen, placed, y }) {
  const group = svg("g", { class: "row-curves", "aria-hidden": "true" });
  const order = effects.map((_, row) => row).sort((a, b) => (a === chosen) - (b === chosen));
  for (const row of order) {
    let path = "";
    feature.axis.label.forEach((label, k) => {
      const at = y(effects[row][k]).toFixed(1);
      const middle = (placed.left[k] + placed.right[k]) / 2;
      const before = k > 0 && (feature.axis.label[k - 1] === null) === (label === null);
      if (label === null) path += before ? `V${at}H${placed.right[k].toFixed(1)}` : `M${placed.left[k].toFixed(1)} ${at}H${placed.right[k].toFixed(1)}`;
      else if (k < feature.n_levels || feature.n_levels > 0) path += `${before ? "L" : "M"}${middle.toFixed(1)} ${at}`;
      else path += `M${(middle - 7).toFixed(1)} ${at}h14`;
    });
    group.append(svg("path", { class: row === chosen ? "row-curve chosen" : "row-curve", "data-row": row, d: path }));
  }
  return group;
}
