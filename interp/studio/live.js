/* A run or a study that goes on: how far it has come, in figures and as a bar where its end is known, and its stop.
 * What they say is the line that psl draws on a terminal. */
import {countText, element} from "./figures.js";

const line = /^(.+?) simulated(?: of (.+?) \((\d+) %\))?, (\d+) events, ([^;]+)\/s(?:; time: (.+))?$/;
const runs = /^(\d+) of (\d+) runs(?:, (\S+)\/s, time left: (.+?))?(?:, (\d+) failed)?$/;

/* {part: of all, in percent, undefined: not known; figures: by name}; null: it says nothing yet. */
export function progressOf(text) {
  const run = line.exec(text), study = runs.exec(text);
  if (run) {
    const [, simulated, limit, part, events, rate, parts] = run;
    const figures = {simulated, events: countText(Number(events)), "events a second": countText(Number(rate))};
    if (parts) figures["time so far"] = parts;
    return {part: part && Number(part), figures: limit ? {simulated, of: limit, ...figures} : figures};
  }
  if (!study) return null;
  const [, done, all, rate, left, failed] = study, figures = {runs: `${done} of ${all}`};
  if (rate) Object.assign(figures, {"runs a second": rate, "time left": left});
  if (failed) figures.failed = failed;
  return {part: 100 * Number(done) / Number(all), figures};
}

export class Live {
  /* `stop(job)` ends one, with what there is. */
  constructor(parent, stop) {
    Object.assign(this, {parent, stop});
    this.bar = element("progress", {max: 100});
    this.bar.setAttribute("aria-label", "How far it has come");
    this.list = element("dl");
    const button = element("button", {type: "button", textContent: "Stop it"});
    button.title = "The page then has what there is";
    button.addEventListener("click", () => this.stop(this.job));
    parent.replaceChildren(element("p", {className: "row"}, this.bar, button), this.list);
  }
  show(job) {
    const progress = job.ended ? null : progressOf(job.progress);
    this.job = job;
    this.parent.hidden = !progress;
    if (!progress) return;
    if (progress.part === undefined)
      this.bar.removeAttribute("value");
    else
      this.bar.value = progress.part;
    this.list.replaceChildren(
        ...Object.entries(progress.figures)
            .map(
                ([name, text]) =>
                    element("div", {}, element("dt", {textContent: name}), element("dd", {textContent: text}))));
  }
}
