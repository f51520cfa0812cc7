// An entrant's phone: the page follows its competition, calls when it is asked to, and hands in a
// form only when its player has confirmed it. Without scripts the same forms post as they are.

import { newId, tell, watchForms } from "../../commands/forms.js";
import { mainOf } from "../../live/connection.js";
import { listen } from "../../live/live.js";
import { localise, money } from "../../locale.js";
import { look } from "../../stage/look.js";

localise(document);
watchForms();
look();
const live = document.getElementById("live");
if (live) { listen(live); calling(); }
const form = document.getElementById("secret");
if (form) secret(form);

// The call: a seat is drawn, a start moves, a turn comes. Only where it was switched on.
function calling() {
  const on = () => { try { return localStorage.getItem("call") === "on"; } catch { return false; } };
  const state = () => document.getElementById("call");
  let last = state()?.dataset.call;

  function show() {
    for (const button of document.querySelectorAll("[data-call-me]")) {
      button.hidden = false;
      button.dataset.on ??= button.textContent;
      button.textContent = on() ? button.dataset.off : button.dataset.on;
      button.classList.toggle("first", button.classList.contains("big") && !on());
    }
    for (const note of document.querySelectorAll("[data-called]")) note.hidden = !on();
  }

  function call(text) {
    tone();
    navigator.vibrate?.([200, 100, 200]);
    try { if (Notification.permission === "granted") new Notification(text, { tag: "call" }); } catch { /* the sound alone */ }
    tell(text);
  }

  document.addEventListener("click", async (event) => {
    if (!event.target.closest("[data-call-me]")) return;
    const turned = !on();
    try { localStorage.setItem("call", turned ? "on" : "off"); } catch { /* for this page alone it is not kept */ }
    show();
    if (!turned) return;
    tone();
    try { await Notification.requestPermission(); } catch { /* the sound alone */ }
  });
  document.addEventListener("shown", () => {
    show();
    const now = state();
    if (!now || now.dataset.call === last) return;
    const [before, after] = [last.split("|"), now.dataset.call.split("|")];
    last = now.dataset.call;
    if (!on()) return;
    const words = JSON.parse(now.dataset.words);
    if (after[3] !== "0" && after[3] !== before[3]) call(words.turn);
    else if (after[1] && after[1] !== before[1]) call(words.seat);
    else if (after[2] !== "0" && after[2] !== before[2]) {
      call(words.start.replace("{time}", now.textContent));
    }
  });
  show();
}

