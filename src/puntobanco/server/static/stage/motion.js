// How things got where they are. Every layer arrives in its final state; this shows the way there,
// by transform and opacity alone, and not at all to whoever wants no movement.

const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

function duration(name) {
  return parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)) || 0;
}

function glide(element, frames, time, options = {}) {
  if (element && time) element.animate(frames, { duration: time, easing: EASE, fill: "backwards", ...options });
}

// What lay there before a layer is drawn anew.
export function beforeOf(region) {
  if (region.id === "region-stage") return new Set([...region.querySelectorAll("[data-lies]")].map((card) => card.dataset.lies));
  if (region.id === "region-stakes") return new Map([...region.querySelectorAll(".stake")].map((stake) => [stake.dataset.key, stake]));
  return null;
}

export function showTheWay(region, before) {
  if (region.id === "region-stage") showCards(region, before);
  if (region.id === "region-stakes") showChips(region, before);
}

// A card that was not there comes from the shoe; one that lay face down is turned. The next card may
// come while it is on its way: what is drawn anew goes on from where it was.
const onTheWay = new Map(); // by card: when it set out, and whether it came from the shoe

function showCards(region, before) {
  const now = performance.now();
  const cards = [...region.querySelectorAll("[data-lies]")];
  const fresh = cards.filter((card) => !before.has(card.dataset.lies));
  if (!before.size && fresh.length > 1) return; // the page was opened in the middle of a coup
  const lay = new Set([...before].map((key) => key.split(" ")[0]));
  for (const { dataset } of fresh) onTheWay.set(dataset.lies, [now, !lay.has(dataset.lies.split(" ")[0])]);
  const left = [...region.querySelectorAll(".hand")].map((hand) => {
    const longest = Math.max(0, ...[...hand.querySelectorAll("[data-lies]")].map((card) => way(card, now)));
    appear(hand.querySelector(".points"), longest); // none is counted before it is seen
    return longest;
  });
  appear(region.querySelector(".headline.counts"), Math.max(...left));
  if (fresh.length) document.dispatchEvent(new CustomEvent("card-shown"));
  glide(region.querySelector(".winner"), [{ opacity: 0, transform: `${placed(region.querySelector(".winner"))} scale(.6)` }, { opacity: 1, transform: placed(region.querySelector(".winner")) }], duration("--m-state"));
}

function appear(element, delay) {
  if (delay) glide(element, [{ opacity: 0 }, { opacity: 1 }], duration("--m-tap"), { delay });
}

// Sends a card on its way, or on along it; how many milliseconds it has left to go.
function way(card, now) {
  const key = card.dataset.lies;
  const [since, fromShoe] = onTheWay.get(key) ?? [-Infinity, false];
  const [sliding, turning] = [fromShoe ? duration("--m-slide") : 0, key.endsWith(" down") ? 0 : duration("--m-flip")];
  const left = since + sliding + turning - now;
  if (left <= 0) { onTheWay.delete(key); return 0; }
  if (sliding) slide(card, since - now);
  if (turning) turn(card, sliding + since - now);
  return left;
}

// The place that an attribute gives, so that an animated transform adds to it.
function placed(element) {
  const at = element?.transform.baseVal.consolidate()?.matrix;
  return at ? `matrix(${at.a}, ${at.b}, ${at.c}, ${at.d}, ${at.e}, ${at.f})` : "none";
}

function slide(card, delay) {
  const felt = document.getElementById("felt");
  const shoe = felt.querySelector(".shoe")?.getBBox ? felt.querySelector(".shoe").transform.baseVal.consolidate().matrix : { e: felt.viewBox.baseVal.width, f: -90 };
  const { a, b, e, f } = card.transform.baseVal.consolidate().matrix;
  const [dx, dy] = [shoe.e - e, shoe.f + 30 - f];
  const turned = Math.atan2(b, a);
  const [x, y] = [dx * Math.cos(-turned) - dy * Math.sin(-turned), dx * Math.sin(-turned) + dy * Math.cos(-turned)];
  const from = `translate(${x}px, ${y}px) rotate(${(-turned * 180) / Math.PI - 14}deg)`;
  glide(card.querySelector(".slide"), [{ transform: from }, { transform: "none" }], duration("--m-slide"), { delay });
}

// The back until it has come to its place, then the face.
function turn(card, after) {
  const flip = card.querySelector(".flip");
  const time = duration("--m-flip");
  const back = flip.cloneNode(true);
  const use = back.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, "#card-back"));
  flip.after(back);
  glide(flip, [{ transform: "scale(.02, 1.06)", opacity: 0 }, { transform: "scale(.02, 1.06)", opacity: 1, offset: 0.01 }, { transform: "none", opacity: 1 }], time / 2, { delay: after + time / 2 });
  const turning = back.animate([{ transform: "none" }, { transform: "scale(.02, 1.06)" }], { duration: time / 2, delay: after, easing: "ease-in", fill: "both" });
  turning.onfinish = () => back.remove();
}

// Losing chips go to the dealer's side, then winning ones are paid, in the document's order.
function showChips(region, before) {
  const stakes = [...region.querySelectorAll(".stake")].sort((a, b) => a.dataset.order - b.dataset.order);
  const was = (stake) => before.get(stake.dataset.key)?.classList;
  const taken = stakes.filter((stake) => stake.classList.contains("lost") && was(stake) && !was(stake).contains("lost"));
  const paid = stakes.filter((stake) => stake.classList.contains("won") && was(stake) && !was(stake).contains("won"));
  const up = `translate(0, ${-document.getElementById("felt").viewBox.baseVal.height / 3.2}px)`;
  const [take, pay] = [duration("--m-take"), duration("--m-pay")];
  taken.forEach((stake, i) => glide(stake.querySelector(".pile"), [{ opacity: 1, transform: "none" }, { opacity: 0, transform: up }], take, { delay: i * 40, easing: "ease-in", fill: "backwards" }));
  const after = taken.length ? take + taken.length * 40 : 0;
  paid.forEach((stake, i) => {
    const delay = after + i * 140;
    glide(stake.querySelector(".payout"), [{ opacity: 0, transform: up }, { opacity: 1, transform: "none" }], pay, { delay });
    glide(stake.querySelector(".amount"), [{ opacity: 0 }, { opacity: 0, offset: 0.7 }, { opacity: 1 }], pay, { delay });
    glide(stake.querySelector(".lit"), [{ opacity: 0 }, { opacity: 1 }], pay / 2, { delay });
  });
  if (taken.length || paid.length) document.dispatchEvent(new CustomEvent("settled"));
  const laid = stakes.filter((stake) => !before.has(stake.dataset.key) && !stake.matches(".lost, .won"));
  if (laid.length && before.size + laid.length < 40) {
    for (const stake of laid) glide(stake.querySelector(".pile"), [{ opacity: 0, transform: "translate(0, 14px)" }, { opacity: 1, transform: "none" }], duration("--m-state"));
    document.dispatchEvent(new CustomEvent("chips-laid"));
  }
}
