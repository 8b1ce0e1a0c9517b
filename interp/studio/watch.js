/* A run as one watches it: its timeline with the times of what is seen, why a process was where it was, and the graph
 * coloured by where its time went. What is shown is of the run that is chosen. */
import {Causes} from "./causes.js";
import {element} from "./figures.js";
import {Heat} from "./heat.js";
import {Live} from "./live.js";
import {Timeline} from "./timeline.js";
import {Times} from "./times.js";
import {ask} from "./wire.js";

const $ = (id) => document.getElementById(id);
const few = 1e6; /* slices of a run that is run again for causes at each click; of more, where they are asked for */

export class Watch {
  /* `calls`: go(path, line, column) in the text, folder(), say(text, bad), again(job) to run it with a timeline,
   * color() to run what is shown so, stop(job). */
  constructor(calls) {
    this.calls = calls;
    this.job = null;
    this.causes = new Causes($("causes"), {
      go: (file, line, column) => this.go(file, line, column),
      traced: (steps) => this.timeline && this.timeline.trace(steps),
      reveal: (...where) => this.timeline && this.timeline.reveal(...where)
    });
    this.live = new Live($("live"), calls.stop);
    this.heat = new Heat($("picture"), $("heat"));
    $("heat-switch").addEventListener("change", () => this.colour());
  }
  /* The run that is chosen, which may go on yet. */
  show(job) {
    this.live.show(job);
    this.offer(job);
    const number = job.timeline ? job.number : 0;
    if (this.job === job && this.drawn === number) return;
    this.job = job;
    this.drawn = number;
    this.close();
    if (number) this.open(job);
    this.colour();
  }
  close() {
    if (this.timeline) this.timeline.drop();
    this.timeline = this.times = null;
    $("timeline-view").hidden = true;
    $("timeline-canvas").replaceChildren();
    $("timeline-times").replaceChildren();
    this.causes.close();
  }
  /* The same once more, with a timeline. */
  offer(job) {
    const wanted = job.kind === "run" && job.ended && job.status === 0 && !job.timeline;
    $("timeline-offer").hidden = !wanted;
    if (!wanted) return;
    const button = element("button", {type: "button", textContent: "Run it with a timeline"});
    button.addEventListener("click", () => this.calls.again(job));
    $("timeline-offer").replaceChildren(button);
  }
  async open(job) {
    const failed = (error) => this.calls.say(error.message, true);
    let told;
    try {
      told = await ask("timeline", {job: job.number});
    } catch (error) {
      return failed(error);
    }
    if (this.job !== job || !job.timeline) return undefined;
    $("timeline-view").hidden = false;
    const none = "There is no timeline: no process took any time, or it was taken for a network of queues.";
    $("timeline-note").textContent = told.full ? "The timeline ends where it was full." : told.count ? "" : none;
    this.told = told;
    if (!told.count) return undefined;
    this.times = new Times($("timeline-times"), job, told);
    this.timeline = new Timeline($("timeline-canvas"), job, told, {
      failed,
      seen: (window) => this.times && this.times.show(window, failed),
      picked: (slice) => this.picked(slice),
      why: (slice) => this.why(slice)
    });
    await this.gather(job, told, failed);
    return undefined;
  }

  /* ---- causes ---- */

  picked(slice) {
    if (!slice) return this.causes.close();
    if (this.told.count <= few) return this.why(slice);
    const button = element("button", {type: "button", textContent: "Why?"});
    button.addEventListener("click", () => this.why(slice));
    this.causes.head(`Why is ${slice.name} there?`, element("p", {}, button, " The model is run again to find out."));
    return undefined;
  }
  why(slice) {
    return this.causes.show(this.job, slice, this.timeline.doing(slice));
  }
  /* A file as psl names it; null: the model that was run. */
  go(file, line, column) {
    const folder = this.calls.folder() + "/", {path} = this.job.request;
    const own = file === null ? path : file.startsWith(folder) ? file.slice(folder.length) : null;
    if (own === null)
      this.calls.say(`That is line ${line} of ${file}, outside of the folder.`);
    else
      this.calls.go(own, line, column, file === null ? this.job.text : undefined);
  }

  /* ---- the graph by time ---- */

  async gather(job, told, failed) {
    try {
      const {components} =
          await ask("times", {job: job.number, from: 0, to: told.end || 1, first: 0, rows: told.rows.length});
      job.heat = {label: job.label, path: job.request.path, components: told.components, times: components};
    } catch (error) {
      return failed(error);
    }
    return this.colour();
  }
  colour() {
    const job = this.job, wanted = $("heat-switch").checked;
    const fits = job && job.heat && job.heat.path === this.calls.path();
    this.heat.show(wanted && fits ? job.heat : null);
    if (!wanted || fits) return;
    const button = element("button", {type: "button", textContent: "Run it with a timeline"});
    button.addEventListener("click", () => this.calls.color());
    $("heat").hidden = false;
    $("heat").replaceChildren(element("p", {}, button, " Components then are coloured by where its time goes."));
  }
}
