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
