// Which function draws which kind of section; a kind that is not here is not shown.

import { mountCredibility } from "./panels/credibility.js";
import { mountEffects } from "./panels/effects.js";
import { mountExamples } from "./panels/examples.js";
import { mountInteractions } from "./panels/interactions.js";
import { mountOverview } from "./panels/overview.js";
import { mountRules } from "./panels/rules.js";
import { mountTree } from "./panels/tree.js";

export const PANELS = {
  overview: mountOverview,
  tree: mountTree,
  effects: mountEffects,
  interactions: mountInteractions,
  rules: mountRules,
  examples: mountExamples,
  credibility: mountCredibility,
};
