// What a page says of its connection, and when: a stream that is back in a moment, or that ends because another
// page is on its way, misleads nobody; what stands still for longer might.

const GRACE_MS = 3000;
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
export const unanswered = () => (performance.now() - left < GRACE_MS ? "" : banner()?.textContent ?? "");
