// A scene by keys alone: a digit answers the first question that has no answer yet.

const form = document.querySelector("[data-train]");
document.querySelector("[data-first]")?.focus();

if (form) {
  document.addEventListener("keydown", (event) => {
    if (!/^[1-9]$/.test(event.key) || event.target.matches("input[type=search], textarea")) return;
    const open = [...form.querySelectorAll("fieldset")].find((one) => !one.querySelector(":checked"));
    const option = open?.querySelectorAll("input")[event.key - 1];
    if (!option) return;
    option.checked = true;
    option.focus();
  });
}
