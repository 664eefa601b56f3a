// Terms of art: the first use of each in a panel can be pointed at, or focused, to read what it means.

import { html } from "./svg.js";

const TERMS = [
  ["raw", "raw", "What the trees add up to, before it is turned into a prediction; for a classifier usually the log-odds."],
  ["log-odds", "log-odds", "log(p / (1 − p)): 0 is 50 %, +1 is 73 %, +2 is 88 %, −2 is 12 %."],
  ["softmax", "softmax", "Turns one raw score per class into shares that add up to 100 %."],
  ["cell", "cells?", "An interval, a category or “missing” of a feature: values that the model cannot tell apart."],
  ["effect", "effects?", "What the model says in a cell, on average over the rows, minus its average answer."],
  ["interaction", "interactions?", "What two features do together beyond the sum of what each does alone."],
  ["H²", "H²", "Share of what two features do together that is interaction: 0 if they only add up, 1 if neither does anything alone."],
  ["ledger", "ledger", "How much of what the model says comes from single features, from pairs, and from more features together."],
  ["sd", "sd", "Standard deviation: the typical distance from the mean."],
  ["p0", "p0", "A rule is listed if more than this share of the trees has it."],
  ["leaf", "leaf|leaves", "Where a row ends in a tree; rows of one leaf get the same value from it."],
  ["threshold", "thresholds?", "A number that divides rows in two: those up to it, and those above it."],
  ["Shapley value", "Shapley values?", "What a feature adds to one answer, averaged over all orders in which the features could be made known."],
  ["similarity", "similarity", "How often two rows end in the same leaves: 100 % if always."],
  ["impurity", "impurity", "How mixed the rows of a node are: 0 if all have the same target."],
  ["Gini", "Gini", "A measure from 0 to 1: of a node, how mixed its classes are; of predictions, how well they order the rows."],
  ["precision", "precision", "Of the rows taken for the class, the share that is of the class."],
  ["recall", "recall", "Of the rows of the class, the share that is found."],
  ["ROC", "ROC", "Curve of what is found against false alarms, one point per threshold."],
  ["AUC", "AUC", "Area under the ROC curve: the chance that a row of the class gets a higher share than another row."],
  ["residual", "residuals?", "Actual minus predicted: positive where the model says too little."],
  ["Z", "Z", "Credibility, 0 to 1: how far the difference between two groups is believed."],
].map(([name, pattern, words]) => ({ name, words, found: new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${pattern})(?![\\p{L}\\p{N}_-])`, "u") }));

// Running text, which no other part of the page writes to again letter by letter; never the words of the user's table.
const TERM_PLACES = ".lead, .figure-caption, .side-title, .figure-note, .verdict, p.quiet, .scores li, .facts-box p";

// Marks the terms of a panel, now and whenever the panel writes new sentences; gives a function that stops it.
export function markTerms(panel, tooltip) {
  const marked = panel.getElementsByClassName("term");
  const mark = () => {
    const known = new Set([...marked].map((button) => button.dataset.term));
    for (const place of panel.querySelectorAll(TERM_PLACES)) {
      for (const term of TERMS) {
        if (!known.has(term.name) && markFirst(place, term, tooltip)) known.add(term.name);
      }
    }
  };
  // drawings change at every move of the pointer, and hold no sentences
  const speaks = (node) => node instanceof HTMLElement && (node.closest(TERM_PLACES) || node.querySelector(TERM_PLACES));
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ target, addedNodes }) => target.closest?.(TERM_PLACES) || [...addedNodes].some(speaks))) mark();
  });
  observer.observe(panel, { childList: true, subtree: true });
  mark();
  return () => observer.disconnect();
}

function markFirst(place, term, tooltip) {
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.parentElement.closest(".term, button, a, output")) continue;
    const match = term.found.exec(text.data);
    if (!match) continue;
    const rest = text.splitText(match.index);
    rest.data = rest.data.slice(match[0].length);
    rest.before(termButton(match[0], term, tooltip));
    return true;
  }
  return false;
}

function termButton(text, term, tooltip) {
  const show = () => tooltip.show(button, [term.words], 0);
  const button = html(
    "button",
    {
      type: "button",
      class: "term",
      "data-term": term.name,
      "aria-description": term.words,
      onfocus: show,
      onpointerenter: show,
      onclick: show,
      onblur: () => tooltip.hide(),
      onpointerleave: () => tooltip.hide(),
    },
    text,
  );
  return button;
}
