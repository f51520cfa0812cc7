// A screen for everybody: the boards of its tables are all kept as they are, and shown in turn.

import { localise } from "../locale.js";
import { follow } from "./connection.js";

const LAST_CALL_S = 4;
const wall = document.getElementById("wall");
const boards = new Map([...wall.querySelectorAll(".board")].map((board) => [board.dataset.table, board]));

function show(board, message) {
  for (const [name, html] of Object.entries(message.regions)) {
    const region = board.querySelector(`[data-region="${name}"]`);
    if (!region) continue;
    region.innerHTML = html;
    localise(region);
  }
  for (const timer of board.querySelectorAll("[data-until]")) begin(timer, message.age_ms);
}

// The house says how much time there was when it drew the board; from then on this clock counts.
function begin(timer, age = 0) {
  timer.dataset.ends ??= String(performance.now() + (timer.dataset.until - timer.dataset.now) - age);
}

function tick() {
  for (const timer of wall.querySelectorAll("[data-until]")) {
    begin(timer);
    const left_ms = Math.max(0, timer.dataset.ends - performance.now());
    const left = Math.ceil(left_ms / 1000);
    timer.textContent = left < 100 ? String(left) : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    const ring = timer.closest(".ring");
    if (!ring) continue;
    ring.classList.toggle("last-call", left <= LAST_CALL_S);
    ring.querySelector(".left").style.strokeDashoffset = 100 - 100 * Math.min(1, left_ms / ring.dataset.of);
  }
}

function listen() {
  const each = [...boards].map(([name, board]) => [name, (event) => show(board, JSON.parse(event.data))]);
  follow(wall.dataset.wall, { ...Object.fromEntries(each), again: () => location.reload() }, listen);
}

function rotate() {
  const all = [...boards.values()];
  const now = all.findIndex((board) => board.classList.contains("on"));
  all[now].classList.remove("on");
  all[(now + 1) % all.length].classList.add("on");
}

if (boards.size) listen();
if (wall.dataset.seconds > 0 && boards.size > 1) setInterval(rotate, wall.dataset.seconds * 1000);
setInterval(tick, 250);
tick();
