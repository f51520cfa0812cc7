// A photo is made small enough before it is sent, and shown. Without scripts it is sent as it is.

const LONGEST = 1600;
const field = document.getElementById("photo");
const shown = document.getElementById("photo-shown");

async function made(file) {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  shown.src = canvas.toDataURL("image/jpeg", 0.8);
  shown.hidden = false;
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.8));
  return new File([blob], "photo.jpg", { type: "image/jpeg" });
}

field?.addEventListener("change", async () => {
  const [file] = field.files;
  const kept = field.form.elements.kept?.value; // it came with the form that was refused
  shown.hidden = Boolean(file) || !kept;
  if (kept && !file) shown.src = kept;
  if (!file) return;
  try {
    const small = new DataTransfer();
    small.items.add(await made(file));
    field.files = small.files;
  } catch { /* no picture: the house says so */ }
});
