// The house renders once for everybody; how money and time are written is the reader's own affair.

const WHOLE = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const CENTS = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2 });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export function localise(root) {
  for (const one of root.querySelectorAll("data.money")) {
    const cents = Number(one.value);
    one.textContent = (cents % 100 ? CENTS : WHOLE).format(cents / 100);
  }
  for (const one of root.querySelectorAll("time[data-ms]")) {
    const moment = new Date(Number(one.dataset.ms));
    one.dateTime = moment.toISOString();
    one.textContent = ("full" in one.dataset ? MOMENT : TIME).format(moment);
    one.title = MOMENT.format(moment);
  }
}
