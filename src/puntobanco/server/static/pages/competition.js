// Pages of a competition with scripts: many tables are looked through by a word.

for (const field of document.querySelectorAll("[data-find-in]")) {
  const within = document.getElementById(field.dataset.findIn);
  const find = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const one of within.querySelectorAll("[data-find]")) one.hidden = !words.every((word) => one.dataset.find.includes(word));
  };
  field.addEventListener("input", find);
  document.addEventListener("shown", find);
  find();
}

// The list is looked through while one types; without scripts by Enter.
const form = document.querySelector("[data-find-form]");
if (form) {
  let waits, asked = 0;
  const field = form.elements.q;
  field.addEventListener("input", () => {
    clearTimeout(waits);
    waits = setTimeout(async () => {
      const number = ++asked;
      const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
      const answer = await fetch(address, { headers: { accept: "text/html" } });
      if (!answer.ok || number !== asked) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      document.getElementById("found-entries").replaceWith(fresh.getElementById("found-entries"));
      history.replaceState(null, "", address);
    }, 150);
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "f" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  });
}
