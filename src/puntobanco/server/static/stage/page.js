// A player's table: the felt, betting, and the regions as they change.

import { watchForms } from "../commands/forms.js";
import { byKeys } from "../commands/keys.js";
import { opening } from "../commands/opening.js";
import { listen } from "../live/live.js";
import { localise } from "../locale.js";
import { bet } from "./betting.js";
import { felt } from "./felt.js";
import { look } from "./look.js";
import { tour } from "./tour.js";

localise(document);
watchForms();
byKeys();
opening();
look();
felt();
bet();
tour();
listen(document.getElementById("live"));
