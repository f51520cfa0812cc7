// The floor: rows change while one looks; one table is looked at beside them. Without scripts
// the filters and tables are links, and the page is as it was when it was asked for.

import { follow } from "../../live/connection.js";
import { tiles } from "../../live/tiles.js";
import { localise } from "../../locale.js";

const list = document.getElementById("floor");
const peek = document.getElementById("peek");
const ahead = Number(list.dataset.now) - performance.now(); // the house's clock before this one
const rows = () => [...list.querySelectorAll("tr[data-table]:not([hidden])")];
let watched;
let show = document.querySelector("[data-show][aria-current]")?.dataset.show ?? "all";

// How long ago, as minutes and seconds.
function tick() {
  for (const one of document.querySelectorAll("time[data-since]")) {
    const seconds = Math.max(0, Math.floor((ahead + performance.now() - one.dataset.since) / 1000));
    const minutes = Math.floor(seconds / 60);
    const ago = minutes < 60 ? `${minutes}:${String(seconds % 60).padStart(2, "0")}` : `${Math.floor(minutes / 60)} h ${minutes % 60}`;
    one.textContent = one.dataset.as ? one.dataset.as.replace("{}", ago) : ago;
  }
}

// Only the rows that were asked for; how many need somebody changes with them.
function filter() {
  let shown = 0, needing = 0;
  for (const row of list.querySelectorAll("tr[data-table]")) {
    const needs = row.querySelector("[data-level]") !== null;
    row.hidden = show === "needs" ? !needs : show !== "all" && row.dataset.pit !== show;
    shown += row.hidden ? 0 : 1;
    needing += needs ? 1 : 0;
  }
  for (const group of list.querySelectorAll("tbody[data-pit]")) group.hidden = !group.querySelector("tr[data-table]:not([hidden])");
  const nothing = list.querySelector(".nothing");
  if (nothing) nothing.hidden = shown > 0;
  const link = document.querySelector("[data-show=needs]");
  link.textContent = link.textContent.replace(/\d+/, needing);
}

// Another table is looked at: its panel comes over a stream of its own.
function choose(row, focus = true) {
  if (!row || !peek) return;
  for (const one of list.querySelectorAll("[aria-selected]")) one.removeAttribute("aria-selected");
  row.setAttribute("aria-selected", "true");
  if (focus) row.querySelector("[data-choose]").focus();
  if (peek.dataset.table === row.dataset.table && watched) return;
  peek.dataset.table = row.dataset.table;
  watch();
}

function watch() {
  watched?.close();
  const message = (event) => {
    const html = JSON.parse(event.data).regions.peek;
    const region = document.getElementById("region-peek");
    if (html === undefined || region.contains(document.activeElement)) return;
    region.innerHTML = html;
    localise(region);
  };
  watched = follow(`/live/${peek.dataset.table}/floor`, { message }, watch, { quiet: true }); // the list beside it says that it was lost
}

function changed() {
  filter();
  if (peek) list.querySelector(`tr[data-table="${CSS.escape(peek.dataset.table)}"]`)?.setAttribute("aria-selected", "true");
  tick();
}

list.addEventListener("click", (event) => {
  const row = event.target.closest("tr[data-table]");
  if (!row || event.ctrlKey || event.metaKey || event.shiftKey || matchMedia("(max-width: 48rem)").matches) return;
  if (event.target.closest("a") && !event.target.closest("[data-choose]")) return;
  event.preventDefault();
  choose(row);
});
// On a phone a touch on a row goes to its table.
list.addEventListener("click", (event) => {
  const row = event.target.closest("tr[data-table]");
  if (!row || !matchMedia("(max-width: 48rem)").matches) return;
  event.preventDefault();
  location.href = `/tables/${row.dataset.table}/pit`;
});
addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea, select") || event.target.closest(".shell")) return;
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
  const all = rows(), at = all.findIndex((row) => row.getAttribute("aria-selected") === "true");
  if (step && all[at + step]) { event.preventDefault(); choose(all[at + step]); }
  if (event.key === "Enter" && event.target.matches("[data-choose], body")) {
    event.preventDefault();
    location.href = `/tables/${peek.dataset.table}/pit`;
  }
});
document.querySelector(".segments").addEventListener("click", (event) => {
  const link = event.target.closest("[data-show]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  for (const one of link.parentElement.children) one.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  show = link.dataset.show;
  history.replaceState(null, "", link.href);
  filter();
  const all = rows(); // what is looked at closely is one of those that are shown
  if (!all.some((row) => row.getAttribute("aria-selected") === "true")) choose(all[0], false);
});

// What waits for me is told in the bar of every page: here it is spread out.
const bar = document.querySelector("[data-waits]"), mine = document.getElementById("mine");
if (bar && mine) new MutationObserver(() => {
  const lines = [...bar.querySelectorAll(".inbox-list a")];
  mine.replaceChildren(...lines.map((line) => {
    const [item, link, what, since] = ["li", "a", "b", "span"].map((name) => document.createElement(name));
    [link.href, what.textContent, since.className] = [line.href, line.firstElementChild.textContent, "badge wait"];
    const time = document.createElement("time");
    time.dataset.since = line.querySelector("[data-ms]").dataset.ms;
    since.append(time);
    link.append(what, since);
    item.append(link);
    return item;
  }));
  const count = document.querySelector(".for-me [data-count]");
  [count.textContent, count.hidden] = [lines.length, lines.length === 0];
  document.querySelector(".for-me [data-none]").hidden = lines.length > 0;
  tick();
}).observe(bar, { childList: true });

tiles(list, changed);
tick();
setInterval(tick, 1000);
if (peek) watch();
addEventListener("pagehide", () => watched?.close(), { once: true });
