// Which function draws which kind of section; a kind that is not here is not shown.

import { mountTree } from "./panels/tree.js";

export const PANELS = {
  tree: mountTree,
};
