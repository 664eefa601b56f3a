// Where the page begins: its numbers stand in it, or beside it, or come from the app's server.

import { startApp } from "./app.js";
import { ask } from "./ask.js";
import { mountShell } from "./shell.js";

switch (document.body.dataset.source) {
  case "inline":
    showPage(JSON.parse(document.getElementById("page-data").textContent));
    break;
  case "page":
    showPage(await ask("page.json"));
    break;
  default:
    startApp(mountShell(document.body, ""));
}

function showPage(page) {
  mountShell(document.body, page.state).show(page);
}
