// Answers for changed rows: by the trees in the page, or by the app's server where the page has none.

import { makeModel } from "./prediction_model.js";

// changedAnswers(data, context) → of(row, told) → ask(cells), which calls told(cells, { raw, parts } or { refused }) for the
// cells that were asked last; null where nothing can answer.
export function changedAnswers(data, context) {
  if (data.model) {
    const model = makeModel(data.model, data.background, data.features.length);
    return { of: (row, told) => (cells) => told(cells, { raw: model.raw(cells), parts: model.parts(cells) }) };
  }
  if (data.refusal || !context.load) return null;
  return { of: (row, told) => askServer(row, told, context) };
}

// One question at a time: while a slider is dragged, only its last place is asked for.
function askServer(row, told, context) {
  let wanted = null;
  let asking = false;

  async function answer(cells) {
    const changes = cells.flatMap((cell, k) => (cell === row.cells[k] ? [] : [`${k}.${cell}`]));
    if (!changes.length) return row;
    try {
      return await context.load("predict", { row: row.row, cells: changes.join("_") });
    } catch (error) {
      return { refused: error.message };
    }
  }

  return async (cells) => {
    wanted = cells;
    if (asking) return;
    asking = true;
    while (wanted) {
      const mine = wanted;
      wanted = null;
      const found = await answer(mine);
      if (!wanted) told(mine, found);
    }
    asking = false;
  };
}
