// Axes of an effect: by value, by logarithm, by the rows, or cells of equal width; and the scale of what the curve says.

import { ticks, tickText } from "../svg.js";
import { placeCells, signedNumber, thin } from "./parts.js";
import { inverseLink } from "./prediction_model.js";

const AXIS_WORDS = { value: "by value", log: "by logarithm", rows: "by the rows", equal: "cells of equal width" };
const AXIS_END = 0.015; // the open first and last cell reach a little further than the rows

// The axes that a feature offers, as options of a select.
export function axisOptions(feature) {
  const kinds = ["value", ...(feature.scale?.log ? ["log"] : []), ...(feature.scale ? ["rows"] : []), "equal"];
  return kinds.map((value) => ({ value, text: AXIS_WORDS[value] }));
}

// The axis that is drawn: the one of the address if the feature offers it, else the one that suits its rows.
export function axisKind(feature, wanted) {
  return axisOptions(feature).some(({ value }) => value === wanted) ? wanted : (feature.scale?.first ?? "value");
}

// Cells as pixels, with at(x), the pixel of any number of the axis.
export function placeFeature(feature, [from, to], kind) {
  const { axis } = feature;
  const low = Math.min(...axis.left);
  const high = Math.max(...axis.right);
  const straight = (x) => from + ((x - low) / (high - low || 1)) * (to - from);
  if (kind === "value" || kind === "equal") return { ...placeCells(axis, [from, to], kind === "equal"), at: straight };
  // cells beside the numbers (missing, unseen) keep their places
  const end = Math.max(...axis.right.filter((_, k) => axis.label[k] === null));
  const stop = straight(end);
  const room = AXIS_END * (stop - from);
  const share = shareAlong(feature.scale, kind);
  const at = (x) => {
    if (x <= low) return from;
    if (x >= end) return x > end ? straight(x) : stop;
    return from + room + share(x) * (stop - from - 2 * room);
  };
  return { left: axis.left.map(at), right: axis.right.map(at), ticks: thin(feature.scale[kind].ticks.map(([x, text]) => [at(x), text]), null), at };
}

// Where a number stands on an axis by logarithm or by rows, from 0 to 1.
export function shareAlong(scale, kind) {
  return kind === "log" ? logShare(scale.log) : rowShare(scale.rows.knots);
}

function logShare({ low, high, shift }) {
  const [first, last] = [Math.log(low + shift), Math.log(high + shift)];
  return (x) => (Math.log(Math.min(high, Math.max(low, x)) + shift) - first) / (last - first);
}

function rowShare(knots) {
  return (x) => {
    if (x <= knots[0][0]) return 0;
    for (let k = 1; k < knots.length; k += 1) {
      const [[a, p], [b, q]] = [knots[k - 1], knots[k]];
      if (x <= b) return p + ((x - a) / (b - a)) * (q - p);
    }
    return 1;
  };
}

// Whether an effect can be turned into a prediction by itself; several raw scores under one softmax cannot.
export function turnsIntoPrediction(link) {
  return ["logit", "ova", "log"].includes(link.kind);
}

// What the curve says and how it is written: of(effect), text(k), unit, and the range with its ticks.
export function answerScale(data, output, reach, asPrediction) {
  if (!asPrediction) {
    const whole = reach.ticks ? reach : withTicks(reach.low, reach.high, null);
    return { of: (effect) => effect, unit: data.unit, title: `effect on the ${data.unit}`, textOf: null, range: whole };
  }
  const of = (effect) => inverseLink(data.link, [output.base + effect])[0];
  const shares = data.link.shares;
  const textOf = (value) => (shares ? shareWords(value) : signedNumber(Number(value.toPrecision(4))).replace("+", ""));
  const unit = shares ? "probability" : "prediction";
  return { of, unit, title: unit, textOf, range: withTicks(of(reach.low), of(reach.high), shares ? tickShare : null) };
}

function withTicks(low, high, textOf) {
  const values = ticks(low, high, 6);
  return { low, high, ticks: values.map((value) => [value, textOf ? textOf(value) : tickText(value, values)]) };
}

function tickShare(value) {
  return `${Number((100 * value).toPrecision(4))} %`;
}

function shareWords(value) {
  const percent = 100 * value;
  return `${percent > 99.9 || percent < 0.1 ? percent.toPrecision(3) : percent.toFixed(1)} %`;
}

// The levels of a category from the lowest effect to the highest; what stands beside them stays at the end.
export function sortedByEffect(feature, o) {
  const { effect } = feature.outputs[o];
  const levels = [...Array(feature.n_levels).keys()].sort((a, b) => (effect[a] ?? 0) - (effect[b] ?? 0) || a - b);
  const order = [...levels, ...feature.axis.label.map((_, k) => k).slice(feature.n_levels)];
  const moved = (list) => order.map((k) => list[k]);
  return {
    ...feature,
    axis: { ...feature.axis, label: moved(feature.axis.label), words: moved(feature.axis.words) },
    weight: moved(feature.weight),
    held: moved(feature.held),
    cell_bars: moved(feature.cell_bars),
    cell: moved(feature.cell),
    bars: feature.bars.map(([a, b], k) => [a, b, feature.bars[order[k]][2]]),
    outputs: feature.outputs.map((output) => ({ ...output, effect: moved(output.effect), text: moved(output.text) })),
  };
}
