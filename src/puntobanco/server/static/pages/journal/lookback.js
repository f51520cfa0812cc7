// A coup leafed through by keys, scrubber and clock. Its steps are fetched once; without scripts
// every one of these is a link.

import { localise } from "../../locale.js";

const coup = document.querySelector("[data-steps]");
const [line, board, scrub, count] = ["line", "board", "scrub", "count"].map((id) => document.getElementById(id));
const list = document.getElementById("steps"), wagers = document.getElementById("wagers");
const last = Number(coup.dataset.last), PACES = [1000, 500, 2000];
let at = Number(coup.dataset.at), parts = null, timer = 0, pace = PACES[0];
const both = new URLSearchParams(location.search).get("both") === "true";

const address = (step) => `${location.pathname}?step=${step}${both ? "&both=true" : ""}`;

function layer(name, text) {
  const group = board?.querySelector(`[data-layer="${name}"]`);
  if (group && group.dataset.piece !== String(text)) { group.innerHTML = parts.pieces[text]; group.dataset.piece = text; }
}

// The page itself stays where it is: only the list moves.
function inSight(box, one) {
  if (one && (one.offsetTop < box.scrollTop || one.offsetTop + one.offsetHeight > box.scrollTop + box.clientHeight)) box.scrollTop = one.offsetTop - box.clientHeight / 2;
}

function show(step) {
  at = Math.min(last, Math.max(1, step));
  const { layers, wagers: table, line: words } = parts.steps[at - 1];
  for (const [name, text] of Object.entries(layers)) layer(name, text);
  line.innerHTML = words;
  wagers.innerHTML = parts.pieces[table];
  localise(line); localise(wagers);
  scrub.value = at;
  count.textContent = line.querySelector(".phase span:last-child").textContent;
  scrub.setAttribute("aria-valuetext", count.textContent);
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const here = list.querySelectorAll("li")[at - 1];
  here.setAttribute("aria-current", "step");
  inSight(list, here);
  for (const [name, end] of [["first", 1], ["back", 1], ["on", last], ["last", last]]) {
    const button = document.querySelector(`[data-go="${name}"]`);
    if (at === end) button.setAttribute("aria-disabled", "true"); else button.removeAttribute("aria-disabled");
  }
  history.replaceState(null, "", address(at));
}

function play() {
  const word = document.querySelector("[data-play]");
  timer = timer ? clearInterval(timer) ?? 0 : setInterval(() => { if (at === last) play(); else show(at + 1); }, pace);
  word.textContent = timer ? word.dataset.stop : word.dataset.play;
  if (timer && at === last) show(1);
}

function link() {
  const word = document.querySelector("[data-copied]"), said = word.textContent;
  navigator.clipboard?.writeText(location.origin + address(at)).catch(() => {});
  word.textContent = word.dataset.copied;
  setTimeout(() => { word.textContent = said; }, 1500);
}

const follow = (name) => { const to = document.querySelector(`a[data-go="${name}"]`); if (to) location.assign(to.href); };
const GO = {
  first: () => show(1), back: () => show(at - 1), on: () => show(at + 1), last: () => show(last), play, link,
  pace: (button) => { pace = PACES[(PACES.indexOf(pace) + 1) % PACES.length]; button.textContent = `${pace / 1000} s`; if (timer) { play(); play(); } },
  both: () => location.assign(`${location.pathname}?step=${at}&both=true`), stands: () => location.assign(`${location.pathname}?step=${at}`),
  print: () => print(), before: () => follow("before"), after: () => follow("after"),
};
const KEYS = { ArrowRight: "on", ArrowLeft: "back", Home: "first", End: "last", " ": "play", l: "link", L: "link", ArrowDown: "before", ArrowUp: "after" };

function keyed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=range]), textarea, select")) return;
  const versions = document.querySelector("[data-go=both]");
  const name = event.key.toLowerCase() === "b" && versions ? (both ? "stands" : "both") : KEYS[event.key];
  if (!name) return;
  event.preventDefault();
  GO[name](document.querySelector(`[data-go="${name}"]`));
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const step = event.target.closest("[data-step]"), go = event.target.closest("[data-go]");
  if (!step && !go) return;
  event.preventDefault();
  if (step) show(Number(step.dataset.step)); else GO[go.dataset.go](go);
}

inSight(list, list.querySelector("[aria-current]"));
const coups = document.querySelector(".coups");
inSight(coups, coups.querySelector("[aria-current]"));
const answer = await fetch(coup.dataset.steps, { headers: { accept: "application/json" } });
if (answer.ok) {
  parts = await answer.json();
  for (const one of document.querySelectorAll(".lookback [hidden]")) if (one.matches("#scrub, [data-go]")) one.hidden = false;
  addEventListener("keydown", keyed);
  document.addEventListener("click", pressed);
  scrub.addEventListener("input", () => show(Number(scrub.value)));
  coup.dataset.ready = "";
}
