// What a page says of its connection, and when: a stream that is back in a moment, or that ends because another
// page is on its way, misleads nobody; what stands still for longer might.

const GRACE_MS = 3000;
const AGAIN_MS = 2000;
const banner = () => document.getElementById("offline");
let timer = 0;
let left = -Infinity; // a download is told like a page that is left, and leaves none: it is forgotten again
addEventListener("beforeunload", () => { left = performance.now(); });
addEventListener("pagehide", back);

export function lost() {
  if (timer || !banner().hidden) return;
  timer = setTimeout(() => { timer = 0; banner().hidden = false; }, navigator.onLine ? GRACE_MS : 0);
}

export function back() {
  clearTimeout(timer);
  timer = 0;
  if (banner()) banner().hidden = true;
}

// What to say of something that was sent and not answered; of what the page was left for, nothing.
export const unanswered = () => (performance.now() - left < GRACE_MS ? "" : banner()?.dataset.unanswered ?? "");

// A stream: by the name of each message, what hears it. A browser opens it anew where the way was lost, and leaves it shut
// where it was refused, as by a house that is away or a proxy that finds none: a while later `again` opens another.
export function follow(address, hears, again, { quiet = false } = {}) {
  const source = new EventSource(address);
  let over = false;
  const close = () => { over = true; source.close(); };
  for (const [name, hear] of Object.entries(hears)) source.addEventListener(name, hear);
  if (!quiet) source.onopen = back; // there may be no news for long
  source.onerror = () => {
    if (!quiet) lost();
    if (source.readyState === EventSource.CLOSED) setTimeout(() => { if (!over) again(); }, AGAIN_MS);
  };
  addEventListener("pagehide", close, { once: true });
  return { close };
}

// The part of a page that the house has to say. A proxy that finds no house has pages of its own, without it.
export function mainOf(html) {
  const main = new DOMParser().parseFromString(html, "text/html").querySelector("main");
  if (!main) throw new Error("no house answered");
  return main;
}
