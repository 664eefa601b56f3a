// Where the page begins: its numbers stand in it, or beside it.

import { mountShell } from "./shell.js";

const shell = mountShell(document.body);
const inlined = document.getElementById("page-data");

if (inlined) {
  shell.show(JSON.parse(inlined.textContent));
} else {
  const answer = await fetch("page.json");
  shell.show(await answer.json());
}
