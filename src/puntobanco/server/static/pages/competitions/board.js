// A board for everybody in the room: its regions come as they change, clocks count here.

import { follow } from "../../live/connection.js";
import { TIME, localise } from "../../locale.js";
import { reveal, showLots } from "./reveal.js";

const AT_ONCE = 6, TURN_MS = 12_000, LAST_MINUTE_S = 60;
const board = document.getElementById("cup-board");
const regions = new Map([...board.querySelectorAll("[data-region]")].map((one) => [one.dataset.region, one]));

function show(message) {
  const { frame, ...changed } = message.regions;
  if (frame !== undefined && frame !== board.dataset.frame) lay(frame, changed);
  for (const [name, html] of Object.entries(changed)) {
    const region = regions.get(name);
    if (!region) continue;
    region.innerHTML = html;
    localise(region);
  }
  conceal();
  begin(message.age_ms);
}

// A table drawn anew while lots are told has all its names: those still to come are hidden again at once.
function conceal() {
  const lot = board.querySelector("[data-began]");
  if (!lot) return;
  delete lot.dataset.out;
  showLots(lot, board);
}

// Another scene: the regions that it has, in its order; what stays is kept.
function lay(frame, changed) {
  const [kinds, names] = frame.split("|");
  const before = board.dataset.frame.split("|")[0];
  board.dataset.frame = frame;
  board.className = kinds;
  const kept = names.split(" ").map((name) => {
    const region = regions.get(name) ?? document.createElement("div");
    region.className = "region";
    region.dataset.region = name;
    return region;
  });
  regions.clear();
  for (const region of kept) regions.set(region.dataset.region, region);
  board.replaceChildren(...kept);
  if (kinds.includes("scene-last") && !before.includes("scene-last")) sound("last-coup");
  turn(0);
}

// The house says how much time there was when it drew a region, and how long ago that was.
function begin(age = 0) {
  for (const timer of board.querySelectorAll("[data-until]")) timer.dataset.ends ??= String(performance.now() + (timer.dataset.until - timer.dataset.now) - age);
  const lot = board.querySelector("[data-reveal]");
  if (lot) reveal(lot, board, age);
}

let told = null;
function tick() {
  begin();
  for (const timer of board.querySelectorAll("[data-until]")) {
    const left = Math.ceil(Math.max(0, timer.dataset.ends - performance.now()) / 1000);
    timer.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (timer.closest(".head")) warn(left, timer.dataset.until);
  }
  for (const one of board.querySelectorAll("[data-wall-clock]")) one.textContent = TIME.format(new Date());
  const lot = board.querySelector("[data-reveal]");
  if (lot) showLots(lot, board);
}

// The last minute and the end of the time are each told once, to whoever wants sounds.
function warn(left, until) {
  const now = left === 0 ? `over ${until}` : left <= LAST_MINUTE_S ? `minute ${until}` : `runs ${until}`;
  if (told !== null && now !== told && !now.startsWith("runs")) sound(left === 0 ? "time-over" : "last-minute");
  told = now;
}

function sound(name) {
  document.dispatchEvent(new CustomEvent(name));
}

// More tables than fit come in turn.
let page = 0;
function turn(to) {
  const tables = [...regions].filter(([name]) => name.startsWith("table-")).map(([, region]) => region);
  const pages = Math.max(1, Math.ceil(tables.length / AT_ONCE));
  page = to % pages;
  tables.forEach((region, at) => region.classList.toggle("later", Math.floor(at / AT_ONCE) !== page));
}

function listen() {
  follow(board.dataset.source, { message: (event) => show(JSON.parse(event.data)) }, listen);
}

// Sounds are off until somebody turns them on here: S, or the button that comes with the pointer.
function soundSwitch() {
  const button = document.querySelector(".sound-switch");
  const read = () => { try { return JSON.parse(localStorage.getItem("look") ?? "{}"); } catch { return {}; } };
  const tell = () => { button.textContent = read().sound ? button.dataset.on : button.dataset.off; button.setAttribute("aria-pressed", String(Boolean(read().sound))); };
  const change = () => {
    try { localStorage.setItem("look", JSON.stringify({ ...read(), sound: !read().sound })); } catch { /* not kept here */ }
    tell();
    sound("last-minute");
  };
  button.hidden = false;
  button.addEventListener("click", change);
  addEventListener("keydown", (event) => { if (event.key === "s" && !event.ctrlKey && !event.metaKey && !event.altKey) change(); });
  let away;
  addEventListener("pointermove", () => { button.classList.add("near"); clearTimeout(away); away = setTimeout(() => button.classList.remove("near"), 3000); });
  tell();
}

listen();
turn(0);
soundSwitch();
setInterval(() => turn(page + 1), TURN_MS);
setInterval(tick, 250);
tick();