let audio = null;
function tone() {
  audio ??= new AudioContext();
  const [wave, loud, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  wave.frequency.setValueAtTime(660, now);
  wave.frequency.setValueAtTime(880, now + 0.18);
  loud.gain.setValueAtTime(0.12, now);
  loud.gain.exponentialRampToValueAtTime(0.0001, now + 0.5);
  wave.connect(loud).connect(audio.destination);
  wave.start(now);
  wave.stop(now + 0.5);
}

// The form stays on the phone until it is confirmed; what is sent is as long for every form.
function secret(form) {
  const { figures, words, sure, pad, command_id: id } = form.elements;
  const [said, over, keys] = [form.querySelector(".said"), form.querySelector("[data-over]"), form.querySelector(".keys")];
  const wrong = JSON.parse(form.dataset.wrong);
  for (const one of form.querySelectorAll(".by-hand")) one.hidden = true;
  for (const one of [over, keys, said]) one.hidden = false;
  words.required = sure.required = false;
  figures.readOnly = matchMedia("(pointer: coarse)").matches; // the keys below are its keyboard

  const cents = () => (/^\d{1,9}$/.test(figures.value) ? Number(figures.value) * 100 : 0);
  function fault() {
    const { least, most, unit, held } = form.dataset;
    const found = [cents() < least, cents() > most, cents() % unit !== 0, cents() > held].indexOf(true);
    return found < 0 ? "" : wrong[found];
  }
  function check() {
    const bad = cents() ? fault() : "";
    said.textContent = bad || (cents() ? spelled(cents() / 100, form) : "");
    said.classList.toggle("bad", Boolean(bad));
    over.disabled = !cents() || Boolean(bad) || !form.elements.on.value;
  }
  function step(name) {
    for (const one of form.querySelectorAll("[data-step]")) one.hidden = one.dataset.step !== name;
    form.querySelector(`[data-step=${name}] h2`)?.focus();
  }
  // A form that lies is not left lying here: sent back, or announced, the player's own page says what is next.
  let lodged = false, lay = false;
  function handedIn() {
    document.querySelector(".top .under").textContent = form.dataset.lodged;
    document.querySelector(".top .big").textContent = "✓";
  }
  document.addEventListener("shown", () => {
    if (!lodged) return;
    const lies = Boolean(document.querySelector(".top [data-form]"));
    if (lay && !lies) location.assign(form.dataset.own);
    lay ||= lies;
    handedIn();
  });
  const put = (name, text) => { for (const one of form.querySelectorAll(`[data-out=${name}]`)) one.textContent = text; };

  form.addEventListener("input", check);
  keys.addEventListener("click", ({ target }) => {
    const digit = target.dataset.digit;
    if (!digit) return;
    figures.value = digit === "C" ? "" : digit === "<" ? figures.value.slice(0, -1) : (figures.value + digit).slice(0, 9);
    check();
  });
  over.addEventListener("click", () => {
    words.value = spelled(cents() / 100, form);
    put("on", form.querySelector("[name=on]:checked + span").textContent);
    put("figures", figures.value);
    put("words", words.value);
    put("left", money(form.dataset.held - cents()));
    form.querySelector("[data-tie]").hidden = form.elements.on.value !== "t";
    sure.checked = true;
    step("confirm");
  });
  form.querySelector("[data-change]").addEventListener("click", () => { sure.checked = false; step("fill"); });
  form.querySelector("[data-show]").addEventListener("click", () => step("shown"));
  form.querySelector("[data-cover]").addEventListener("click", () => step("lodged"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!sure.checked || "sending" in form.dataset) return;
    form.dataset.sending = "";
    id.value ||= newId();
    pad.value = "";
    const bare = new URLSearchParams(new FormData(form)).toString().length;
    pad.value = "x".repeat(Math.max(0, form.dataset.length - bare));
    try {
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "text/html" }, redirect: "manual" });
      if (answer.type === "opaqueredirect") {
        lodged = true;
        handedIn();
        step("lodged");
        tell("");
        return;
      }
      const said = mainOf(await answer.text());
      sure.checked = false;
      id.value = "";
      step("fill");
      tell(said.querySelector("[role=alert]")?.textContent ?? "");
    } catch {
      tell(form.dataset.unanswered); // sent again it is the same form, once
    } finally {
      delete form.dataset.sending;
    }
  });
  check();
}

// An amount of whole units as it is written out: two hundred and fifty.
function spelled(number, { dataset }) {
  const [small, tens] = JSON.parse(dataset.spelled), [hundred, thousand, million, and] = JSON.parse(dataset.great);
  const below = (rest) => (rest < 20 ? small[rest] : [tens[Math.floor(rest / 10)], small[rest % 10]].filter(Boolean).join(" "));
  function hundreds(rest) {
    const many = Math.floor(rest / 100), few = below(rest % 100);
    return [many ? `${small[many]} ${hundred}` : "", many && few ? and : "", few].filter(Boolean).join(" ");
  }
  const [millions, thousands, rest] = [Math.floor(number / 1e6), Math.floor(number / 1000) % 1000, number % 1000];
  const parts = [millions && `${hundreds(millions)} ${million}`, thousands && `${hundreds(thousands)} ${thousand}`];
  parts.push(rest && (number > 999 && rest < 100 ? `${and} ${hundreds(rest)}` : hundreds(rest)));
  return parts.filter(Boolean).join(" ");
}
