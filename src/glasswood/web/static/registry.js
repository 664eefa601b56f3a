// Which function draws which kind of section; a kind that is not here is not shown.

export const PANELS = {};
