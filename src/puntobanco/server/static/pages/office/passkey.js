// A passkey in the place of a code, or a new one. Without scripts, or where a browser has none, codes work as they do.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
const written = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const PARTS = ["clientDataJSON", "attestationObject", "authenticatorData", "signature"];

function read(asked) {
  const known = (asked.excludeCredentials ?? []).map((one) => ({ ...one, id: bytes(one.id) }));
  const user = asked.user && { ...asked.user, id: bytes(asked.user.id) };
  return { ...asked, challenge: bytes(asked.challenge), ...(user && { user, excludeCredentials: known }) };
}

async function answered(way, what) {
  const answer = await fetch(way, { method: "POST", headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(answer.statusText);
  const publicKey = read((await answer.json())[what]);
  const made = await navigator.credentials[what === "make" ? "create" : "get"]({ publicKey });
  const parts = PARTS.filter((name) => made.response[name]).map((name) => [name, written(made.response[name])]);
  return JSON.stringify({ id: made.id, rawId: written(made.rawId), type: made.type, response: Object.fromEntries(parts) });
}

function watch(button) {
  const { form } = button;
  const { way, passkey: what } = button.dataset;
  const sends = "sends" in button.dataset;
  const failed = document.getElementById(button.dataset.failed);
  const done = document.getElementById(button.dataset.done);
  button.hidden = false;
  button.addEventListener("click", async (event) => {
    event.preventDefault(); // Enter in a field presses it, too
    failed.hidden = true;
    if (sends && !form.noValidate && !form.reportValidity()) return;
    button.disabled = true; // pressed twice, the browser would ask twice
    try {
      form.elements[button.dataset.field].value = await answered(way, what);
      if (sends) form.requestSubmit();
      else done.hidden = false;
    } catch {
      failed.hidden = false;
      button.disabled = false;
      button.focus();
    }
  });
}

if (window.PublicKeyCredential) {
  for (const button of document.querySelectorAll("[data-passkey]")) watch(button);
  for (const instead of document.querySelectorAll("[data-without]")) instead.hidden = true;
}
