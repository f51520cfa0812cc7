// Keys of a sheet or a page by keys: each is printed where it works.

export function byKeys() {
  document.addEventListener("keydown", (event) => {
    const within = document.querySelector("dialog[open] .by-keys") ?? document.querySelector("main .by-keys");
    if (!within || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.matches("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur(); // keys work again; once more goes back
      return;
    }
    const one = within.querySelector(`[data-key="${CSS.escape(event.key.toUpperCase())}"]`);
    if (one) { event.preventDefault(); one.click(); return; }
    if (event.key === "Escape" && !within.closest("dialog")) within.querySelector("[data-close]")?.click();
  });
}
