// The lobby: tables change while one looks. What comes are changes to the text of each region;
// what is not as it should be is asked for anew.

import { localise } from "../locale.js";

const list = document.getElementById("tables");
const offline = document.getElementById("offline");
const ahead = Number(list.dataset.now) - performance.now(); // the house's clock before this one
const texts = new Map();
let source;

// What each region is now, as the house wrote it.
function remember() {
  for (const tile of list.children) {
    for (const region of tile.querySelectorAll("[data-region]")) texts.set(region, region.innerHTML);
  }
}

// A whole text; or its length, and then what stays of the one before, what goes and what comes.
function changed(text, news) {
  if (typeof news === "string") return news;
  let now = "";
  let at = 0;
  for (let n = 1; n < news.length; n += 3) {
    now += text.slice(at, at + news[n]) + news[n + 2];
    at += news[n] + news[n + 1];
  }
  now += text.slice(at);
  return now.length === news[0] ? now : undefined;
}

function show(table, news) {
  const tile = list.querySelector(`[data-table="${CSS.escape(table)}"]`);
  if (!tile || news === null) return false;
  return Object.entries(news).every(([name, one]) => {
    const region = tile.querySelector(`[data-region="${name}"]`);
    const text = changed(texts.get(region), one);
    if (text === undefined) return false;
    texts.set(region, text);
    region.innerHTML = text;
    return true;
  });
}

// A table was opened, renamed or has other limits: the page as it is now.
async function again() {
  const answer = await fetch(location.href, { headers: { accept: "text/html", follows: "1" } });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("tables");
  if (answer.ok && fresh) {
    list.replaceChildren(...fresh.children);
    list.dataset.beat = fresh.dataset.beat;
    remember();
    localise(list);
  }
  source.close();
  listen();
}

function listen() {
  source = new EventSource(`${list.dataset.live}?since=${list.dataset.beat}`);
  source.onmessage = (event) => {
    offline.hidden = true;
    const news = Object.entries(JSON.parse(event.data));
    if (!news.every(([table, one]) => show(table, one))) again();
    countDown();
  };
  source.onerror = () => {
    offline.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(again, 2000);
  };
}

function countDown() {
  for (const one of list.querySelectorAll("[data-closes]")) {
    const left = Math.max(0, Math.ceil((one.dataset.closes * 100 - ahead - performance.now()) / 1000));
    one.textContent = `${left}`;
  }
}

// Filters work at once; without scripts they are links.
function choose(link) {
  for (const one of link.parentElement.children) one.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  const wanted = link.dataset.show;
  let shown = 0;
  for (const tile of list.children) {
    const free = Number(tile.querySelector("[data-free]")?.dataset.free) > 0;
    tile.hidden = wanted === "free" ? !free : wanted !== "all" && !tile.dataset.kinds.split(" ").includes(wanted);
    shown += tile.hidden ? 0 : 1;
  }
  document.querySelector(".nothing").hidden = shown > 0;
  history.replaceState(null, "", link.href);
}

document.querySelector(".filters").addEventListener("click", (event) => {
  const link = event.target.closest("[data-show]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  choose(link);
});
remember();
listen();
countDown();
setInterval(countDown, 250);
addEventListener("pagehide", () => source.close(), { once: true });
