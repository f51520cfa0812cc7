// The notice beside a choice of presets is that of the one chosen; a link to a folded field unfolds it.

export function opening() {
  const form = document.querySelector("form[data-sheets]");
  const show = () => {
    const chosen = form.querySelector("[name=preset]:checked")?.value;
    for (const sheet of document.querySelectorAll("[data-sheet]")) sheet.hidden = sheet.dataset.sheet !== chosen;
  };
  if (form) { form.addEventListener("change", show); show(); }
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-opens], .summary a");
    const field = link && document.getElementById(link.hash.slice(1));
    const folded = field?.closest("details");
    if (folded) folded.open = true;
    if (field) { event.preventDefault(); field.focus(); field.scrollIntoView({ block: "center" }); }
  });
}
