// The bar above every page: search as one types, and what waits for the reader, live.

import { follow } from "./live/connection.js";
import { localise } from "./locale.js";

const PAUSE_MS = 120;

function search(form) {
  const [input, found] = [form.querySelector("input"), form.querySelector(".found")];
  let asked = 0;
  async function ask() {
    const mine = ++asked;
    if (!input.value.trim()) { found.hidden = true; return; }
    await new Promise((go) => setTimeout(go, PAUSE_MS));
    if (mine !== asked) return;
    try {
      const answer = await fetch(`/search?part=1&q=${encodeURIComponent(input.value)}`, { headers: { accept: "text/html" } });
      if (!answer.ok || mine !== asked) return;
      found.innerHTML = await answer.text();
      found.hidden = false;
    } catch { /* the house is away: Enter asks again */ }
  }
  function move(event) {
    const lines = [...found.querySelectorAll("a")];
    const at = lines.indexOf(document.activeElement);
    const to = event.key === "ArrowDown" ? at + 1 : at - 1;
    if (!lines.length || found.hidden) return;
    event.preventDefault();
    (lines[to] ?? input).focus();
  }
  input.addEventListener("input", ask);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { found.hidden = true; input.blur(); }
    if (["ArrowDown", "ArrowUp"].includes(event.key)) move(event);
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) found.hidden = true; });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input, textarea, select")) return;
    event.preventDefault();
    input.focus();
  });
}

// One tab listens for all: a browser has few connections to a house. Where tabs cannot agree on
// one, each listens for itself.
function waits(list) {
  const others = new BroadcastChannel("waits");
  const show = (html) => {
    if (list.contains(document.activeElement) && list.open) return;
    list.innerHTML = html;
    list.classList.toggle("none", !list.querySelector(".inbox-list a"));
    localise(list);
  };
  const message = (event) => { const html = JSON.parse(event.data); show(html); others.postMessage(html); };
  // Where the session is over, nothing is asked for again, and another tab may listen.
  const listen = (over) => {
    const again = async () => {
      const me = await fetch("/api/me", { headers: { follows: "1" } }).catch(() => null);
      if (me?.status === 401) over?.(); else listen(over);
    };
    follow(list.dataset.waits, { message }, again, { quiet: true });
  };
  others.onmessage = (event) => show(event.data);
  if (navigator.locks) navigator.locks.request("waits", () => new Promise(listen)); else listen();
}

export function shell() {
  const [form, list] = [document.querySelector(".shell .find"), document.querySelector("[data-waits]")];
  if (form) search(form);
  if (list) waits(list);
}
