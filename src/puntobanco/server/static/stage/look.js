// Light or dark, contrast, sounds and the dealer's voice: each reader's own choice, kept here.

const NOTES = { card: [620, 0.05], chips: [1500, 0.04], "last-call": [440, 0.25], result: [520, 0.4], "last-minute": [440, 0.3], "last-coup": [660, 0.6], "time-over": [330, 0.9] };
let audio = null;

function read() {
  try { return JSON.parse(localStorage.getItem("look") ?? "{}"); } catch { return {}; }
}

function wear(chosen) {
  const root = document.documentElement;
  if (["light", "dark"].includes(chosen.theme)) root.dataset.theme = chosen.theme; else delete root.dataset.theme;
  if (chosen.contrast) root.dataset.contrast = "more"; else delete root.dataset.contrast;
}

// Kept here, and told to the house, so that the next page is painted so at once.
function keep(chosen) {
  const worn = [chosen.theme, chosen.contrast && "contrast"].filter((one) => ["light", "dark", "contrast"].includes(one));
  document.cookie = `look=${worn.join(".")}; path=/; max-age=31536000; samesite=lax`;
  try { localStorage.setItem("look", JSON.stringify(chosen)); } catch { /* worn on this page alone */ }
  wear(chosen);
}

// Short and quiet, made here: a knock of wood for a card, a click for chips, two tones for the rest.
function sound(name) {
  if (!read().sound) return;
  audio ??= new AudioContext();
  const [pitch, long] = NOTES[name];
  const [tone, loud, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.type = name === "chips" ? "triangle" : "sine";
  tone.frequency.setValueAtTime(pitch, now);
  if (name === "result") tone.frequency.setValueAtTime(pitch * 1.25, now + long / 2);
  loud.gain.setValueAtTime(0.08, now);
  loud.gain.exponentialRampToValueAtTime(0.0001, now + long);
  tone.connect(loud).connect(audio.destination);
  tone.start(now);
  tone.stop(now + long);
}

// What the dealer announces, each announcement once: a bet changes the words, not what was said.
let announced = "";
function speak() {
  const said = document.querySelector("#region-said [data-announced]")?.dataset.announced ?? "";
  if (said === announced) return;
  announced = said;
  if (!read().voice || !said || !("speechSynthesis" in window)) return;
  speechSynthesis.cancel();
  speechSynthesis.speak(new SpeechSynthesisUtterance(said));
}

// In the bar of the desk one button turns light into dark and back.
function switchTheme() {
  const button = document.querySelector("[data-theme-switch]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const chosen = { ...read(), theme: (document.documentElement.dataset.theme ?? system) === "dark" ? "light" : "dark" };
    keep(chosen);
  });
}

export function look() {
  wear(read());
  for (const [event, name] of Object.entries({ "card-shown": "card", "chips-laid": "chips", "last-call": "last-call", settled: "result", "last-minute": "last-minute", "last-coup": "last-coup", "time-over": "time-over" }))
    document.addEventListener(event, () => sound(name));
  document.addEventListener("shown", (event) => { if (event.detail.includes("said")) speak(); });
  switchTheme();
  const form = document.querySelector("[data-look]");
  if (!form) return;
  const chosen = read();
  for (const field of form.querySelectorAll("input")) field.checked = field.type === "radio" ? field.value === (chosen.theme ?? "system") : Boolean(chosen[field.name]);
  form.addEventListener("change", () => {
    const theme = form.querySelector("[name=theme]:checked")?.value;
    const ticked = Object.fromEntries([...form.querySelectorAll("[type=checkbox]")].map((field) => [field.name, field.checked]));
    keep({ theme, ...ticked });
  });
}
