// Lots in the order in which they were drawn, a seat filling with each. Without scripts, and for whoever
// wants no movement, all of them stand there at once; so they do when the draw is some time ago.

const PACE_MS = 1800;
const LONGEST_MS = 90_000;

// `panel` has when the draw was and how many lots there are; `seats` those who were drawn.
export function reveal(panel, within, age = 0) {
  if (panel.dataset.began) return;
  const lots = Number(panel.dataset.lots), pace = Math.min(PACE_MS, LONGEST_MS / lots);
  const since = Number(panel.dataset.now) - Number(panel.dataset.drawn) + age;
  panel.dataset.began = String(performance.now() - since);
  panel.dataset.pace = String(pace);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) panel.dataset.began = String(-lots * pace - 1);
  showLots(panel, within);
}

export function showLots(panel, within) {
  const lots = Number(panel.dataset.lots);
  const out = Math.min(lots + 1, Math.floor((performance.now() - panel.dataset.began) / panel.dataset.pace));
  if (panel.dataset.out === String(out)) return false;
  panel.dataset.out = String(out);
  let last = null;
  for (const seat of within.querySelectorAll("[data-lot]")) {
    const lot = Number(seat.dataset.lot);
    seat.classList.toggle("to-come", lot > out);
    seat.classList.toggle("fresh", lot === out && out <= lots);
    if (lot === out) last = seat;
  }
  const over = out > lots;
  const name = panel.querySelector("[data-lot-name]");
  name.dataset.all ??= name.textContent;
  name.textContent = over ? name.dataset.all : last?.dataset.name ?? "";
  name.classList.remove("fresh");
  void name.offsetWidth;
  name.classList.toggle("fresh", !over);
  panel.querySelector("[data-lot-number]").textContent = over ? "" : String(Math.max(out, 0) || "");
  panel.querySelector("[data-lot-at]").textContent = over ? "" : last?.dataset.at ?? "";
  const count = within.querySelector("[data-lots-out]");
  if (count) count.textContent = over || out >= lots ? String(lots) : `${Math.max(out, 0)} / ${lots}`;
  return true;
}

export function showAll(panel, within) {
  panel.dataset.began = String(-Number(panel.dataset.lots) * panel.dataset.pace - panel.dataset.pace - 1);
  showLots(panel, within);
}
