// Live pages: the regions of a page come over one EventSource as they change.

import { signIn } from "../commands/forms.js";
import { follow } from "./connection.js";
import { localise } from "../locale.js";
import { beforeOf, showTheWay } from "../stage/motion.js";
import { fit, nearest, tick } from "../stage/felt.js";

const FIELDS = "input:not([type=hidden]), select, textarea";

// A region is replaced only when it changed; what has the focus, is typed, chosen or unfolded,
// is kept.
function replace(region, put) {
  const before = beforeOf(region);
  const active = region.contains(document.activeElement) ? document.activeElement : null;
  const focused = active && keyOf(active);
  const kept = new Map([...region.querySelectorAll(FIELDS)].filter(isTyped).map((one) => [keyOf(one), valueOf(one)]));
  const unfolded = new Set();
  for (const one of region.querySelectorAll("details[open]")) unfolded.add(one.className);
  put(region);
  localise(region);
  for (const field of region.querySelectorAll(FIELDS)) {
    const was = kept.get(keyOf(field));
    if (was === undefined) continue;
    if (field.type === "radio") field.checked = was; else field.value = was;
  }
  for (const one of region.querySelectorAll("details")) if (unfolded.has(one.className)) one.open = true;
  if (focused) [...region.querySelectorAll("button, input, a, select, textarea, summary, [tabindex]")].find((one) => keyOf(one) === focused)?.focus({ preventScroll: true });
  showTheWay(region, before);
}

// Did somebody change it, or does it stand as the house drew it?
function isTyped(field) {
  if (field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.tagName !== "SELECT") return field.value !== field.defaultValue;
  return field.selectedIndex !== (field.querySelector("option[selected]")?.index ?? 0);
}

function valueOf(field) {
  return field.type === "radio" ? field.checked : field.value;
}

function keyOf(element) {
  const form = element.closest("form");
  const hidden = form ? [...form.querySelectorAll("input[type=hidden]:not([name=command_id])")].map((one) => one.value) : [];
  const own = element.type === "radio" || element.tagName === "BUTTON" ? element.value : "";
  const first = "first" in element.dataset; // whoever had the first thing is not led to what was it
  return [element.tagName, first, form?.getAttribute("action"), element.name, own, element.getAttribute("href"), element.dataset.bet, element.dataset.position, ...hidden].join("|");
}

// To watch the pit is to be there; nobody watches a page that is hidden.
let live = null;
const unseen = (page) => document.hidden && page.classList.contains("pit");
document.addEventListener("visibilitychange", () => {
  if (!live?.page.classList.contains("pit")) return;
  live.stream.close();
  if (!document.hidden) listen(live.page);
});

export function listen(page) {
  const fitted = fit();
  const message = (event) => {
    const news = JSON.parse(event.data);
    for (const [name, html] of Object.entries(news.regions)) {
      const region = document.getElementById(`region-${name}`);
      if (region) replace(region, () => { region.innerHTML = html; });
    }
    page.dataset.seq = news.seq;
    countDown(news.age_ms);
    document.dispatchEvent(new CustomEvent("shown", { detail: Object.keys(news.regions) }));
  };
  const stream = follow(page.dataset.livePage + (fitted ? `?shape=${fitted}` : ""), { message }, () => {
    if (!unseen(page)) listen(page);
    leaveIfSignedOut();
  });
  live = { page, stream };
  if (fitted) again = () => { stream.close(); listen(page); };
  countDown();
}

// Another shape of the felt fits now: ask for it.
let again = null;
addEventListener("resize", () => {
  const felt = document.getElementById("felt");
  if (again && felt && nearest(felt) !== felt.dataset.shape) again();
});

// A page of staff is shut to whoever was signed out meanwhile.
async function leaveIfSignedOut() {
  try {
    const answer = await fetch("/api/me", { headers: { follows: "1" } });
    if (answer.status === 401 && document.querySelector("form[action='/sign-out']")) signIn();
  } catch { /* the house is away: we shall see when it is back */ }
}

// The house says how much time there was when it drew the page, and how long ago that was; from
// then on this clock counts.
function countDown(age = 0) {
  for (const timer of document.querySelectorAll("[data-until]")) {
    if (!timer.dataset.ends) timer.dataset.ends = String(performance.now() + (timer.dataset.until - timer.dataset.now) - age);
    const ms = Math.max(0, timer.dataset.ends - performance.now());
    const left = Math.ceil(ms / 1000);
    if (timer.id === "ring") { tick(timer, ms, left); continue; }
    timer.textContent = left < 100 && !("clock" in timer.dataset) ? String(left) : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }
}

setInterval(() => countDown(), 250);
