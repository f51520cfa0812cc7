// Forms go by fetch where their page is live; a command's own form comes up in a dialog.

import { mainOf, unanswered } from "../live/connection.js";
import { localise } from "../locale.js";

const told = document.getElementById("told");

export function tell(text) {
  told.textContent = text;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => { told.textContent = ""; }, 8000);
}

export function explain(said) {
  const clause = said.clause && said.clause !== "conditions" ? ` [${said.clause.replace(/^.*:/, "")}]` : "";
  const stop = /[.…]$/.test(said.detail) && !clause ? "" : ".";
  const detail = said.detail.charAt(0).toUpperCase() + said.detail.slice(1);
  return `${detail}${clause}${stop} ${said.remedy}`.trim();
}

// Signed out meanwhile: signing in leads back to where one was.
export function signIn() {
  location.href = `/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`;
}

export function newId() {
  const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""); // it is kept for ever: 22 signs
}

// What is on its way: a page redrawn meanwhile shows the same form anew, and it was pressed already.
const underway = new Set();
const nameOf = (form) => [form.action, ...[...form.querySelectorAll("input[type=hidden]:not([name=command_id])")].map((one) => one.value)].join("|");

async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  // Emptied at once, for the next one may be keyed before the answer is here.
  const typed = [...form.querySelectorAll("input[data-card], input[name=wager]")].map((one) => [one.name, one.value]);
  for (const field of form.querySelectorAll("input[data-card], input[name=wager]")) field.value = "";
  const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
  const said = await answer.json();
  document.dispatchEvent(new CustomEvent("given", { detail: { form, ok: answer.ok, said } }));
  if (answer.ok) {
    const id = form.querySelector("[name=command_id]");
    if (id) id.value = "";
    form.closest("dialog")?.close();
    tell("");
  } else if (answer.status === 401) {
    signIn();
  } else {
    if (!form.matches("[data-beside]")) tell(explain(said)); // else it is said at the field
    for (const [name, value] of typed) {
      const field = document.querySelector(`form[action="${form.getAttribute("action")}"] [name="${name}"]`);
      if (field && !field.value && name === "wager") field.value = value;
    }
  }
}

// A form in a dialog is answered with a page: what will follow, or the form with what is wrong in it.
async function sendFromDialog(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "text/html" }, redirect: "manual" });
  if (answer.type !== "opaqueredirect") { show(await answer.text()); return; }
  form.closest("dialog").close(); // it was done: the page below is live
  tell(form.dataset.done ?? "");
}

// The main part of a page, in a dialog over the page one is on.
function show(html) {
  const main = mainOf(html);
  let dialog = document.querySelector("dialog.sheet");
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.className = "sheet";
    document.body.append(dialog);
  }
  dialog.replaceChildren(...main.childNodes);
  const title = dialog.querySelector("h1");
  if (title) { title.id = "sheet-title"; dialog.setAttribute("aria-labelledby", "sheet-title"); }
  localise(dialog);
  if (!dialog.open) dialog.showModal();
  const first = dialog.querySelector("[data-summary], [data-first]") ?? dialog.querySelector("input:not([type=hidden]), select, textarea, a:not([data-close]), button");
  const chosen = first?.type === "radio" && dialog.querySelector(`input[name="${CSS.escape(first.name)}"]:checked`);
  (chosen || first)?.focus();
  dialog.scrollTop = 0; // its head says what it is about, though a button at its foot has the focus
}

async function open(link) {
  const answer = await fetch(link.getAttribute("href"), { headers: { accept: "text/html" } });
  if (answer.redirected) location.href = answer.url; // a page of its own, with a look of its own
  else show(await answer.text());
}

export function watchForms() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const id = form.querySelector("[name=command_id]");
    if (id && !id.value) id.value = newId(); // the same until it went: sent twice, done once
    const ours = "live" in form.dataset || "preview" in form.dataset;
    const how = ours && form.closest("dialog") ? sendFromDialog : "live" in form.dataset && document.getElementById("live") ? send : null;
    if (!how) return;
    event.preventDefault();
    const name = nameOf(form);
    if (underway.has(name)) return; // pressed twice
    underway.add(name);
    try {
      await how(form, event.submitter);
    } catch {
      tell(unanswered());
    } finally {
      underway.delete(name);
    }
  });

  // A note is a line or two: where the button says so, Enter goes on; with Shift it breaks the line.
  // So it does from a list to choose from that is not unfolded.
  const unfolds = CSS.supports("selector(:open)") ? ":open" : ":not(*)";
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches(`textarea, select:not(${unfolds})`)) return;
    const key = event.target.form?.querySelector("button.first .key");
    if (key?.textContent !== "Enter") return;
    event.preventDefault();
    event.target.form.requestSubmit(key.closest("button"));
  });

  document.querySelector("[data-summary]")?.focus(); // a form that came back says first what is wrong

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-dialog]");
    if (link && (document.getElementById("live") || link.closest("dialog")) && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      open(link).catch(() => tell(unanswered())); // the page below goes on by itself
    }
    const away = event.target.closest("dialog [data-close]");
    if (away) { event.preventDefault(); away.closest("dialog").close(); }
    if (event.target.tagName === "DIALOG") event.target.close();
  });

  // A card is keyed in two strokes: it is sent as soon as rank and suit are there.
  document.addEventListener("input", (event) => {
    const field = event.target;
    if (!("card" in field.dataset)) return;
    field.value = field.value.replace(/^10/, "T");
    if (/^[2-9tjqka][cdhs]$/i.test(field.value)) {
      field.value = field.value[0].toUpperCase() + field.value[1].toLowerCase();
      field.form.requestSubmit();
    } else if (!/^(1|[2-9tjqka])?$/i.test(field.value)) {
      field.value = "";
      tell(field.dataset.wrong);
    }
  });
}

// The QR code on a slip leads here with what it carries after the #, which no server sees.
export function byCard() {
  const found = location.pathname === "/sign-in" && /^#(.+)\.([0-9a-f]{48})$/.exec(location.hash);
  if (!found) return;
  history.replaceState(null, "", "/sign-in");
  const form = document.querySelector("form[action='/sign-in']");
  form.elements.who.value = decodeURIComponent(found[1]);
  form.elements.secret.value = found[2];
  form.elements.how.value = "card";
  form.requestSubmit();
}
