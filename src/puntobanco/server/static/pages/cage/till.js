// The till with scripts: a keypad, what the account will have, counts that add up, and printing.

import { money } from "../../locale.js";

// A comma stands between thousands or nowhere, as the house reads it: 12,50 is no amount.
const AMOUNT = /^(\d+|\d{1,3}(,\d{3})+)(\.\d{0,2})?$/;
const LONG = 6; // characters of an amount that stand in the largest type
const centsOf = (text) => AMOUNT.test(text.trim()) ? Math.round(Number(text.replaceAll(",", "")) * 100) : 0;

function amounts(form) {
  const field = form.elements.amount;
  const { sign, account, drawer, currency } = form.dataset;
  const after = form.querySelector(".after");
  const show = () => {
    field.parentElement.classList.toggle("long", field.value.length > LONG);
    const change = centsOf(field.value) * Number(sign);
    form.querySelector("[data-after]").textContent = money(Number(account) + change, currency);
    const left = form.querySelector("[data-drawer-after]");
    if (left) left.textContent = money(Number(drawer) + change, currency);
  };
  form.querySelector(".keys").hidden = after.hidden = false;
  form.addEventListener("click", ({ target }) => {
    const key = target.closest("[data-key]")?.dataset.key;
    if (!key) return;
    const typed = field.value.replaceAll(",", "");
    if (key[0] === "+") field.value = String((centsOf(typed) + Number(key) * 100) / 100);
    else if (key === "⌫") field.value = typed.slice(0, -1);
    else if (/^\d*(\.\d{0,2})?$/.test(typed + key)) field.value = typed + key;
    show();
  });
  field.addEventListener("input", show);
  show();
}

// Each line says what it comes to, and the foot of the table what all of them do.
function adding(form) {
  const { currency } = form.dataset;
  const add = () => {
    for (const table of form.querySelectorAll(".counts table")) {
      let sum = 0;
      for (const field of table.querySelectorAll("[data-count]")) {
        const worth = Number(field.value.replaceAll(",", "")) * Number(field.dataset.count) || 0;
        sum += worth;
        field.closest("tr").querySelector("[data-worth]").textContent = worth ? money(worth, currency) : "";
      }
      table.querySelector("[data-total]").textContent = money(sum, currency);
    }
  };
  form.addEventListener("input", add);
  // Enter leads on as it does on a calculator: half a count is not to go on record.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("[data-count]")) return;
    event.preventDefault();
    const stops = [...form.querySelectorAll("[data-count], button.first")];
    stops[stops.indexOf(event.target) + 1].focus();
  });
  add();
}

// The secret of a scanned code need not leave the browser: the id before it is enough.
function scanned(field) {
  field.addEventListener("input", () => {
    const found = /^(?:.*#)?([^#]+)\.[0-9a-f]{48}$/.exec(field.value.trim());
    if (!found) return;
    field.value = decodeURIComponent(found[1]);
    field.form.requestSubmit();
  });
}

const till = document.querySelector("[data-till]");
if (till) amounts(till);
for (const form of document.querySelectorAll("[data-counts]")) adding(form);
const find = document.querySelector(".who #find");
if (find) scanned(find);
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
if (location.hash === "#print") print();
document.querySelector(".summary")?.focus();
addEventListener("keydown", ({ key }) => {
  if (key === "Escape") document.querySelector("[data-escape]")?.click();
});
