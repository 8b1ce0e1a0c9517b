/* What the times of a window of the timeline come to: by activity with the shortest, the mean and the longest slice, by
 * component, or by process. */
import {countText, element, percent, timeText} from "./figures.js";
import {ask} from "./wire.js";

const most = 100; /* rows of a table */
const plain = (names) => names.map((text) => element("th", {scope: "col", textContent: text}));
const line = (name, cells) => element(
    "tr", {}, element("th", {scope: "row", textContent: name}),
    ...cells.map((text) => element("td", {textContent: text})));

export class Times {
  /* `reveal(name)` shows a process in the timeline. */
  constructor(parent, job, told) {
    Object.assign(this, {parent, job, told});
    this.by = element(
        "select", {},
        ...["activity", "component", "process"].map((value) => element("option", {value, textContent: value})));
    this.by.addEventListener("change", () => this.draw());
    this.caption = element("p", {className: "soft"});
    this.caption.setAttribute("aria-live", "polite");
    this.table = element("table");
    this.table.setAttribute("aria-label", "Times of the window");
    const rows = element("div", {className: "rows", tabIndex: 0}, this.table);
    rows.setAttribute("role", "group");
    rows.setAttribute("aria-label", "Times of the window");
    parent.replaceChildren(
        element("h2", {textContent: "Times"}), element("p", {}, element("label", {}, "by ", this.by)), this.caption,
        rows);
    parent.times = this;
  }
  async show(window, failed) {
    const {from, to, first, rows} = window, asked = this.asked = {};
    if (!rows) return;
    let times;
    try {
      times = await ask("times", {job: this.job.number, from, to, first, rows});
    } catch (error) {
      return failed(error);
    }
    if (asked !== this.asked) return;
    Object.assign(this, {window, times});
    this.draw();
  }
  draw() {
    const {times, window} = this;
    if (!times) return;
    const what =
        window.rows === this.told.rows.length ? "all processes" : `${countText(window.rows)} processes in view`;
    this.caption.textContent = `${window.selected ? "The selected stretch" : "What is seen"}, ${
        timeText(window.to - window.from)}, of ${what}; shares are of this time of each of them`;
    const all = window.rows * (window.to - window.from) || 1; /* as in reports: idle time is a part of it */
    this.table.replaceChildren(...this.by.value === "activity" ? this.activities(all) : this.parts(all));
  }
  activities(all) {
    const list = this.times.activities.map((one, number) => ({...one, name: this.told.activities[number]}))
                     .filter((one) => one.count);
    return [
      element(
          "thead", {},
          element("tr", {}, ...plain(["activity", "time", "share", "slices", "shortest", "mean", "longest"]))),
      element(
          "tbody", {},
          ...list.map(
              (one) => line(
                  one.name,
                  [
                    timeText(one.time), percent(one.time / all), countText(one.count), timeText(one.least),
                    timeText(one.mean), timeText(one.most)
                  ])))
    ];
  }
  parts(all) {
    const component = this.by.value === "component";
    const names = component ? this.told.components : this.told.rows.slice(this.window.first);
    const list = (component ? this.times.components : this.times.rows)
                     .map((time, number) => ({name: names[number], time, sum: time[0] + time[1] + time[2]}))
                     .filter(({sum}) => sum > 0 || !component);
    if (component) list.sort((a, b) => b.sum - a.sum);
    const head = [component ? "component" : "process", "compute", "communicate", "wait", "together", "share"];
    const body = list.slice(0, most).map(
        ({name, time, sum}) => line(name, [...time, sum].map(timeText).concat(percent(sum / all))));
    if (list.length > most || this.window.rows > most && !component)
      body.push(element("tr", {}, element("td", {colSpan: 6, textContent: `The first ${most} are shown.`})));
    return [element("thead", {}, element("tr", {}, ...plain(head))), element("tbody", {}, ...body)];
  }
}
