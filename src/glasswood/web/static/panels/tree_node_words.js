// Text under the nodes of a drawn tree: the condition of a split, or what a leaf predicts. Cut to the space between
// neighbours; left out where only a few letters would fit. A list of levels that would be cut before its first one is left
// out too.

import { svg } from "../svg.js";
import { cutText } from "./parts.js";

const LETTER = 6; // px of a letter, on average
const FEWEST = 5; // fewer letters say nothing
const WORD_LINE = 12;

export function nodeWords({ tree, links, rows, width, x, y, radius }) {
  const layer = svg("g", { class: "node-words", "aria-hidden": "true" });
  for (let depth = 0; depth <= links.last; depth += 1) {
    const level = links.level(depth);
    level.forEach((node, k) => {
      const before = k > 0 ? x(node) - x(level[k - 1]) : 2 * x(node);
      const after = k + 1 < level.length ? x(level[k + 1]) - x(node) : 2 * (width - x(node));
      const most = Math.floor((Math.min(before, after) - 4) / LETTER);
      const room = rows.band - radius(node) - 8;
      const lines = linesThatFit(tree, node, most, room);
      lines.forEach((line, i) => {
        const at = y(node) + radius(node) + 11 + i * WORD_LINE;
        layer.append(svg("text", { class: "node-word", "data-node": node, x: x(node), y: at, "text-anchor": "middle" }, cutText(line, most)));
      });
    });
  }
  return layer;
}

function linesThatFit(tree, node, most, room) {
  if (most < FEWEST || room < WORD_LINE) return [];
  if (tree.left[node] < 0) return [tree.says[node]];
  const whole = tree.label[node];
  if (whole.length <= most) return [whole];
  const [name, asked] = splitCondition(whole);
  const says = asked !== undefined && showsLevel(asked, most);
  if (room < 2 * WORD_LINE) return [asked === undefined || showsLevel(whole, most) ? whole : name];
  return says ? [name, asked] : [name];
}

// Whether a condition that is cut still shows the first of its levels; "in {…" alone says nothing.
function showsLevel(text, most) {
  const at = text.indexOf(" in {") < 0 && !text.startsWith("in {") ? -1 : text.indexOf("in {") + 4;
  if (at < 0 || text.length <= most) return true;
  const ends = [text.indexOf(", ", at), text.indexOf("}", at)].filter((end) => end > 0);
  return Math.min(...ends) < most;
}

// The name of the feature, and what is asked of it.
function splitCondition(text) {
  const at = Math.max(...[" <= ", " < ", " in {", " is "].map((sign) => text.lastIndexOf(sign)));
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
