// A squeeze: the back lies on top; the edge that is pulled folds over and shows the face, as on
// paper. The corners stay blank until the card is turned, so pips are read from the side. Only the
// holder's own browser learns the card, and only after the house put on record that it was shown.

import { explain, newId, tell } from "../commands/forms.js";
import { unanswered } from "../live/connection.js";

const [W, H] = [250, 350];
const CORNERS = [[0, 0], [W, 0], [W, H], [0, H]];
const TURNED = 1.25 * W;

// The part of the card on the far (+1) or near (-1) side of the fold through `m` with normal `n`.
function cut(points, m, n, sign) {
  const side = ([x, y]) => sign * ((x - m[0]) * n[0] + (y - m[1]) * n[1]);
  return points.flatMap((p, i) => {
    const q = points[(i + 1) % points.length];
    const [a, b] = [side(p), side(q)];
    const cross = a * b < 0 ? [[p[0] + ((q[0] - p[0]) * a) / (a - b), p[1] + ((q[1] - p[1]) * a) / (a - b)]] : [];
    return a >= 0 ? [p, ...cross] : cross;
  });
}

function poly(points) { return points.map((p) => p.map((v) => v.toFixed(1)).join(",")).join(" "); }

async function ask(where, position) {
  const body = new URLSearchParams({ command_id: newId(), position });
  let answer, said;
  try {
    answer = await fetch(where, { method: "POST", body, headers: { accept: "application/json" } });
    said = await answer.json();
  } catch {
    throw new Error(unanswered());
  }
  if (!answer.ok) throw new Error(explain(said));
  return said;
}

export async function squeeze(link) {
  const dialog = document.getElementById("squeeze");
  const position = link.dataset.position;
  const { cards, faces, turn, look } = dialog.dataset;
  let card;
  try {
    card = (await ask(look, position)).card;
  } catch (error) {
    tell(error.message);
    return;
  }
  open(dialog, { card, cards, faces, onTurned: () => turnOver(dialog, turn, position) });
}

// What was seen is turned on the table; the face stays for a moment. The dealer may have been quicker.
async function turnOver(dialog, where, position) {
  try {
    await ask(where, position);
  } catch (error) {
    tell(error.message);
  }
  setTimeout(() => dialog.close(), 900);
}

function open(dialog, { card, cards, faces, onTurned }) {
  const words = document.getElementById("squeeze-words").content.cloneNode(true);
  dialog.replaceChildren(words);
  const svg = dialog.querySelector("svg");
  svg.querySelector(".under use").setAttribute("href", `${cards}#card-back`);
  const face = svg.querySelector(".face");
  face.setAttribute("href", `${faces}#squeeze-${card}`);
  let [turned, grabbed, pulled] = [false, null, 0];

  // Fold so that the grabbed point `from` comes to lie on `to`.
  function fold(from, to) {
    const d = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(...d) || 0.01;
    const n = [d[0] / length, d[1] / length];
    const m = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const mirror = ([x, y]) => { const s = 2 * ((x - m[0]) * n[0] + (y - m[1]) * n[1]); return [x - s * n[0], y - s * n[1]]; };
    const flap = cut(CORNERS, m, n, -1).map(mirror);
    svg.querySelector("#flat polygon").setAttribute("points", poly(cut(CORNERS, m, n, 1)));
    svg.querySelector("#lifted polygon").setAttribute("points", poly(flap));
    svg.querySelector(".cast").setAttribute("points", poly(flap.map(([x, y]) => [x + n[0] * 9 + 2, y + n[1] * 9 + 5])));
    // the face seen from behind, then mirrored in the fold: a plain turn and shift
    const [o, ex, ey] = [mirror([W, 0]), mirror([W - 1, 0]), mirror([W, 1])];
    face.setAttribute("transform", `matrix(${ex[0] - o[0]} ${ex[1] - o[1]} ${ey[0] - o[0]} ${ey[1] - o[1]} ${o[0]} ${o[1]})`);
    const deep = Math.max(40, length / 2);
    const bend = svg.querySelector("#bend");
    for (const [key, value] of Object.entries({ x1: m[0], y1: m[1], x2: m[0] + n[0] * deep, y2: m[1] + n[1] * deep })) bend.setAttribute(key, value);
    svg.setAttribute("aria-valuenow", String(Math.round(Math.min(1, length / TURNED) * 100)));
    return length;
  }

  function turn() {
    if (turned) return;
    turned = true;
    svg.innerHTML = `<use href="${cards}#card-${card}" width="${W}" height="${H}"/>`;
    onTurned();
  }

  function point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  svg.onpointerdown = (event) => {
    if (turned) return;
    const [x, y] = point(event);
    const edge = [[0, y, x], [W, y, W - x], [x, 0, y], [x, H, H - y]].sort((a, b) => a[2] - b[2])[0];
    grabbed = [edge[0], edge[1]];
    svg.setPointerCapture(event.pointerId);
  };
  svg.onpointermove = (event) => { if (grabbed && !turned && fold(grabbed, point(event)) > TURNED) turn(); };
  svg.onpointerup = () => { if (!turned) fold([W, H / 2], [W - 0.1, H / 2]); grabbed = null; };
  svg.onkeydown = (event) => {
    const step = { ArrowLeft: 14, ArrowUp: 14, ArrowRight: -14, ArrowDown: -14 }[event.key];
    if (event.key === "Enter") turn();
    if (!step || turned) return;
    event.preventDefault();
    pulled = Math.max(0.1, pulled + step);
    if (fold([W, H / 2], [W - pulled, H / 2]) > TURNED) turn();
  };
  dialog.querySelector("[data-turn-now]").onclick = turn;
  dialog.querySelector("[data-later]").onclick = () => dialog.close();
  fold([W, H * 0.56], [W - 0.1, H * 0.56]);
  dialog.showModal();
  svg.focus({ focusVisible: false });
}
