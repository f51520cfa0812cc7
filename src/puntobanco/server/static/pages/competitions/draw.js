// The Director's draw: lots one by one as they were drawn, or all of them at once.

import { reveal, showAll, showLots } from "./reveal.js";

const drawn = document.getElementById("region-drawn");

function begin() {
  const panel = drawn.querySelector("[data-reveal]");
  if (!panel) return;
  reveal(panel, drawn);
  panel.querySelector("[data-all-lots]").onclick = () => showAll(panel, drawn);
}

document.addEventListener("shown", begin);
setInterval(() => { const panel = drawn.querySelector("[data-began]"); if (panel) showLots(panel, drawn); }, 250);
begin();
