// Betting as people know it: pick a chip, tap an area or drag the chip there; keys; undo, clear,
// double, rebet. What one wants to lie is sent whole, and stands as a whole or not at all.

import { explain, newId, signIn } from "../commands/forms.js";
import { unanswered } from "../live/connection.js";
import { money } from "../locale.js";

const FAR = 8;
const KEYS = { p: "player", b: "banker", t: "tie", P: "player-pair", B: "banker-pair" };
const SAID_MS = 6000;
const SVG = "http://www.w3.org/2000/svg";
let wanted = null; // what was asked for and is not confirmed yet
let undone = []; // what lay before each act of this coup
let sending = Promise.resolve();
let refused = null; // what was refused last, told until it is old or the next bets open

// Few ask for a squeeze: its module comes with the first one.
async function squeeze(card) { (await import("./squeeze.js")).squeeze(card); }

function rack() { return document.querySelector(".rack[data-betting]"); }

function isOpen() { return rack()?.dataset.betting === "open"; }

function laid() { return wanted ?? JSON.parse(rack()?.dataset.lay ?? "{}"); }

function chip() { return Number(document.querySelector(".rack input:checked")?.value ?? 0); }

function area(bet) { return document.querySelector(`.area.own[data-bet="${bet}"]`); }

// All that shall lie, in one request after another: the last one wins.
function lay(wagers, before = laid()) {
  const asked = Object.fromEntries(Object.entries(wagers).filter(([, cents]) => cents > 0));
  wanted = asked;
  undone.push(before);
  unsay();
  const changed = Object.keys(asked).filter((bet) => asked[bet] !== before[bet]);
  changed.forEach(pend);
  const text = Object.entries(asked).map(([bet, cents]) => `${bet}=${cents}`).join(",");
  sending = sending.then(() => send(text, asked, changed.at(-1)));
}

async function send(text, asked, bet) {
  const where = rack()?.dataset.where;
  if (!where) return;
  const body = new URLSearchParams({ command_id: newId(), wagers: text });
  try {
    const answer = await fetch(where, { method: "POST", body, headers: { accept: "application/json" } });
    if (answer.status === 401) { signIn(); return; }
    if (!answer.ok) refuse(await answer.json(), bet);
  } catch {
    refuse({ reason: "offline", detail: unanswered(), remedy: "", facts: {} }, bet);
  } finally {
    if (wanted === asked) wanted = null;
    act();
  }
}

// A wager that the house has not confirmed yet is drawn faint.
function pend(bet) {
  const at = area(bet);
  if (!at) return;
  const [x, y, r] = at.dataset.chips.split(" ").map(Number);
  const stake = document.createElementNS(SVG, "g");
  stake.setAttribute("class", "stake pending");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", document.querySelector(".rack input:checked ~ svg use").getAttribute("href"));
  for (const [name, value] of Object.entries({ x: x - r, y: y - r, width: 2 * r, height: 2.16 * r })) use.setAttribute(name, value);
  stake.append(use);
  at.querySelector("g").append(stake);
  setTimeout(() => stake.remove(), 4000);
}

// What is not allowed says why in its own area, with the clause, and in the line below.
function refuse(said, bet) {
  undone.pop();
  for (const one of document.querySelectorAll(".stake.pending")) one.remove();
  refused = { said, bet: said.facts?.on ?? bet, open: isOpen() };
  tellRefused();
  clearTimeout(unsay.timer);
  unsay.timer = setTimeout(unsay, SAID_MS);
}

// As often as the house draws what is below it anew.
function tellRefused() {
  const status = document.getElementById("status");
  if (status) { status.textContent = explain(refused.said); status.className = "status bad"; }
  const at = refused.bet && area(refused.bet);
  if (!at || at.querySelector(".why")) return;
  const [x, y, anchor, wide] = at.dataset.why.split(" ");
  const laid = anchor === "start" ? document.querySelector(`.stake.own[data-key$=" ${refused.bet}"]`) : null; // its amount stands there
  const beside = (laid?.querySelector(".amount")?.getComputedTextLength() ?? -6) + 6;
  const text = document.createElementNS(SVG, "text");
  for (const [name, value] of Object.entries({ class: "why", x: Number(x) + beside, y, "font-size": 11, "text-anchor": anchor })) text.setAttribute(name, value);
  text.textContent = short(refused.said);
  at.classList.add("refused");
  at.querySelector("g").append(text);
  const room = wide - beside - (laid ? 2 * at.dataset.chips.split(" ")[2] : 0);
  text.setAttribute("font-size", String(Math.min(11, 11 * room / text.getComputedTextLength())));
}

