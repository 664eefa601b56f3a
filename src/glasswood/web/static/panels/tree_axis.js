// An axis of the regions: a stretch of numbers, or a lane per category, and a lane for missing values beside them.

import { linear, nameText, tickText, ticks } from "../svg.js";

const MISSING_LANE = 26;

// makeAxis(feature, length, upward) → place(row), stretches(side), marks: positions grow from 0 to `length`.
export function makeAxis(feature, length, upward) {
  // Rows of one lane are spread over it, always alike; the two axes by numbers that have nothing to do with each other.
  const step = upward ? 0.5698402909980532 : 0.7548776662466927;
  const spread = (row) => ((row * step) % 1) * 0.7 + 0.15;
  if (!feature) return spreadAxis(length, spread);
  return feature.kind === "category" ? categoryAxis(feature, length, spread) : numberAxis(feature, length, spread);
}

function spreadAxis(length, spread) {
  return { place: (row) => spread(row) * length, stretches: () => [[0, length]], marks: [], title: null };
}

function numberAxis(feature, length, spread) {
  const start = feature.missing ? MISSING_LANE + 4 : 0;
  const scale = linear(feature.domain, [start, length]);
  const count = Math.max(2, Math.round(length / 80));
  // dates have their ticks from Python
  const dates = feature.ticks ? everySome(feature.ticks, count) : null;
  const values = dates ? dates.map(([at]) => at) : ticks(feature.domain[0], feature.domain[1], count);
  const edge = (cut) => (cut < 0 ? start : cut >= feature.cuts.length ? length : scale(feature.cuts[cut]));
  return {
    title: nameText(feature.name),
    values,
    texts: dates ? dates.map(([, text]) => text) : values.map((value) => tickText(value, values)),
    scale,
    marks: feature.missing ? [{ at: MISSING_LANE / 2, text: "missing" }] : [],
    // values of which there are few stand side by side, as far as Python says they may
    place: (row) =>
      feature.cells[row] < 0 ? spread(row) * MISSING_LANE : scale(feature.values[row] + (spread(row) * 2 - 1) * feature.spread),
    stretches(side) {
      const found = side.missing && feature.missing ? [[0, MISSING_LANE]] : [];
      const [from, to] = [edge(side.after), edge(side.upto)];
      if (side.upto > side.after && to > from) found.push([from, to]);
      return found;
    },
  };
}

// About `count` of the ticks, evenly.
function everySome(all, count) {
  const step = Math.ceil(all.length / count);
  return all.filter((_, k) => k % step === 0);
}

function categoryAxis(feature, length, spread) {
  const names = [...feature.levels, ...(feature.missing ? ["missing"] : [])];
  const lane = length / Math.max(names.length, 1);
  const laneOf = (cell) => (cell < 0 ? names.length - 1 : cell);
  return {
    title: nameText(feature.name),
    marks: names.map((text, k) => ({ at: (k + 0.5) * lane, text })),
    place: (row) => (laneOf(feature.cells[row]) + spread(row)) * lane,
   
    stretches(side) {
      const lanes = [...side.levels, ...(side.missing && feature.missing ? [names.length - 1] : [])].sort((p, q) => p - q);
      const found = [];
      for (const k of lanes) {
        const before = found[found.length - 1];
        if (before && Math.abs(before[1] - k * lane) < 1e-6) before[1] = (k + 1) * lane;
        else found.push([k * lane, (k + 1) * lane]);
      }
      return found;
    },
  };
}
