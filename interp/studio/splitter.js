/* The line between the text and what stands beside it: it is moved by the pointer, by the arrow keys, Home and End; a
 * double click puts it back. */

const step = 4, least = 20, most = 80; /* percent of the room of the two */

/* `line` stands in `main`, whose style has the shares of the two as --left and --right. */
export function openSplitter(line, main, left, right) {
  const place = (share) => {
    const at = Math.max(least, Math.min(most, Math.round(share)));
    main.style.setProperty("--left", at + "fr");
    main.style.setProperty("--right", 100 - at + "fr");
    line.setAttribute("aria-valuenow", String(at));
  };
  const move = (event) => {
    const from = left().getBoundingClientRect().left, to = right().getBoundingClientRect().right;
    place(100 * (event.clientX - from) / (to - from));
  };
  line.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    line.focus();
    line.setPointerCapture(event.pointerId);
    line.addEventListener("pointermove", move);
  });
  for (const end of ["pointerup", "pointercancel"])
    line.addEventListener(end, () => line.removeEventListener("pointermove", move));
  line.addEventListener("dblclick", () => place(50));
  line.addEventListener("keydown", ({key}) => {
    const at = Number(line.getAttribute("aria-valuenow"));
    const to = {ArrowLeft: at - step, ArrowRight: at + step, Home: least, End: most}[key];
    if (to !== undefined) place(to);
  });
}
