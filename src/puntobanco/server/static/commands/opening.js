// The notice beside a choice of presets is that of the one chosen; a link to a folded field unfolds it;
// what a change of limits means stands there while one types.

import { localise } from "../locale.js";

// What is half typed is not scolded: nothing follows of it yet, and Enter says what is wrong.
function foresee(form) {
  let waits, asked = 0;
  const show = async () => {
    const number = ++asked, typed = new URLSearchParams(new FormData(form));
    typed.set("look", "1");
    const answer = await fetch(form.action, { method: "POST", body: typed, headers: { accept: "text/html" } });
    if (!answer.ok || number !== asked) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const follows = fresh.querySelector(".follows") !== null;
    for (const id of ["follows", "acts", "answers", "hangs", ...(follows ? ["wrong"] : [])]) {
      const drawn = fresh.getElementById(id);
      if (!drawn) continue;
      localise(drawn);
      document.getElementById(id).replaceChildren(...drawn.childNodes);
    }
    for (const field of follows ? form.querySelectorAll(".field.bad") : []) {
      field.classList.remove("bad");
      field.querySelector(".error").remove();
      field.querySelector("[aria-invalid]").removeAttribute("aria-invalid");
    }
  };
  form.addEventListener("input", () => { clearTimeout(waits); waits = setTimeout(() => show().catch(() => {}), 200); });
}

export function opening() {
  const form = document.querySelector("form[data-sheets]");
  const show = () => {
    const chosen = form.querySelector("[name=preset]:checked")?.value;
    for (const sheet of document.querySelectorAll("[data-sheet]")) sheet.hidden = sheet.dataset.sheet !== chosen;
  };
  if (form) { form.addEventListener("change", show); show(); }
  const changed = document.querySelector("form[data-foreseen]");
  if (changed) foresee(changed);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-opens], .summary a");
    const field = link && document.getElementById(link.hash.slice(1));
    const folded = field?.closest("details");
    if (folded) folded.open = true;
    if (field) { event.preventDefault(); field.focus(); field.scrollIntoView({ block: "center" }); }
  });
}
