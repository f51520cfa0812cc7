// The sheet is printed by a press; without scripts by the browser's own menu.

const button = document.querySelector("[data-print]");
button.hidden = false;
button.addEventListener("click", () => print());
