// A player's hands: chips dragged or placed by keys, cards squeezed.

const FAR = 8;
const TURNED = 0.6;

function typing() {
  const at = document.activeElement;
  return at && (at.matches("input:not([type=radio]), textarea, select") || at.closest("dialog"));
}

function chips() {
  return [...document.querySelectorAll(".chips input")];
}

// 1 to 6 choose the chip; p, b, t put it down.
function onKey(event) {
  if (typing() || event.ctrlKey || event.metaKey || event.altKey) return;
  const chip = chips()[Number(event.key) - 1];
  if (chip) { chip.checked = true; return; }
  const option = [...document.querySelectorAll(".option[data-key]")].find((one) => one.dataset.key === event.key);
  if (option) { event.preventDefault(); option.form.requestSubmit(option); }
}

// An option's button, or the same area of one's own box on the layout.
function optionAt(element) {
  const area = element?.closest(".box.own .area");
  if (!area) return element?.closest(".option") ?? null;
  return [...document.querySelectorAll(".option")].find((one) => area.classList.contains(one.value)) ?? null;
}

function under(event) {
  return optionAt(document.elementFromPoint(event.clientX, event.clientY));
}

function drag(label, start) {
  let ghost = null;
  function move(event) {
    if (!ghost) {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < FAR) return;
      label.querySelector("input").checked = true;
      ghost = label.querySelector("span").cloneNode(true);
      const holder = document.createElement("div");
      holder.className = `${label.className} ghost`;
      holder.append(ghost);
      document.body.append(holder);
      ghost = holder;
    }
    ghost.style.left = `${event.clientX}px`;
    ghost.style.top = `${event.clientY}px`;
    for (const one of document.querySelectorAll(".option")) one.classList.toggle("over", one === under(event));
  }
  function end(event) {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (!ghost) return;
    ghost.remove();
    for (const one of document.querySelectorAll(".option.over")) one.classList.remove("over");
    const option = event.type === "pointerup" ? under(event) : null;
    if (option) option.form.requestSubmit(option);
  }
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

// The corner is pulled up; past the middle the card turns. What it is, only the house knows.
function squeeze(button, start) {
  const tall = button.getBoundingClientRect().height || 1;
  let peel = 0;
  let moved = false;
  function move(event) {
    peel = Math.min(1, Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) / tall);
    moved ||= peel * tall > FAR;
    button.style.setProperty("--peel", String(peel));
  }
  function end(event) {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    button.style.setProperty("--peel", "0");
    if (!moved) return; // a press: the form goes as it is
    const once = (click) => click.preventDefault(); // the click that ends a pull is not a press
    button.addEventListener("click", once);
    setTimeout(() => button.removeEventListener("click", once), 0);
    if (event.type === "pointerup" && peel >= TURNED) button.form.requestSubmit();
  }
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

export function play() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    const option = event.target.closest(".box.own .area") && optionAt(event.target);
    if (option) option.form.requestSubmit(option);
  });
  document.addEventListener("pointerdown", (event) => {
    const chip = event.target.closest(".chips .chip");
    const card = event.target.closest(".squeeze button");
    if (chip) drag(chip, event);
    else if (card) squeeze(card, event);
  });
}
