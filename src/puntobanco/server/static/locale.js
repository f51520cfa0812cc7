// The house renders once for everybody; how money and days are written is the reader's own affair.
// Hours are counted to 24, as on paper: a night's work has no room for "PM".

const WHOLE = { maximumFractionDigits: 0 };
const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const TO_24 = { hourCycle: "h23", ...zone() };
export const TIME = new Intl.DateTimeFormat(undefined, { ...TO_24, timeStyle: "short" });
const SECONDS = new Intl.DateTimeFormat(undefined, { ...TO_24, timeStyle: "medium" });
const DAY = new Intl.DateTimeFormat(undefined, { ...zone(), weekday: "short", day: "numeric", month: "short" });
const MOMENT = new Intl.DateTimeFormat(undefined, { ...TO_24, dateStyle: "medium", timeStyle: "medium" });

// A house that has said where it is shows its own time, wherever its readers are.
function zone() {
  const timeZone = document.documentElement.dataset.zone;
  try {
    new Intl.DateTimeFormat(undefined, { timeZone });
    return { timeZone };
  } catch {
    return {};
  }
}

// What a competition's conditions give, by their own clock wherever its readers are: shifted by as much, and read as UTC.
const AHEAD = { start: { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" }, day: { weekday: "short", day: "numeric", month: "short" }, time: { timeStyle: "short" } };

const formats = new Map();

// An amount as the reader is used to it, in the house's currency if it has one.
export function money(cents, currency = "") {
  const key = `${currency}${cents % 100 ? "" : "!"}`;
  if (!formats.has(key)) {
    const of = currency ? { style: "currency", currency, currencyDisplay: "narrowSymbol" } : {};
    formats.set(key, new Intl.NumberFormat(undefined, { ...of, ...(cents % 100 ? CENTS : WHOLE) }));
  }
  return formats.get(key).format(cents / 100).replace("-", "−");
}

export function localise(root) {
  for (const one of root.querySelectorAll("data.money")) {
    one.textContent = money(Number(one.value), one.dataset.currency);
  }
  for (const one of root.querySelectorAll("time[data-ms]")) {
    const moment = new Date(Number(one.dataset.ms));
    one.dateTime = moment.toISOString();
    if ("ahead" in one.dataset) {
      const part = "start" in one.dataset ? "start" : "day" in one.dataset ? "day" : "time"; // with the time alone stands its day
      const format = new Intl.DateTimeFormat(undefined, { hourCycle: "h23", timeZone: "UTC", ...AHEAD[part] });
      const told = format.format(new Date(moment.getTime() + one.dataset.ahead * 60_000));
      one.textContent = part === "time" ? told : `${told} ${one.dataset.zone}`;
      continue;
    }
    one.textContent = ("day" in one.dataset ? DAY : "full" in one.dataset ? MOMENT : "seconds" in one.dataset ? SECONDS : TIME).format(moment);
    one.title = MOMENT.format(moment);
  }
}
