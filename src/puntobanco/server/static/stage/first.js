// Not a module, so that the page below waits for it, and it for the styles: laid out without them,
// the whole felt would be laid out twice. The table is painted first; what makes it move comes then.

addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => setTimeout(() => import("./page.js"))));
