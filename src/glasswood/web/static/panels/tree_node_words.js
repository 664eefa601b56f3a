// Text under the nodes of a drawn tree: the condition of a split, or what a leaf predicts. Cut to the space between
// neighbours; left out where only a few letters would fit. A list of levels that would be cut before its first one is left
// out too. A number is never cut, because the start of a number is another number: it is written with fewer digits.

import { svg } from "../svg.js";
import { cutName, cutText } from "./parts.js";

const LETTER = 6; // px of a letter, on average
const FEWEST = 5; // fewer letters say nothing
const WORD_LINE = 12;
const GAP = 8; // px between the conditions of neighbours
const LEAF_GAP = 4; // numbers of leaves need less

export function nodeWords({ tree, links, rows, width, x, y, radius }) {
  const layer = svg("g", { class: "node-words", "aria-hidden": "true" });
  for (let depth = 0; depth <= links.last; depth += 1) {
    const level = links.level(depth);
    level.forEach((node, k) => {
      const before = k > 0 ? x(node) - x(level[k - 1]) : 2 * x(node);
      const after = k + 1 < level.length ? x(level[k + 1]) - x(node) : 2 * (width - x(node));
      const gap = tree.left[node] < 0 ? LEAF_GAP : GAP;
      const most = Math.floor((Math.min(before, after) - gap) / LETTER);
      const room = rows.band - radius(node) - 8;
      const lines = linesThatFit(tree, node, most, room);
      const name = tree.left[node] < 0 ? null : splitCondition(tree.label[node])[0];
      lines.forEach((line, i) => {
        const at = y(node) + radius(node) + 12.5 + i * WORD_LINE; // the ground behind the words ends below the ring
        layer.append(svg("text", { class: "node-word", "data-node": node, x: x(node), y: at, "text-anchor": "middle" }, line === name ? cutName(line, most) : cutText(line, most)));
      });
    });
  }
  return layer;
}

function linesThatFit(tree, node, most, room) {
  if (most < FEWEST || room < WORD_LINE) return [];
  const [name, asked] = splitCondition(tree.label[node]);
  const inOne = tree.left[node] < 0 || tree.label[node].length <= most || room < 2 * WORD_LINE;
  if (inOne) return [wordsOf(tree, node, most)].filter((words) => words !== "");
  return asked !== undefined && saysEnough(asked, most) ? [name, asked] : [name];
}

// One line about a node of at most so many letters; the caller cuts a name that is longer.
export function wordsOf(tree, node, most) {
  if (tree.left[node] < 0) return leafThatFits(tree.says[node], most);
  const whole = tree.label[node];
  const [name, asked] = splitCondition(whole);
  return asked === undefined || saysEnough(whole, most) ? whole : name;
}

// What a leaf says: a number with as many digits as fit, at least one that is not 0; anything else can be cut.
function leafThatFits(text, most) {
  if (text.length > most && text.includes(" × 10")) return "";
  if (text.length <= most || !/^[+−]?[\d.,]+( (M|bn|tn))?$/.test(text)) return text;
  const [number, unit = ""] = text.split(/(?= )/);
  const whole = number.search(/\.|$/);
  for (let end = number.length - 1; end > whole; end -= 1) {
    const value = Number(number.replace("−", "-").replaceAll(",", "")).toFixed(end - whole - 1);
    const shown = `${number.startsWith("+") ? "+" : ""}${value.replace("-", "−")}${unit}`;
    if (shown.length <= most) return /[1-9]/.test(value) ? shown : "";
  }
  return "";
}

// Whether a condition that is cut still shows the first of its levels, or its whole threshold; "in {…" alone says nothing.
function saysEnough(text, most) {
  if (text.length <= most) return true;
  if (/(^| )<=? [^ ]*( (M|bn|tn))?$/.test(text)) return false;
  const at = text.indexOf(" in {") < 0 && !text.startsWith("in {") ? -1 : text.indexOf("in {") + 4;
  if (at < 0) return true;
  const ends = [text.indexOf(", ", at), text.indexOf("}", at)].filter((end) => end > 0);
  return Math.min(...ends) < most;
}

// The name of the feature, and what is asked of it.
function splitCondition(text) {
  const at = Math.max(...[" <= ", " < ", " in {", " is "].map((sign) => text.lastIndexOf(sign)));
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
