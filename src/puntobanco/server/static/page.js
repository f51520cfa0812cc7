// Every page loads this one module. Without scripts the same forms post as they are, and the
// page is as it was when it was asked for.

import { byCard, watchForms } from "./commands/forms.js";
import { follow, listen } from "./live/live.js";
import { localise } from "./locale.js";
import { play } from "./live/play.js";

byCard();
localise(document);
watchForms();
play();
const live = document.getElementById("live");
if (live) listen(live);
const main = document.querySelector("main[data-follow]");
if (main) follow(main);
