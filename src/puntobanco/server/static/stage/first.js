// Not a module, so that the page below waits for it, and it for the styles: laid out without them,
// the whole felt would be laid out twice. The table is painted first; what makes it move comes then.

// A free box may be pressed before that has come: the press waits, and counts. It can only lead to
// its form where the rest never comes.
let pressed = null;
function hold(event) {
  const link = event.target.closest?.("a.sit");
  if (!link) return;
  event.preventDefault();
  pressed = link;
}

function start() {
  import("./page.js").then(() => {
    removeEventListener("click", hold);
    pressed?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }, () => { if (pressed) location.href = pressed.getAttribute("href"); });
}

addEventListener("click", hold);
addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => setTimeout(start)));
