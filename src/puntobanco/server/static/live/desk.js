// The dealer's instrument: one first thing that Space and Enter do, cards in two strokes, payouts
// ticked off. Letters of cards never mean anything else; every other key stands where it works.

import { explain, newId, signIn, tell } from "../commands/forms.js";
import { money } from "../locale.js";
import { unanswered } from "./connection.js";

const RANKS = "A23456789TJQK";
const SUITS = "CDHS";
const AMOUNT = "[name='cents@money']"; // of a wager that a competitor says
const PATIENCE_MS = 600; // what changes nothing on this page is never shown on it
const LONG_MS = 10000; // a card always is, however slow the way: the next one waits for it

const keyed = []; // cards on their way: the next one may be keyed before the answer is here
let typed = "";
let sending = false;
let pressed = -1; // at which row the page stood when Space was pressed with a card on its way
let awaited = 0;
let given = 0;
let doubtful = {}; // a card that was not answered: keyed again before the page has moved, it is the same one

const find = (what) => document.querySelector(what);
const field = () => find("#card [data-typed]");
const isShown = (patience = PATIENCE_MS) => Number(find("#live").dataset.seq ?? 0) >= awaited || performance.now() > given + patience;

// The first thing has the focus, unless somebody has gone to another one by themselves.
function home() {
  if (!find("dialog[open]")) find("[data-first]:not([hidden])")?.focus({ preventScroll: true });
}

// The focus was lost with what had it, or stands where the first thing was.
const isAstray = () => document.activeElement === document.body || document.activeElement.matches("[data-typed]:not([data-first])");

// The card that was given is on the page.
function shown() {
  return new Promise((resolve) => {
    (function look() { if (isShown(LONG_MS)) resolve(); else setTimeout(look, 15); })();
  });
}

function aim(rank) {
  typed = rank;
  for (const one of document.querySelectorAll(".pad button")) one.classList.toggle("aim", Boolean(rank) && one.dataset.card[0] === rank);
  const form = find("#card");
  if (!form) return;
  field().value = rank === "T" ? "10" : rank;
  form.classList.toggle("half", Boolean(rank));
}

function expectShown(said) {
  awaited = Math.max(awaited, said.seq ?? 0);
  given = performance.now();
}

async function give(form, card) {
  const body = new URLSearchParams(new FormData(form));
  const seq = find("#live").dataset.seq;
  if (doubtful.card !== card || doubtful.seq !== seq) doubtful = { card, seq, id: newId() };
  body.set("card", card);
  body.set("command_id", doubtful.id);
  const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
  const said = await answer.json();
  if (answer.status < 500) doubtful = {};
  if (answer.status === 401) signIn();
  tell(answer.ok ? "" : explain(said));
  if (answer.ok) expectShown(said); // the form may be gone: the page was redrawn meanwhile
  document.dispatchEvent(new CustomEvent("given", { detail: { form, ok: answer.ok, said } }));
  return answer.ok;
}

async function send() {
  if (sending) return;
  sending = true;
  try {
    while (keyed.length) {
      const form = find("#card");
      if (!form) { tell(find(".pad").dataset.none); pressed = -1; break; }
      if (!await give(form, keyed.shift())) { pressed = -1; break; }
      await shown();
    }
  } catch {
    tell(unanswered());
    pressed = -1;
  }
  keyed.length = 0;
  sending = false;
  if (pressed >= awaited) first(); // the card was on the page already, only its answer was late
  pressed = -1;
}

function key(card) {
  aim("");
  keyed.push(card[0] + card[1].toLowerCase());
  send();
}

// Rank, then suit; another rank in place of the first, for it was keyed by mistake.
function stroke(letter) {
  const rank = letter === "0" ? "T" : letter;
  if (typed && SUITS.includes(letter)) { key(typed + letter); return true; }
  if (!RANKS.includes(rank) || !(field() || sending)) return false;
  aim(rank);
  return true;
}

const stands = (one) => one && !one.hidden && one.getClientRects().length > 0;

function press(name) {
  const one = [...document.querySelectorAll("[data-key]")].find((found) => found.dataset.key === name && stands(found));
  if (!one) return false;
  if (one.matches("input:not([type=radio])")) one.focus(); else one.click();
  return true;
}

// What is wrong with a wager stands at its field, until another one is typed or something else is done.
function wrong(says) {
  const at = find("#lay-wrong");
  [at.textContent, at.hidden] = [says, !says];
  find(".lay input[name=wager]")?.setAttribute("aria-invalid", String(Boolean(says)));
}

