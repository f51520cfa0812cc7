// Light or dark, contrast, sounds and the dealer's voice: each reader's own choice, kept here.

import { SOUNDS, play } from "./sounds.js";

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

// A browser lets a page be heard once its reader has pressed something on it.
function sound(name) {
  if (!read().sound) return;
  audio ??= new AudioContext();
  audio.resume();
  play(audio, name);
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
  for (const name of Object.keys(SOUNDS)) document.addEventListener(name, () => sound(name));
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
