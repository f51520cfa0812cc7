// A tour of the table: a few words beside the thing they speak of, never over it. It begins by
// itself for a guest who has not seen it, and ends at any point: by a button, or by Escape.

const SEEN = "tour-seen";
const GAP = 10;

// What a step speaks of; nothing if it is not on the page, or not to be seen.
function thingsOf(step) {
  for (const selector of step.dataset.at.split(" | ")) {
    const found = [...document.querySelectorAll(selector)].filter((one) => one.getBoundingClientRect().width);
    if (found.length) return found;
  }
  return [];
}

function placeOf(step) {
  const boxes = thingsOf(step).map((one) => one.getBoundingClientRect());
  if (!boxes.length) return null;
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
  return { left, top, right, bottom };
}

// Below, above, beside it, or in the corner that covers least of it.
function beside(box, width, height) {
  const [wide, tall] = [innerWidth - width - GAP, innerHeight - height - GAP];
  const across = Math.min(Math.max(GAP, (box.left + box.right - width) / 2), wide);
  const down = Math.min(Math.max(GAP, (box.top + box.bottom - height) / 2), tall);
  const tried = [[across, box.bottom + GAP], [across, box.top - height - GAP], [box.right + GAP, down], [box.left - width - GAP, down],
    [GAP, GAP], [wide, GAP], [GAP, tall], [wide, tall]].filter(([x, y]) => x >= 0 && y >= 0 && x <= wide + GAP && y <= tall + GAP);
  const covered = ([x, y]) => Math.max(0, Math.min(x + width, box.right) - Math.max(x, box.left)) * Math.max(0, Math.min(y + height, box.bottom) - Math.max(y, box.top));
  return tried.sort((one, other) => covered(one) - covered(other))[0] ?? [GAP, GAP];
}

function begin(words) {
  const [card, ...steps] = words.cloneNode(true).children;
  const ring = steps.pop();
  const there = steps.filter(placeOf);
  const before = document.activeElement;
  let at = 0;

  function show() {
    const box = placeOf(there[at]);
    if (!box) return;
    const [x, y] = beside(box, card.offsetWidth, card.offsetHeight);
    Object.assign(card.style, { left: `${x}px`, top: `${y}px` });
    Object.assign(ring.style, { left: `${box.left - 4}px`, top: `${box.top - 4}px`, width: `${box.right - box.left + 8}px`, height: `${box.bottom - box.top + 8}px` });
  }

  function go(to) {
    if (to >= there.length) return end();
    at = Math.max(0, to);
    back();
    thingsOf(there[at])[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    card.querySelector("#tour-says").replaceChildren(...there[at].cloneNode(true).childNodes);
    card.querySelector("small").textContent = `${at + 1} / ${there.length}`;
    card.querySelector("[data-back]").disabled = at === 0;
    const next = card.querySelector("[data-next]");
    next.textContent = next.dataset[at + 1 < there.length ? "next" : "last"];
    show();
  }

  // From the roads, which lie over the neighbours on a phone, to the table as it was.
  function back() { document.querySelector(".pager.placed")?.scrollTo({ left: 0, behavior: "instant" }); }

  function end() {
    localStorage.setItem(SEEN, "1");
    clearInterval(follows);
    back();
    document.removeEventListener("keydown", keys, true);
    card.remove();
    ring.remove();
    before?.focus?.();
  }

  function keys(event) {
    const on = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") end();
    else if (on && card.contains(document.activeElement)) go(at + on);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  if (!there.length) return;
  document.body.append(ring, card);
  card.querySelector("[data-end]").onclick = end;
  card.querySelector("[data-back]").onclick = () => go(at - 1);
  card.querySelector("[data-next]").onclick = () => go(at + 1);
  document.addEventListener("keydown", keys, true);
  const follows = setInterval(show, 100); // what it points at may be drawn anew
  go(0);
  card.focus();
}

export function tour() {
  const words = document.getElementById("tour");
  for (const button of document.querySelectorAll("[data-tour]")) {
    button.onclick = () => {
      button.closest("details")?.removeAttribute("open");
      if (!document.querySelector(".tour")) begin(words.content);
    };
  }
  if ("first" in words.dataset && !localStorage.getItem(SEEN)) begin(words.content);
}
