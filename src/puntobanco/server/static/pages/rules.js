// One's place in a long document: the contents, the bar at the bottom of a phone and the address say which clause is read.

const clauses = [...document.querySelectorAll(".cl")];
const now = document.querySelector("[data-place-now]");
const [before, after] = ["before", "after"].map((way) => document.querySelector(`[data-place-go="${way}"]`));
const close = document.querySelector(".contents .close");
const TOP = 90; // what lies above this line, in pixels, has been read
let at = -1, waiting = false;

const link = (clause) => (clause ? `#${clause.id}` : "#top");

function place() {
  waiting = false;
  const found = clauses.findLastIndex((clause) => clause.getBoundingClientRect().top <= TOP);
  if (found === at || !clauses.length) return;
  at = found;
  const clause = clauses[Math.max(0, at)], chapter = clause.closest("[data-place]");
  now.textContent = `${clause.dataset.number} · ${chapter.dataset.place}`;
  before.href = link(clauses[at - 1]);
  after.href = link(clauses[at + 1] ?? clauses.at(-1));
  close.href = link(clause);
  contents(clause, chapter);
  if (at >= 0 && location.hash !== "#contents") history.replaceState(history.state, "", link(clause));
}

function contents(clause, chapter) {
  const list = document.getElementById("contents");
  for (const one of list.querySelectorAll(".here")) one.classList.remove("here");
  for (const one of list.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
  const here = list.querySelector(`a[href$="#${chapter.querySelector("h2").id}"]`).closest(".part");
  here.classList.add("here");
  [...here.querySelectorAll(".sub")].find((one) => one.hash === `#${encodeURI(clause.id)}` || one.textContent === clause.dataset.number)?.setAttribute("aria-current", "true");
  if (here.offsetTop < list.scrollTop || here.offsetTop + here.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = here.offsetTop - list.clientHeight / 3;
}

addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(place); } }, { passive: true });
place();
