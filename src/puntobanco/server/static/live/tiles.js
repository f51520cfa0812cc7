// A list of tables that change while one looks. What comes are changes to the text of each
// region; what is not as it should be is asked for anew.

import { localise } from "../locale.js";
import { follow } from "./connection.js";

export function tiles(list, shown) {
  const texts = new Map();
  let stream;

  // What each region is now, as the house wrote it.
  function remember() {
    for (const region of list.querySelectorAll("[data-region]")) texts.set(region, region.innerHTML);
  }

  function show(table, news) {
    const tile = list.querySelector(`[data-table="${CSS.escape(table)}"]`);
    if (!tile || news === null) return false;
    return Object.entries(news).every(([name, one]) => {
      const region = tile.querySelector(`[data-region="${name}"]`);
      const text = changed(texts.get(region), one);
      if (text === undefined) return false;
      if (text === texts.get(region)) return true;
      texts.set(region, text);
      region.innerHTML = text;
      localise(region);
      return true;
    });
  }

  // A table was opened, renamed or has other limits: the page as it is now.
  async function again() {
    stream?.close();
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html", follows: "1" } });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(list.id);
      if (answer.ok && fresh) {
        list.replaceChildren(...fresh.children);
        list.dataset.beat = fresh.dataset.beat;
        remember();
        localise(list);
        shown();
      }
    } catch { /* the house is away: the stream is opened once it is back */ }
    if (!document.hidden) listen();
  }

  function listen() {
    const message = (event) => {
      if (event.lastEventId) list.dataset.beat = event.lastEventId;
      const news = Object.entries(JSON.parse(event.data));
      if (!news.every(([table, one]) => show(table, one))) again();
      shown();
    };
    stream = follow(`${list.dataset.live}?since=${list.dataset.beat}`, { message }, again);
  }

  remember();
  if (!document.hidden) listen();
  // Nobody watches a page that is hidden: it goes on from where it was when it is shown again.
  document.addEventListener("visibilitychange", () => {
    stream?.close();
    if (!document.hidden) listen();
  });
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
