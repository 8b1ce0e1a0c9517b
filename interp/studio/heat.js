/* The graph coloured by where a run has spent its time: each component by its part of what all of them take, which
 * stands on it, too, and in a list. */
import {made} from "./boxes.js";
import {element, percent, timeText} from "./figures.js";

const kinds = {
  all: (time) => time[0] + time[1] + time[2],
  compute: (time) => time[0],
  communicate: (time) => time[1],
  wait: (time) => time[2]
};

export class Heat {
  /* `picture` is where the graph is drawn, `bar` where its legend stands. */
  constructor(picture, bar) {
    Object.assign(this, {picture, bar, run: null});
    this.kind = element(
        "select", {},
        ...[["all", "all that is done"], ["compute", "computing"], ["communicate", "communicating"],
            ["wait", "waiting"]]
            .map(([value, textContent]) => element("option", {value, textContent})));
    this.kind.addEventListener("change", () => this.draw());
    new MutationObserver(() => this.color()).observe(picture, {childList: true});
  }
  /* `run`: {label, path, components, times: by component, of the whole run}; null: no colours. */
  show(run) {
    this.run = run;
    this.draw();
  }
  shares() {
    const {components, times} = this.run, of = kinds[this.kind.value], sums = new Map();
    components.forEach((name, number) => sums.set(name, (sums.get(name) || 0) + of(times[number])));
    const all = [...sums.values()].reduce((a, b) => a + b, 0);
    return [...sums]
        .map(([name, time]) => ({name, time, share: all ? time / all : 0}))
        .sort((a, b) => b.share - a.share);
  }
  draw() {
    this.bar.hidden = !this.run;
    this.list = this.run ? this.shares() : [];
    if (this.run) this.legend();
    this.color();
  }
  legend() {
    const most = this.list.length ? this.list[0].share : 0, scale = element("span", {className: "heat-scale"});
    const items =
        this.list.filter(({time}) => time > 0).map(({name, time, share}) => element("li", {
                                                     textContent: `${name} ${percent(share)}, ${timeText(time)}`
                                                   }));
    this.bar.replaceChildren(
        element(
            "p", {className: "row"}, element("label", {}, "Time of ", this.kind), `in ${this.run.label}:`,
            element("span", {className: "row"}, "0 %", scale, percent(most))),
        element("ul", {}, ...items));
  }
  color() {
    for (const old of this.picture.querySelectorAll(".heat-value")) old.remove();
    const most = this.list && this.list.length ? this.list[0].share || 1 : 1;
    const shares = new Map((this.list || []).map((one) => [one.name, one]));
    for (const node of this.picture.querySelectorAll(".node[data-component]")) {
      const rect = node.querySelector(":scope > .box > rect"), one = shares.get(node.dataset.component);
      if (!rect) continue;
      node.classList.toggle("heated", !!one && one.share > 0);
      rect.style.fill = one && one.share > 0 ?
          `color-mix(in srgb, var(--heat) ${Math.round(8 + 92 * one.share / most)}%, var(--card))` :
          "";
      if (!one || !one.share) continue;
      const number = (name) => Number(rect.getAttribute(name));
      node.append(made(
          "text", {x: number("x") + 3, y: number("y") + number("height") + 13, class: "heat-value"},
          percent(one.share)));
    }
  }
}