// As few words as an area has room for, and the clause.
function short(said) {
  const whys = JSON.parse(document.querySelector("[data-whys]").dataset.whys);
  const words = (whys[said.reason] ?? whys[""]).replace(/\{(\w+)\}/g, (_, name) => money(Math.round(100 * said.facts[name])));
  return words + (said.clause && said.clause !== "conditions" ? ` · ${said.clause.replace(/^.*:/, "")}` : "");
}

function unsay() {
  refused = null;
  for (const one of document.querySelectorAll(".area.refused")) { one.classList.remove("refused"); one.querySelector(".why")?.remove(); }
}

function put(bet) {
  const cents = chip();
  if (!cents || !area(bet)) return;
  const now = laid();
  lay({ ...now, [bet]: (now[bet] ?? 0) + cents });
}

const ACTS = {
  undo: () => { const before = undone.pop(); if (before) { lay(before); undone.pop(); } },
  clear: () => lay({}),
  double: () => lay(Object.fromEntries(Object.entries(laid()).map(([bet, cents]) => [bet, 2 * cents]))),
  rebet: () => lay(Object.fromEntries(rack().dataset.last.split(",").filter(Boolean).map((one) => [one.split("=")[0], Number(one.split("=")[1])]))),
};

// Which acts make sense now; the house says the same of all but undo, which only this page knows.
function act() {
  if (!isOpen()) undone = [];
  const button = document.querySelector("[data-act=undo] button");
  if (button) button.disabled = !isOpen() || !undone.length;
}

function onKey(event) {
  const at = document.activeElement;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (at?.matches("input:not([type=radio]), textarea, select")) return;
  const one = [...document.querySelectorAll(".rack [type=radio]")][Number(event.key) - 1];
  if (one) { one.checked = true; return; }
  const pressed = [" ", "Enter"].includes(event.key);
  const own = pressed ? at?.closest(".area.own")?.dataset.bet : null;
  const card = pressed ? at?.closest(".turns") : null;
  if (card) { event.preventDefault(); squeeze(card); return; }
  const bet = KEYS[event.key] ?? own;
  if (bet && area(bet)) { event.preventDefault(); put(bet); return; }
  const button = document.querySelector(`.acts button[data-key="${event.key.toLowerCase()}"]:not([disabled])`);
  if (button) { event.preventDefault(); button.click(); }
}

function drag(label, start) {
  let ghost = null;
  const over = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".area.own") ?? null;
  const move = (event) => {
    if (!ghost) {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < FAR) return;
      label.querySelector("input").checked = true;
      ghost = document.createElement("div");
      ghost.className = "ghost";
      ghost.append(label.querySelector("svg").cloneNode(true));
      document.body.append(ghost);
    }
    ghost.style.left = `${event.clientX}px`;
    ghost.style.top = `${event.clientY}px`;
    for (const one of document.querySelectorAll(".area.own")) one.classList.toggle("over", one === over(event));
  };
  const end = (event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    ghost?.remove();
    for (const one of document.querySelectorAll(".area.over")) one.classList.remove("over");
    const at = ghost && event.type === "pointerup" ? over(event) : null;
    if (at) put(at.dataset.bet);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

function onClick(event) {
  const own = event.target.closest(".area.own");
  if (own) { event.preventDefault(); put(own.dataset.bet); return; }
  const card = event.target.closest(".turns");
  if (card) { event.preventDefault(); squeeze(card); return; }
  const doing = event.target.closest(".acts [data-act] button")?.closest("[data-act]")?.dataset.act;
  if (doing) { event.preventDefault(); ACTS[doing](); }
}

export function bet() {
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  document.addEventListener("pointerdown", (event) => {
    const label = event.target.closest(".rack .chip");
    if (label) drag(label, event);
  });
  document.addEventListener("shown", (event) => {
    if (event.detail.includes("stakes")) for (const one of document.querySelectorAll(".stake.pending")) one.remove();
    if (refused && isOpen() && !refused.open) unsay(); else if (refused) tellRefused();
    act();
  });
  act();
}