// Space and Enter do what the page shows as first, once: what was pressed is shown before the next.
function first() {
  const one = find("[data-first]:not([hidden])");
  if (!one || one.matches("[data-typed]") || !isShown()) return;
  if (sending) pressed = Number(find("#live").dataset.seq ?? 0);
  else one.click();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || find("dialog[open]")) return;
  const { target } = event;
  const isField = target.matches("input:not([data-typed]), select, textarea");
  if (isField) {
    if (event.key === "Escape") home();
    if (target.matches(AMOUNT) && /^[a-z]$/i.test(event.key) && press(event.key.toUpperCase())) event.preventDefault();
    return;
  }
  if (/^\d$/.test(event.key) && !field() && find(AMOUNT)) { find(AMOUNT).select(); return; } // and the digit is typed there
  const name = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  if (name === " " || name === "Enter") {
    if (target.matches("a, button, summary, label") && !target.matches("[data-first]")) return;
    event.preventDefault();
    if (!event.repeat) first();
  } else if (name === "Backspace") {
    event.preventDefault();
    aim("");
  } else if (name.length === 1 && !event.repeat) {
    if (stroke(name) || press(name)) event.preventDefault();
    else if (target.matches("[data-typed]")) event.preventDefault();
  }
}

// payouts

// A coup that was put right is paid anew, where its payouts are others.
const owed = () => [...document.querySelectorAll(".paying [data-step]")].map((one) => one.dataset.head + one.dataset.cents).join();
const memory = () => `paid ${find("#live").dataset.table} ${find(".paying")?.dataset.coup} ${owed()}`;
const paid = () => new Set(JSON.parse(sessionStorage.getItem(memory()) ?? "[]"));

function tick(at) {
  const done = paid();
  if (!done.delete(at)) done.add(at);
  sessionStorage.setItem(memory(), JSON.stringify([...done]));
  paying();
  home();
}

// The next payout is the first thing; when all are ticked off, the next coup is.
function paying() {
  const list = find(".paying"), button = find("#tick"), all = find("#do-first");
  for (const one of document.querySelectorAll(".seats tr.now")) one.classList.remove("now");
  if (!list) return;
  const steps = [...list.querySelectorAll("[data-step]")], done = paid();
  const now = steps.findIndex((_, at) => !done.has(at));
  steps.forEach((one, at) => { one.classList.toggle("done", done.has(at)); one.classList.toggle("now", at === now); });
  if (!button) return; // somebody is waited for
  button.hidden = now < 0;
  all.classList.toggle("first", now < 0);
  const press = all.querySelector("button");
  press.classList.toggle("first", now < 0);
  press.querySelector(".key").textContent = now < 0 ? "Space" : "P";
  if (now >= 0) tellStep(steps[now], button);
  else { find(".tell h1").textContent = list.dataset.over; find(".tell .said").textContent = ""; }
}

function tellStep(step, button) {
  const box = step.querySelector(".box").textContent.trim();
  const amount = step.querySelector(".owed data")?.dataset.currency;
  button.querySelector(".what").textContent = step.dataset.done;
  const cents = step.dataset.cents;
  find(".tell h1").textContent = `${step.dataset.head}${cents ? ` ${money(Number(cents), amount)}` : ""}`.replace(/\s+/g, " ");
  const whose = box ? `${step.querySelector("b").textContent}, ` : "";
  find(".tell .said").textContent = `${whose}${step.querySelector("small .what").textContent}`.trim();
  for (const one of document.querySelectorAll(".seats tbody tr")) {
    one.classList.toggle("now", Boolean(box) && one.querySelector("th").textContent.trim() === box);
  }
  step.scrollIntoView({ block: "nearest" });
}

// waits

function waits() {
  for (const one of document.querySelectorAll("[data-since]")) {
    one.dataset.from ??= String(performance.now() - (one.dataset.now - one.dataset.since));
    const s = Math.floor((performance.now() - one.dataset.from) / 1000);
    one.textContent = `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
  }
}

export function desk() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("given", ({ detail }) => {
    if (detail.ok || detail.form.matches(".lay")) wrong(detail.ok ? "" : explain(detail.said));
    if (detail.ok && detail.form.matches(".lay")) home();
    if (!detail.ok || !detail.form.closest(".doing")) return;
    expectShown(detail.said);
  });
  document.addEventListener("shown", () => { aim(typed); paying(); waits(); if (!find(".lay input")) wrong(""); if (isAstray()) home(); });
  document.addEventListener("close", () => setTimeout(() => { if (isAstray()) home(); }), true);
  document.addEventListener("input", (event) => { if (event.target.matches(".lay input")) wrong(""); });
  document.addEventListener("click", (event) => {
    const card = event.target.closest(".pad button")?.dataset.card;
    if (card) { event.preventDefault(); key(card); }
    const step = event.target.closest("[data-step]");
    if (step && !event.target.closest("a")) tick([...step.parentElement.querySelectorAll("[data-step]")].indexOf(step));
    if (event.target.closest("#tick")) tick([...document.querySelectorAll("[data-step]")].findIndex((one) => one.classList.contains("now")));
  });
  document.addEventListener("submit", (event) => { if (event.target.id === "card") event.preventDefault(); }, true);
  find("#live").classList.add("keys");
  setInterval(waits, 1000);
  paying();
  home();
}
