// The lobby: tables change while one looks.

import { tiles } from "../live/tiles.js";

const list = document.getElementById("tables");
const ahead = Number(list.dataset.now) - performance.now(); // the house's clock before this one

function countDown() {
  for (const one of list.querySelectorAll("[data-closes]")) {
    const left = Math.max(0, Math.ceil((one.dataset.closes * 100 - ahead - performance.now()) / 1000));
    one.textContent = `${left}`;
  }
}

// Filters work at once; without scripts they are links.
function choose(link) {
  for (const one of link.parentElement.children) one.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  const wanted = link.dataset.show;
  let shown = 0;
  for (const tile of list.children) {
    const free = Number(tile.querySelector("[data-free]")?.dataset.free) > 0;
    tile.hidden = wanted === "free" ? !free : wanted !== "all" && !tile.dataset.kinds.split(" ").includes(wanted);
    shown += tile.hidden ? 0 : 1;
  }
  document.querySelector(".nothing").hidden = shown > 0;
  history.replaceState(null, "", link.href);
}

document.querySelector(".filters").addEventListener("click", (event) => {
  const link = event.target.closest("[data-show]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  choose(link);
});
tiles(list, countDown);
countDown();
setInterval(countDown, 250);
