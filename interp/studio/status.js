/* The line in which the page says what has been done, and what has gone wrong. */
import {Refused} from "./wire.js";

export function say(text, bad) {
  const line = document.getElementById("status");
  line.textContent = text;
  line.className = bad ? "bad" : "";
}

/* What goes wrong is said, where nobody waits for it. */
export function guarded(work) {
  return async (...values) => {
    try {
      return await work(...values);
    } catch (error) {
      say(error.message, true);
      if (!(error instanceof Refused)) console.error(error);
      return undefined;
    }
  };
}
