// Every page but the player's table loads this one module. Without scripts the same forms post as they are, and the
// page is as it was when it was asked for.

import { byCard, watchForms } from "./commands/forms.js";
import { byKeys } from "./commands/keys.js";
import { opening } from "./commands/opening.js";
import { listen } from "./live/live.js";
import { desk } from "./live/desk.js";
import { localise } from "./locale.js";
import { look } from "./stage/look.js";
import { shell } from "./shell.js";

byCard();
localise(document);
watchForms();
byKeys();
opening();
look();
shell();
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
const live = document.getElementById("live");
if (live) listen(live);
if (document.body.classList.contains("dealer")) desk();
