/* Why a process was where it was: what psl why says of a run, step by step, the direct cause first and the whole chain
 * where it is wanted. Each step leads to its lines in the text, and to its slice in the timeline. */
import {countText, element, percent, rangeText, timeText} from "./figures.js";
import {ask} from "./wire.js";

const page = 100;   /* steps that are asked for at first, and shown more each time */
const most = 10000; /* of all */
const did = {
  compute: "computed for",
  communicate: "communicated for",
  flight: "was on its way for",
  shared: "shared servers with others for",
  delay: "was begun after",
  wait: "waited for"
};
/* What it had waited for, and what the other one did, by the kind of cause. */
const causes = {
  call: () => ["", "called it"],
  token: () => ["", "sent it a token"],
  server: ({of}) => [`a server of ${of}`, "gave it back"],
  rule: ({of}) => [`the firing rule of ${of}`, "changed what it asks for"],
  ended: () => ["what it had begun", "ended"],
  match: () => ["a component that matches", "changed an attribute"],
  own: ({awaited}) => [awaited || "an answer", "let it go on"],
  answer: ({awaited}) => [awaited || "an answer", awaited === "room" ? "made it" : "brought it"]
};

export class Causes {
  /* `calls`: reveal(process, begin, end) in the timeline, traced(steps) there, which are shown, go(file, line, column)
   * in the text; file null: the model itself. */
  constructor(parent, calls) {
    Object.assign(this, {parent, calls});
    parent.causes = this;
    this.close();
  }
  close() {
    this.asked = null;
    this.calls.traced([]);
    this.parent.hidden = true;
    this.parent.replaceChildren();
  }
  /* Why the slice of a process, with what it does by a text, came to its end when it did. */
  async show(job, slice, what) {
    Object.assign(this, {job, process: slice.name, at: slice.end, what, wait: slice.activity > 1, shown: 1});
    this.head(this.title(), element("p", {className: "soft", textContent: "The model is run again to find out."}));
    await this.read(page);
  }
  title() {
    return `Why was ${this.process} there at ${timeText(this.at)}?`;
  }
  head(title, ...more) {
    const shut = element("button", {type: "button", textContent: "\u00d7", className: "shut"});
    shut.setAttribute("aria-label", "Close");
    shut.addEventListener("click", () => this.close());
    this.parent.hidden = false;
    this.parent.replaceChildren(shut, element("h2", {textContent: title}), ...more);
  }
  async read(depth) {
    const asked = this.asked = {};
    this.parent.setAttribute("aria-busy", "true");
    try {
      const {why, own} = await ask("why", {job: this.job.number, process: this.process, at: this.at, depth});
      if (asked !== this.asked) return;
      Object.assign(this, {why, own, depth});
      this.draw();
    } catch (error) {
      if (asked !== this.asked) return;
      this.head(this.title(), element("p", {className: "bad", textContent: error.message}));
    } finally {
      this.parent.setAttribute("aria-busy", "false");
    }
  }

  /* ---- words ---- */

  link(text, label, work) {
    const node = element("button", {type: "button", className: "link", textContent: text});
    if (label) node.setAttribute("aria-label", label);
    node.addEventListener("click", work);
    return node;
  }
  /* " in write at line 16", of which the line leads to the text. */
  place({file, line, column, transaction, within}) {
    if (!file) return [];
    const one = (at) => {
      const name = at.file === this.own || "./" + at.file === this.own ?
          "" :
          at.file.replace(/^.*\/(?=(stdlib\/)?[^/]*$)/, "") + " ";
      return this.link(`${name}line ${at.line}`, "", () => this.calls.go(name ? at.file : null, at.line, at.column));
    };
    const parts = [transaction ? ` in ${transaction} at ` : " at ", one({file, line, column})];
    return within ? parts.concat(", there at ", one(within)) : parts;
  }
  work(one) {
    const times = one.times > 1 ? `, ${one.times} times,` : "";
    return element("li", {}, `${did[one.activity]} ${timeText(one.seconds)}${times}`, ...this.place(one));
  }
  process_(name, begin, end) {
    return this.link(name, `${name}: show it in the timeline`, () => this.calls.reveal(name, begin, end));
  }
  cause(step) {
    const {cause, waited} = step;
    if (cause.kind === "start" || !cause.process) return element("li", {textContent: "the run begins"});
    const [what, deed] = causes[cause.kind](cause);
    const other = [
      this.process_(cause.process, cause.time, cause.time), ` ${deed} at ${timeText(cause.time)}`, ...this.place(cause)
    ];
    if (!what || !waited) return element("li", {}, ...other);
    const still = cause.time > step.end ? "it was still waiting" : "it had waited";
    return element(
        "li", {}, `${still} for ${what} from ${timeText(waited.since)} on`, ...this.place(waited), "; ", ...other);
  }
  step(step) {
    const {begin, end} = step, range = end > begin ? `, ${rangeText(begin, end)}` : `, at ${timeText(end)}`;
    return element(
        "li", {}, element("strong", {}, this.process_(step.process, step.begin, step.end), range),
        element("ul", {}, ...[...step.did].reverse().map((one) => this.work(one)), this.cause(step)));
  }

  /* ---- all of it ---- */

  draw() {
    const {steps, chain, at, asked} = this.why;
    const shown = steps.slice(0, this.shown);
    this.calls.traced(shown);
    const ended =
        at < asked ? [element("p", {textContent: `It ended then; it did nothing at ${timeText(asked)}.`})] : [];
    this.head(
        this.title(), this.slice(steps[0]), ...ended, element("ol", {}, ...shown.map((step) => this.step(step))),
        ...this.more(shown.length), ...this.sums(chain, this.why.most));
  }
  /* What is chosen is the last that the process did there, or the wait that then ended. */
  slice(step) {
    const at = this.wait && step.waited ? step.waited : step.last;
    return element("p", {}, this.what, ...(at ? this.place(at) : []), ".");
  }
  more(shown) {
    const {chain, steps} = this.why, left = chain.steps - shown;
    if (left <= 0) return [];
    if (shown === most)
      return [element("p", {textContent: `${countText(left)} steps more are told by psl why --depth ${chain.steps}.`})];
    const next = Math.min(chain.steps, this.shown === 1 ? page : this.shown + page);
    const text = next < chain.steps ? `${countText(next - shown)} steps more, of ${countText(left)}` :
        shown === 1 ? `The whole chain, ${chain.steps} steps` :
                      `The other ${countText(left)} steps`;
    return [element("p", {}, this.link(text, "", async () => {
      this.shown = next;
      if (next > steps.length)
        await this.read(Math.min(most, 10 * this.depth));
      else
        this.draw();
      const added = this.parent.querySelectorAll("ol > li")[shown];
      if (added) added.querySelector("button").focus();
    }))];
  }
  sums(chain, shares) {
    const part = (name, seconds) =>
        `${name} ${timeText(seconds)} (${percent(chain.seconds ? seconds / chain.seconds : 0)})`;
    const sums = [
      part("computing", chain.computing), part("communicating", chain.communicating),
      part("waiting for servers", chain.servers), part("waiting else", chain.other)
    ];
    const first = element("p", {textContent: `The whole chain, ${timeText(chain.seconds)}: ${sums.join(", ")}.`});
    if (chain.steps < 2) return [first];
    return [
      first, element("p", {textContent: "The most by one process at one place:"}),
      element("ul", {}, ...shares.map((one) => {
        const item = this.work(one);
        item.prepend(`${one.process} `);
        return item;
      }))
    ];
  }
}
