// Where the page begins: its numbers stand in it, or beside it, or come from the app's server.

import { startApp } from "./app.js";
import { ask } from "./ask.js";
import { mountShell } from "./shell.js";

const shell = mountShell(document.body);

switch (document.body.dataset.source) {
  case "inline":
    shell.show(JSON.parse(document.getElementById("page-data").textContent));
    break;
  case "page":
    shell.show(await ask("page.json"));
    break;
  default:
    startApp(shell);
}
