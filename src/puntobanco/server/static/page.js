// Live pages: regions come over one EventSource, forms go by fetch. Without scripts the same
// forms post as they are, and the page is as it was when it was asked for.

const told = document.getElementById("told");
const page = document.getElementById("live");

function tell(text) {
  told.textContent = text;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => { told.textContent = ""; }, 8000);
}

// A region is replaced only when it changed; what has the focus, is typed or chosen, is kept.
function replace(name, html) {
  const region = document.getElementById(`region-${name}`);
  if (!region) return;
  const active = region.contains(document.activeElement) ? document.activeElement : null;
  const key = active && keyOf(active);
  const kept = new Map();
  for (const field of region.querySelectorAll("input:not([type=hidden])")) {
    kept.set(keyOf(field), field.type === "radio" ? field.checked : field.value);
  }
  region.innerHTML = html;
  for (const field of region.querySelectorAll("input:not([type=hidden])")) {
    const was = kept.get(keyOf(field));
    if (was === undefined) continue;
    if (field.type === "radio") field.checked = was; else field.value = was;
  }
  if (key) [...region.querySelectorAll("button, input, a")].find((one) => keyOf(one) === key)?.focus();
}

function keyOf(element) {
  const form = element.closest("form");
  const hidden = form ? [...form.querySelectorAll("input[type=hidden]:not([name=command_id])")].map((one) => one.value) : [];
  return [form?.getAttribute("action"), element.name, element.type === "radio" ? element.value : "", element.tagName === "BUTTON" ? element.value : "", element.getAttribute("href"), ...hidden].join("|");
}

function listen(where) {
  const offline = document.getElementById("offline");
  const source = new EventSource(where);
  source.onmessage = (event) => {
    const message = JSON.parse(event.data);
    for (const [name, html] of Object.entries(message.regions)) replace(name, html);
    page.dataset.seq = message.seq;
    offline.hidden = true;
    countDown();
  };
  source.onerror = () => {
    offline.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(() => { source.close(); listen(where); }, 2000);
  };
  addEventListener("pagehide", () => source.close(), { once: true });
}

// The house says how much time there was when it spoke; from then on this clock counts.
function countDown() {
  for (const timer of document.querySelectorAll("[data-until]")) {
    if (!timer.dataset.ends) timer.dataset.ends = String(performance.now() + (timer.dataset.until - timer.dataset.now));
    timer.textContent = String(Math.max(0, Math.ceil((timer.dataset.ends - performance.now()) / 1000)));
  }
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const id = form.querySelector("[name=command_id]");
  if (id) id.value = crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random().toString(36).slice(2)}`;
  if (!("live" in form.dataset)) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  const buttons = form.querySelectorAll("button");
  for (const one of buttons) one.disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
    const said = await answer.json();
    if (answer.ok) {
      for (const field of form.querySelectorAll("input[data-card], input[name=wager]")) field.value = "";
    } else if (answer.status === 401) {
      location.href = "/sign-in";
    } else {
      const clause = said.clause && said.clause !== "conditions" ? ` [${said.clause}]` : "";
      tell(`${said.detail}${clause}. ${said.remedy}`);
    }
  } catch {
    tell(document.getElementById("offline").textContent);
  } finally {
    for (const one of buttons) one.disabled = false;
  }
});

// A card is keyed in two strokes: it is sent as soon as rank and suit are there.
document.addEventListener("input", (event) => {
  const field = event.target;
  if (!("card" in field.dataset)) return;
  field.value = field.value.replace(/^10/, "T");
  if (/^[2-9tjqka][cdhs]$/i.test(field.value)) {
    field.value = field.value[0].toUpperCase() + field.value[1].toLowerCase();
    field.form.requestSubmit();
  }
});

if (page) {
  listen(page.dataset.livePage);
  setInterval(countDown, 250);
  countDown();
}
