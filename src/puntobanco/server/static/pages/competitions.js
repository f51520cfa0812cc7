// Pages of a competition with scripts: many tables are looked through by a word.

for (const field of document.querySelectorAll("[data-find-in]")) {
  const within = document.getElementById(field.dataset.findIn);
  const find = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const one of within.querySelectorAll("[data-find]")) {
      const told = `${one.dataset.find} ${one.textContent.toLowerCase()}`;
      one.hidden = !words.every((word) => told.includes(word));
    }
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

// The prover answers while one types; 1 to 6 take one of the changes that would make all hold.
const sheet = document.querySelector("[data-sheet]");
if (sheet) {
  let waits, asked = 0;
  sheet.addEventListener("input", () => {
    clearTimeout(waits);
    waits = setTimeout(async () => {
      const number = ++asked, typed = new FormData(sheet);
      typed.set("do", "check");
      const answer = await fetch(sheet.action, { method: "POST", body: new URLSearchParams(typed), headers: { accept: "text/html" } });
      if (!answer.ok || number !== asked) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      document.getElementById("verdict").replaceChildren(...fresh.getElementById("verdict").childNodes);
      for (const field of sheet.querySelectorAll("#doc [name]")) {
        const wrong = fresh.querySelector(`#doc [name="${CSS.escape(field.name)}"]`)?.hasAttribute("aria-invalid");
        if (wrong) field.setAttribute("aria-invalid", "true"); else field.removeAttribute("aria-invalid");
      }
    }, 200);
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    const one = sheet.querySelectorAll(".fixes button")[Number(event.key) - 1];
    if (one) { event.preventDefault(); one.click(); }
  });
}
