// The one check of a draw that a browser can do at once: the seed is the one that was sealed. The lots
// themselves are drawn again by the program, from the file.

const text = new TextEncoder();

function framed(parts) {
  const encoded = parts.map((part) => text.encode(part));
  const whole = new Uint8Array(encoded.reduce((sum, part) => sum + 8 + part.length, 0));
  let at = 0;
  for (const part of encoded) {
    new DataView(whole.buffer).setBigUint64(at, BigInt(part.length));
    whole.set(part, at + 8);
    at += 8 + part.length;
  }
  return whole;
}

async function isSame(draw) {
  const seed = Uint8Array.from(draw.dataset.seed.match(/../g), (pair) => parseInt(pair, 16));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(seed.length));
  const content = [text.encode("puntobanco-seal-1"), length, seed, framed(JSON.parse(draw.dataset.parts))];
  const digest = await crypto.subtle.digest("SHA-256", await new Blob(content).arrayBuffer());
  return [...new Uint8Array(digest)].map((one) => one.toString(16).padStart(2, "0")).join("") === draw.dataset.commitment;
}

if (globalThis.crypto?.subtle) {
  for (const draw of document.querySelectorAll("[data-draw]")) {
    const said = draw.querySelector("[data-same]"), same = await isSame(draw);
    said.textContent = same ? said.dataset.yes : said.dataset.no;
    said.classList.toggle("no", !same);
  }
}
