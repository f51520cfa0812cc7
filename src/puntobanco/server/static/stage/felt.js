// The felt on this screen: which of its shapes fits, the ring, and the roads one swipe away.

import { explain, newId, tell } from "../commands/forms.js";
import { unanswered } from "../live/connection.js";

const LAST_CALL_MS = 4000;

// The shape nearest to the room there is, by the logarithms of width and height.
export function nearest(felt) {
  const { width, height } = felt.parentElement.getBoundingClientRect();
  const shapes = Object.entries(JSON.parse(felt.dataset.shapes));
  const far = ([, [w, h]]) => Math.abs(Math.log(width / w)) + Math.abs(Math.log(height / h));
  return shapes.reduce((best, one) => (far(one) < far(best) ? one : best))[0];
}

// Take the shape that fits, and remember it: the next page is drawn so at once.
export function fit() {
  const felt = document.getElementById("felt");
  if (!felt || !document.body.classList.contains("stage")) return ""; // on a desk it stays as it is drawn
  const shape = nearest(felt);
  const [width, height] = JSON.parse(felt.dataset.shapes)[shape];
  if (felt.dataset.shape !== shape) {
    felt.dataset.shape = shape;
    felt.setAttribute("viewBox", `0 0 ${width} ${height}`);
    document.cookie = `shape=${shape}; path=/; max-age=31536000; samesite=lax`;
  }
  return shape;
}

// A ring that empties; amber from the last call on.
export function tick(ring, ms, seconds) {
  const left = ring.querySelector(".left");
  left.setAttribute("stroke-dashoffset", left.dataset.around * Math.max(0, 1 - ms / ring.dataset.of));
  ring.querySelector(".seconds").textContent = String(seconds);
  const last = ms > 0 && ms <= LAST_CALL_MS;
  if (last && !ring.classList.contains("last")) document.dispatchEvent(new CustomEvent("last-call"));
  ring.classList.toggle("last", last);
}

// On a phone the roads lie over the neighbours' boxes, one swipe away.
function placePager() {
  const felt = document.getElementById("felt");
  const pager = document.querySelector(".pager");
  const small = matchMedia("(max-width: 639px), (max-height: 480px)").matches;
  const others = [...felt.querySelectorAll(".box:not(.own)")];
  pager.classList.toggle("placed", small && others.length > 0 && felt.querySelector(".box.own") !== null);
  if (!pager.classList.contains("placed")) { pager.removeAttribute("style"); return; }
  const whole = document.getElementById("live").getBoundingClientRect();
  const boxes = others.map((box) => box.getBoundingClientRect());
  const least = (side) => Math.min(...boxes.map((box) => box[side]));
  const most = (side) => Math.max(...boxes.map((box) => box[side]));
  Object.assign(pager.style, {
    left: `${least("left") - whole.left}px`, top: `${least("top") - whole.top - 4}px`,
    width: `${most("right") - least("left")}px`, height: `${most("bottom") - least("top") + 14}px`,
  });
}

// The last results lead to the roads and back; where there is no pager, to a page of them.
function turnPager(event) {
  const pager = document.querySelector(".pager.placed");
  if (!pager || !event.target.closest("[data-roads]")) return;
  event.preventDefault();
  pager.scrollLeft = pager.scrollLeft > 1 ? 0 : pager.scrollWidth;
}

// What is pressed through the empty page of the pager is the box below it, gaps between its areas too.
function pressThrough(event) {
  if (!event.target.closest(".blank")) return;
  const box = [...document.querySelectorAll("#felt .box:not(.own)")].find((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left - 3 <= event.clientX && event.clientX <= right + 3;
  });
  if (box) tellBox(box);
}

// A neighbour's box, told in words: small chips are hard to read on a phone.
function tellBox(box) {
  const seat = box.querySelector("a.sit");
  if (seat) { sit(seat); return; }
  const words = [box.dataset.told];
  for (const stake of document.querySelectorAll(`.stake[data-key^="${box.dataset.seat} "]`)) words.push(stake.dataset.told);
  const status = document.getElementById("status");
  if (status) status.textContent = words.join(" · ");
  for (const one of document.querySelectorAll("#felt .box")) one.classList.toggle("told", one === box);
}

// One press on a free box takes the seat; without scripts it leads to a form.
async function sit(link) {
  const where = new URL(link.getAttribute("href"), location.href);
  const body = new URLSearchParams([...where.searchParams, ["command_id", newId()]]);
  try {
    const answer = await fetch(where.pathname, { method: "POST", body, headers: { accept: "application/json" } });
    if (!answer.ok) tell(explain(await answer.json()));
  } catch {
    tell(unanswered());
  }
}

export function felt() {
  placePager();
  addEventListener("resize", placePager);
  document.addEventListener("shown", (event) => { if (event.detail.some((name) => name.startsWith("box-"))) placePager(); });
  document.querySelector(".pager").addEventListener("click", pressThrough);
  document.addEventListener("click", (event) => {
    const box = event.target.closest("#felt .box:not(.own)");
    if (box) { event.preventDefault(); tellBox(box); }
    for (const drawer of document.querySelectorAll(".drawer[open]")) if (!drawer.contains(event.target)) drawer.open = false;
    turnPager(event);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") for (const drawer of document.querySelectorAll(".drawer[open]")) drawer.open = false;
  });
}
