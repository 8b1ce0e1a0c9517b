/* A plot of any figures of a table: its axes, what tells its series apart and what its small multiples are of are
 * chosen; what the table shows is drawn. Values are seen under the pointer, a point is chosen by a click or by keys,
 * and the picture is saved as SVG or PNG. */
const pslExplore = (() => {
  "use strict";

  const {element} = pslTables, NS = "http://www.w3.org/2000/svg";
  /* As plot.c has them: to be told apart by colour-blind people, and for an order from dark to light. */
  const apart = ["#0072b2", "#d55e00", "#009e73", "#b5589b", "#a67c00", "#3f9bd8", "#6b6b6b", "#8b3a3a"];
  const ladder = [[0x4b, 0x1d, 0x78], [0x2a, 0x5f, 0xa8], [0x12, 0x8a, 0x86], [0x5f, 0x9e, 0x2f], [0xb8, 0x7d, 0]];
  const lighter = ["#4da3dd", "#f08a3c", "#2fc39b", "#d98bc2", "#d0a838", "#7fc0ee", "#a8a8a8", "#d08080"];
  const MULTIPLES = 24, LEGEND = 12, LINES = 2000;
  const themes = {
    light: {ground: "#ffffff", ink: "#1a1d23", soft: "#565e6a", line: "#d5dae1", apart},
    dark: {ground: "#1b1f26", ink: "#e8ebef", soft: "#a7b0bc", line: "#363d48", apart: lighter}
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");

  function svg(name, attributes, parent, text) {
    const node = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes))
      node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    if (parent) parent.append(node);
    return node;
  }

  function colors(count, ordered, theme) {
    if (count < 2 || !ordered && count <= apart.length) return theme.apart;
    return Array.from({length: count}, (_, s) => {
      const at = s / (count - 1) * (ladder.length - 1), rung = Math.min(Math.floor(at), ladder.length - 2);
      const light = theme === themes.dark ? 70 : 0;
      const mixed = ladder[rung].map((a, k) => Math.round(a + (ladder[rung + 1][k] - a) * (at - rung)) + light);
      return `rgb(${mixed.map((value) => Math.min(255, value)).join(",")})`;
    });
  }

  /* ---- axes ---- */

  const prefixes = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "u"], [1e-9, "n"]];

  /* The prefix in which the greatest value of an axis reads well; seconds and bytes and what is made of them have one.
   */
  function scaleOf(unit, most) {
    const bytes = /^byte/.test(unit), name = unit === "byte" ? "B" : unit.replace(/^byte\//, "B/");
    if (!/^(s|byte|byte\/s|Hz|W|J|flop|flop\/s)$/.test(unit) || !most) return {factor: 1, unit};
    const fit = ([factor]) => most >= factor * 0.9999 && !(unit === "s" && factor > 1) && !(bytes && factor < 1);
    const [factor, prefix] = prefixes.find(fit) || [1, ""];
    return {factor, unit: factor === 1 ? unit : prefix + name};
  }

  function digits(value) {
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-4) return Number(value.toPrecision(4)).toExponential().replace("e+", "e");
    const text = Number(value.toPrecision(6)).toString();
    return size >= 10000 ? text.replace(/\B(?=(\d{3})+$)/g, ",") : text;
  }

  function linear(low, high, room) {
    const rough = (high - low) / Math.max(1, room), power = 10 ** Math.floor(Math.log10(rough)), part = rough / power;
    const step = power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10), ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++)
      ticks.push(k * step);
    return ticks;
  }

  function logarithmic(low, high, room) {
    const decades = Math.log10(high / low), ticks = [];
    const each = decades > room ? Math.ceil(decades / room) : 1, parts = decades * 3 <= room + 2 ? [1, 2, 5] : [1];
    for (let d = Math.floor(Math.log10(low)); 10 ** d <= high * (1 + 1e-9); d += each)
      for (const part of parts)
        if (part * 10 ** d >= low * (1 - 1e-9) && part * 10 ** d <= high * (1 + 1e-9)) ticks.push(part * 10 ** d);
    return ticks.length > 1 ? ticks : [low, high];
  }

  /* What an axis of numbers shows: {low, high, log, place(value) from 0 to 1, ticks(room): [value, label]}. */
  function axisOf(values, column, log, whole) {
    let low = Infinity, high = -Infinity;
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (low > high) [low, high] = log ? [1, 10] : [0, 1];
    const {factor, unit} = scaleOf(column.unit, Math.max(Math.abs(low), Math.abs(high)));
    if (whole && !log) [low, high] = [Math.min(0, low), Math.max(0, high)];
    if (low === high)
      [low, high] = log       ? [low / 2, high * 2] :
                    low === 0 ? [0, 1] :
                                [low - Math.abs(low) / 2, high + Math.abs(high) / 2];
    const rim = log ? 0 : (high - low) * 0.04, from = low - (low === 0 ? 0 : rim), to = high + rim;
    const place =
        log ? (value) => Math.log(value / low) / Math.log(high / low) : (value) => (value - from) / (to - from);
    const distinct = [...new Set(values)].sort((a, b) => a - b);
    const ticks = (room) => {
      const own = !whole && distinct.length <= room && distinct.length > 1;
      const found = own ? distinct :
                    log ? logarithmic(low, high, room) :
                          linear(from / factor, to / factor, room).map((t) => t * factor);
      return found.map((value) => [place(value), digits(Number((value / factor).toPrecision(12)))]);
    };
    return {place, ticks, label: column.name + (unit ? ` (${unit})` : "")};
  }

  /* ---- what is drawn ---- */

  const isWord = (column) => !column.figure;

  /* The values of a column in an order: numbers by size, terms as they come. */
  function groupsOf(table, rows, c) {
    const groups = new Map();
    for (const r of rows) {
      const {text, value} = table.cell(r, c);
      if (!groups.has(text)) groups.set(text, {text, value, rows: []});
      groups.get(text).rows.push(r);
    }
    const list = [...groups.values()];
    return isWord(table.columns[c]) ? list : list.sort((a, b) => a.value - b.value);
  }

  class Explorer {
    constructor(place, table) {
      this.place = place;
      this.table = table;
      this.chosen = this.pointed = null;
      this.controls();
      this.picture = element("div", {className: "picture", tabIndex: 0});
      this.picture.setAttribute("role", "slider");
      this.picture.setAttribute("aria-label", "Points of the plot");
      this.tip = element("div", {className: "tip", hidden: true});
      this.note = element("p", {className: "soft"});
      this.card = element("div", {className: "card", hidden: true});
      this.card.setAttribute("role", "region");
      this.card.setAttribute("aria-label", "Chosen point");
      place.append(this.choices, this.picture, this.tip, this.note, this.card);
      this.picture.addEventListener("pointermove", (event) => this.point(event));
      this.picture.addEventListener("pointerleave", () => this.leave());
      this.picture.addEventListener("click", (event) => {
        this.point(event);
        if (this.pointed) this.choose(this.pointed.r, true);
      });
      this.picture.addEventListener("keydown", (event) => this.key(event));
      table.chosen = (r) => this.choose(r, false);
      table.show();
      table.listeners.push(() => this.draw());
      dark.addEventListener("change", () => this.draw());
      new ResizeObserver(() => {
        if (this.picture.clientWidth !== this.width) this.draw();
      }).observe(this.picture);
      addEventListener("beforeprint", () => this.draw(themes.light, 640));
      addEventListener("afterprint", () => this.draw());
      this.draw();
    }

    /* ---- choices ---- */

    controls() {
      const {columns, rows} = this.table;
      const figures = columns.map((column, c) => c).filter((c) => columns[c].figure && c > 0 && !columns[c].beside);
      const params = columns.map((column, c) => c).filter((c) => columns[c].param);
      const results = figures.filter((c) => !columns[c].param);
      const sorts = (c) => new Set(rows.map((_, r) => this.table.cell(r, c).text)).size;
      const several = params.filter((c) => sorts(c) > 1);
      const wanted = (name) => columns.findIndex((column, c) => c && column.name === name);
      const {x, y, by} = this.place.dataset, none = -1;
      const numbers = several.filter((c) => columns[c].figure);
      const start = {x: x && wanted(x) > 0 ? wanted(x) : numbers[0] ?? several[0] ?? params[0] ?? figures[0] ?? 0};
      start.y = y && wanted(y) > 0 ? wanted(y) : results[0] ?? figures.find((c) => c !== start.x) ?? 0;
      const others = several.filter((c) => c !== start.x && sorts(c) <= MULTIPLES);
      start.by = by && wanted(by) > 0 ? wanted(by) : others[0] ?? none;
      start.of = others.filter((c) => c !== start.by && sorts(c) <= 9)[0] ?? none;
      const list = (label, name, from, empty) => {
        const select = element("select", {name});
        if (empty) select.append(element("option", {value: none, textContent: empty}));
        for (const c of from)
          select.append(element("option", {value: c, textContent: columns[c].name}));
        select.value = String(start[name]);
        select.addEventListener("change", () => this.changed());
        this[name] = select;
        return element("label", {}, label + " ", select);
      };
      const box = (label, name, hidden, checked) => {
        const field = element("input", {type: "checkbox", name, checked});
        field.addEventListener("change", () => this.changed());
        this[name] = field;
        return element("label", {hidden}, field, " " + label);
      };
      const apartFrom = columns.map((column, c) => c).filter((c) => c && (columns[c].param || isWord(columns[c])));
      const save = (format) => {
        const button = element("button", {type: "button", textContent: "Download " + format});
        button.addEventListener("click", () => (format === "SVG" ? this.saveSvg() : this.savePng()));
        return button;
      };
      const intervals = !rows.some((_, r) => results.some((c) => this.table.cell(r, c).half));
      this.choices = element(
          "div", {className: "tools"},
          list("Across", "x", columns.map((_, c) => c).filter((c) => c > 0 && !columns[c].beside)),
          list("Up", "y", figures), list("Series by", "by", apartFrom, "nothing"),
          list("A plot for each", "of", apartFrom, "nothing"),
          box("log across", "logX", false, "logX" in this.place.dataset),
          box("log up", "logY", false, "logY" in this.place.dataset),
          box("from 0", "zero", false, !this.isNarrow(start.y)), box("intervals", "bars", intervals, true), save("SVG"),
          save("PNG"));
    }

    /* Do the values of a figure lie close to each other, and far from 0? */
    isNarrow(c) {
      const values = this.table.rows.map((_, r) => this.table.cell(r, c).value).filter((value) => value !== null);
      const least = values.reduce((a, b) => Math.min(a, b), Infinity),
            most = values.reduce((a, b) => Math.max(a, b), -Infinity);
      return least > most / 2;
    }

    changed() {
      this.touched = true;
      this.draw();
    }
    /* Of rows that have come since, while nobody has chosen anything. */
    renew() {
      if (this.touched) return;
      const before = this.choices;
      this.controls();
      before.replaceWith(this.choices);
      this.draw();
    }

    /* ---- the picture ---- */

    /* Points with a value on both axes, in panels and series. */
    gather() {
      const {table} = this, [x, y, by, of] = [this.x, this.y, this.by, this.of].map((field) => Number(field.value));
      const words = isWord(table.columns[x]), places = new Map();
      let gone = 0;
      const rows = table.shown.filter((r) => {
        const up = table.cell(r, y).value, across = table.cell(r, x);
        const fine = up !== null && (!this.logY.checked || up > 0) &&
                     (words ? across.key !== null : across.value !== null && (!this.logX.checked || across.value > 0));
        gone += !fine;
        return fine;
      });
      if (words)
        for (const r of rows)
          if (!places.has(table.cell(r, x).text)) places.set(table.cell(r, x).text, places.size);
      const acrossOf = (r) => (words ? places.get(table.cell(r, x).text) : table.cell(r, x).value);
      let panels = of < 0 ? [{text: "", rows}] : groupsOf(table, rows, of);
      const left = Math.max(0, panels.length - MULTIPLES);
      panels = panels.slice(0, MULTIPLES);
      /* Of all rows, so that a series keeps its colour whatever is filtered. */
      const every = by < 0 ? [] : groupsOf(table, table.rows.map((_, r) => r), by);
      const names = by < 0 ? [{text: ""}] : every, index = new Map(names.map(({text}, s) => [text, s]));
      for (const panel of panels) {
        panel.series = names.map(() => []);
        for (const r of panel.rows)
          panel.series[by < 0 ? 0 : index.get(table.cell(r, by).text)].push(
              {r, across: acrossOf(r), up: table.cell(r, y).value, half: table.cell(r, y).half});
        for (const points of panel.series)
          points.sort((a, b) => a.across - b.across);
      }
      const single = panels.every(
          ({series}) =>
              series.every((points) => points.every((point, p) => !p || point.across !== points[p - 1].across)));
      return {x, y, by, of, panels, names, rows, words, single, gone, left, places: [...places.keys()]};
    }

    draw(theme, width) {
      const drawn = this.gather(), {table} = this;
      this.width = this.picture.clientWidth;
      this.drawn = drawn;
      const node = this.make(drawn, theme || (dark.matches ? themes.dark : themes.light), width || this.width || 640);
      this.picture.replaceChildren(node);
      const notes = [];
      if (drawn.gone) notes.push(`${drawn.gone} ${drawn.gone === 1 ? "point has" : "points have"} no place in it`);
      if (drawn.left) notes.push(`the first ${MULTIPLES} plots of ${MULTIPLES + drawn.left} are drawn`);
      if (table.shown.length < table.rows.length)
        notes.push(`${table.shown.length} of ${table.rows.length} points, as the table is filtered`);
      this.note.textContent = notes.length ? notes.join("; ") + "." : "";
      this.order = [...this.spots].sort((a, b) => a.panel - b.panel || a.s - b.s || a.x - b.x);
      this.picture.setAttribute("aria-valuemin", "0");
      this.picture.setAttribute("aria-valuemax", String(this.order.length));
      this.say(null);
      this.ring();
    }

    /* The whole picture as SVG, with all that it needs: it is saved as it is. */
    make(drawn, theme, width) {
      const {panels, names, words} = drawn, {columns} = this.table,
                            ordered = drawn.by >= 0 && !isWord(columns[drawn.by]);
      const across = panels.length === 1 ? 1 : Math.max(1, Math.min(panels.length, Math.floor(width / 250)));
      const each = width / across, high = panels.length === 1 ? Math.max(230, Math.min(380, width * 0.5)) :
                                                                Math.max(170, Math.min(250, each * 0.72));
      const legend = drawn.by < 0 ? [] : this.legend(names, columns[drawn.by].name, width), top = legend.height || 0;
      const lines = Math.ceil(panels.length / across), height = top + lines * high;
      const picture = svg("svg", {
        xmlns: NS,
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        "aria-hidden": "true",
        "font-family": "system-ui, sans-serif",
        "font-size": 12
      });
      svg("rect", {width, height, fill: theme.ground}, picture);
      const paint = colors(names.length, ordered, theme);
      this.putLegend(picture, legend, paint, theme);
      const ups = [], acrosses = [];
      for (const {series} of panels)
        for (const points of series)
          for (const point of points) {
            const half = this.bars.checked && point.half > 0 ? point.half : 0;
            acrosses.push(point.across);
            ups.push(point.up + half);
            if (!this.logY.checked || point.up - half > 0) ups.push(point.up - half);
          }
      const zero = this.zero.checked || words && drawn.single; /* bars begin there */
      const yAxis = axisOf(ups, columns[drawn.y], this.logY.checked, zero);
      const xAxis = words ? null : axisOf(acrosses, columns[drawn.x], this.logX.checked, false);
      this.spots = [];
      panels.forEach((panel, p) => {
        const box = {left: (p % across) * each + 58, top: top + Math.floor(p / across) * high + (panel.text ? 22 : 10)};
        box.width = each - 70;
        box.height = top + (Math.floor(p / across) + 1) * high - 42 - box.top;
        this.panel(picture, drawn, panel, p, box, {xAxis, yAxis, theme, paint, first: p % across === 0});
      });
      this.rings = svg("g", {}, picture);
      return picture;
    }

    legend(names, title, width) {
      const items = [], shown = names.slice(0, LEGEND);
      let x = 8, y = 16;
      const place = (text, s, room) => {
        if (x > 8 && x + room > width) [x, y] = [8, y + 18];
        items.push({text, s, x, y});
        x += room;
      };
      place(title, -1, 7 * title.length + 14);
      shown.forEach(({text}, s) => place(text, s, 7 * text.length + 34));
      if (names.length > shown.length) place(`and ${names.length - shown.length} more`, -1, 100);
      return Object.assign(items, {height: y + 8});
    }
    putLegend(picture, legend, paint, theme) {
      for (const {text, s, x, y} of legend) {
        if (s >= 0) svg("rect", {x, y: y - 9, width: 11, height: 11, fill: paint[s % paint.length]}, picture);
        svg("text", {x: x + (s >= 0 ? 16 : 0), y, fill: s >= 0 ? theme.ink : theme.soft}, picture, text);
      }
    }

    panel(picture, drawn, panel, p, box, {xAxis, yAxis, theme, paint, first}) {
      const {columns} = this.table, {words, places, single} = drawn, {left, top, width, height} = box;
      const placeY = (value) => top + height - yAxis.place(value) * height;
      const foot = this.logY.checked ? top + height : Math.max(top, Math.min(top + height, placeY(0)));
      const slot = width / Math.max(1, places.length);
      const placeX = (value) => left + (words ? (value + 0.5) * slot : xAxis.place(value) * width);
      if (panel.text)
        svg("text", {x: left, y: top - 7, fill: theme.ink, "font-weight": 600}, picture,
            `${columns[drawn.of].name} ${panel.text}`);
      for (const [at, label] of yAxis.ticks(Math.max(2, Math.floor(height / 30)))) {
        const y = top + height - at * height;
        svg("line", {x1: left, x2: left + width, y1: y, y2: y, stroke: theme.line}, picture);
        svg("text", {x: left - 6, y: y + 4, "text-anchor": "end", fill: theme.soft}, picture, label);
      }
      if (words)
        this.terms(picture, places, {left, top, height, slot}, theme);
      else
        this.marks(picture, xAxis, box, theme);
      svg("path", {d: `M${left} ${top}V${top + height}H${left + width}`, fill: "none", stroke: theme.soft}, picture);
      svg("text", {x: left + width / 2, y: top + height + 34, "text-anchor": "middle", fill: theme.ink}, picture,
          words ? columns[drawn.x].name : xAxis.label);
      if (first) {
        const y = top + height / 2;
        svg("text",
            {x: left - 46, y, "text-anchor": "middle", fill: theme.ink, transform: `rotate(-90 ${left - 46} ${y})`},
            picture, yAxis.label);
      }
      const used = panel.series.filter((points) => points.length).length, count = panel.rows.length;
      const columnsOf = words && single ? Math.min(40, slot * 0.8 / Math.max(1, used)) : 0;
      let at = 0;
      panel.series.forEach((points, s) => {
        if (!points.length) return;
        const shift = columnsOf ? (at++ - (used - 1) / 2) * columnsOf : 0, color = paint[s % paint.length];
        const spots =
            points.map((point) => ({...point, panel: p, s, x: placeX(point.across) + shift, y: placeY(point.up)}));
        for (const spot of spots)
          this.spots.push(spot);
        this.series(
            picture, spots,
            {color, columnsOf, placeY, foot, lines: !words && single && points.length <= LINES, count});
      });
    }
    marks(picture, axis, {left, top, width, height}, theme) {
      for (const [at, label] of axis.ticks(Math.max(2, Math.floor(width / 42)))) {
        const x = left + at * width;
        svg("line", {x1: x, x2: x, y1: top + height, y2: top + height + 4, stroke: theme.soft}, picture);
        svg("text", {x, y: top + height + 17, "text-anchor": "middle", fill: theme.soft}, picture, label);
      }
    }
    terms(picture, places, {left, top, height, slot}, theme) {
      const every = Math.max(1, Math.ceil(16 / slot)), letters = Math.max(3, Math.floor(slot * every / 7));
      places.forEach((text, k) => {
        if (k % every) return;
        const short = text.length > letters ? text.slice(0, letters - 1) + "\u2026" : text;
        svg("text", {x: left + (k + 0.5) * slot, y: top + height + 17, "text-anchor": "middle", fill: theme.soft},
            picture, short);
      });
    }
    /* However many points there are, a series is three paths at most. */
    series(picture, spots, {color, columnsOf, placeY, foot, lines, count}) {
      const at = ({x, y}) => `${x.toFixed(1)} ${y.toFixed(1)}`;
      if (columnsOf) {
        const parts = spots.map(
            ({x, y}) => `M${(x - columnsOf * 0.45).toFixed(1)} ${foot}V${y.toFixed(1)}h${
                (columnsOf * 0.9).toFixed(1)}V${foot}z`);
        svg("path", {d: parts.join(""), fill: color}, picture);
      } else {
        if (lines)
          svg("path", {d: "M" + spots.map(at).join("L"), fill: "none", stroke: color, "stroke-width": 1.5}, picture);
        const size = count > 3000 ? 3 : count > 500 ? 4.5 : 7;
        svg("path", {
          d: spots.map((spot) => `M${at(spot)}h0`).join(""),
          fill: "none",
          stroke: color,
          "stroke-width": size,
          "stroke-linecap": "round"
        },
            picture);
      }
      const known = this.bars.checked ? spots.filter(({half}) => half > 0) : [];
      if (!known.length) return;
      const parts = known.map(({x, up, half}) => {
        const low = !this.logY.checked || up - half > 0 ? placeY(up - half) : foot, high = placeY(up + half);
        return `M${(x - 3).toFixed(1)} ${high.toFixed(1)}h6m-3 0V${low.toFixed(1)}m-3 0h6`;
      });
      svg("path", {d: parts.join(""), fill: "none", stroke: columnsOf ? "currentColor" : color, "class": "interval"},
          picture);
    }

    /* ---- points ---- */

    nearest(event) {
      const node = this.picture.firstChild, frame = node.getBoundingClientRect(), scale = this.width / frame.width || 1;
      const x = (event.clientX - frame.left) * scale, y = (event.clientY - frame.top) * scale;
      let best = null, least = 40 * 40;
      for (const spot of this.spots) {
        const distance = (spot.x - x) ** 2 + (spot.y - y) ** 2;
        if (distance < least) [best, least] = [spot, distance];
      }
      return best;
    }
    point(event) {
      this.pointed = this.nearest(event);
      this.ring();
      this.tip.hidden = !this.pointed;
      if (!this.pointed) return;
      this.tip.textContent = this.text(this.pointed.r).join("\n");
      const frame = this.place.getBoundingClientRect(), picture = this.picture.getBoundingClientRect();
      const x = this.pointed.x + picture.left - frame.left, y = this.pointed.y + picture.top - frame.top;
      this.tip.style.left = Math.max(0, Math.min(x + 12, frame.width - this.tip.offsetWidth)) + "px";
      this.tip.style.top = Math.max(0, y - this.tip.offsetHeight - 10) + "px";
    }
    leave() {
      this.pointed = null;
      this.tip.hidden = true;
      this.ring();
    }
    /* The point by its params, and what is drawn of it. */
    text(r) {
      const {columns} = this.table, {x, y} = this.drawn;
      const named = columns.map((column, c) => c).filter((c) => columns[c].param || c === x || c === y);
      return [
        "point " + this.table.cell(r, 0).text, ...named.map((c) => `${columns[c].name} ${this.table.cell(r, c).text}`)
      ];
    }
    ring() {
      this.rings.replaceChildren();
      const color = dark.matches ? themes.dark.ink : themes.light.ink;
      for (const spot of this.spots)
        if (spot.r === this.chosen || this.pointed && spot.r === this.pointed.r)
          svg("circle", {
            cx: spot.x,
            cy: spot.y,
            r: 6,
            fill: "none",
            stroke: color,
            "stroke-width": spot.r === this.chosen ? 2.5 : 1.5
          },
              this.rings);
    }
    say(spot) {
      const at = spot ? this.order.indexOf(spot) + 1 : 0;
      this.picture.setAttribute("aria-valuenow", String(at));
      this.picture.setAttribute("aria-valuetext", spot ? this.text(spot.r).join(", ") : `${this.order.length} points`);
    }
    key(event) {
      const last = this.order.length - 1, at = this.pointed ? this.order.indexOf(this.pointed) : -1;
      const to = {
        ArrowRight: at + 1,
        ArrowUp: at + 1,
        ArrowLeft: at - 1,
        ArrowDown: at - 1,
        Home: 0,
        End: last,
        PageUp: at + 10,
        PageDown: at - 10
      }[event.key];
      if (event.key === "Enter" && this.pointed) this.choose(this.pointed.r, true);
      if (to === undefined || last < 0) return;
      event.preventDefault();
      this.pointed = this.order[Math.max(0, Math.min(last, to))];
      this.ring();
      this.say(this.pointed);
    }
    /* What can be done with a point: {label: what}; asked(what, its row, its number, a seed) does it. `runs` are {seed,
     * repetitions} of a point: the first one's seed, and how many there are; a choice among several is offered. */
    offer(offers, asked, runs) {
      Object.assign(this, {offers, asked, runs});
      if (this.chosen !== null) this.choose(this.chosen, false);
    }
    /* All that is known of the point, and what can be done with it. */
    choose(r, seen) {
      const {columns} = this.table, list = element("dl", {className: "facts"});
      this.chosen = r;
      this.table.mark(r, seen);
      this.ring();
      columns.forEach((column, c) => {
        const {text} = this.table.cell(r, c);
        if (c && text && text !== "-" && !columns[c].beside)
          list.append(element("dt", {textContent: column.name}), element("dd", {textContent: text}));
      });
      const close = element("button", {type: "button", textContent: "Close"});
      close.addEventListener("click", () => {
        this.chosen = null;
        this.card.hidden = true;
        this.table.mark(null);
        this.ring();
      });
      const bar =
          element("div", {className: "tools"}, element("strong", {textContent: "Point " + this.table.cell(r, 0).text}));
      const seed = this.seedField();
      for (const [label, what] of Object.entries(this.offers || {})) {
        const button = element("button", {type: "button", textContent: label});
        button.addEventListener("click", () => {
          if (!seed.reportValidity()) return;
          this.asked(what, r, this.table.cell(r, 0).text, Number(seed.value));
        });
        bar.append(button);
        if (what === "run" && this.runs && this.runs.repetitions > 1)
          bar.append(element("label", {title: "The point is the mean of runs with these seeds"}, "with seed ", seed));
      }
      bar.append(close);
      this.card.replaceChildren(bar, list);
      if (this.place.dataset.command && !this.offers)
        this.card.append(element("p", {className: "soft"}, "Its run: ", element("code", {
                                   textContent: this.place.dataset.command.replace("{}", this.table.cell(r, 0).text)
                                 })));
      this.card.hidden = false;
    }
    /* Which run of a point is meant. */
    seedField() {
      const {seed = 0, repetitions = 1} = this.runs || {}, last = seed + repetitions - 1;
      return element(
          "input", {type: "number", name: "seed", min: seed, max: last, step: 1, required: true, value: String(seed)});
    }
    /* The params of a point as PSL writes them: {name: text}. */
    params(r) {
      const set = {};
      this.table.columns.forEach(({name, unit, param, figure}, c) => {
        const {text, value} = this.table.cell(r, c);
        if (!param || figure && value === null) return;
        set[name] = !figure               ? text :
                    !unit                 ? String(value) :
                    unit.startsWith("1/") ? `${value} / (1 ${unit.slice(2)})` :
                                            `${value} ${unit}`;
      });
      return set;
    }

    /* ---- files ---- */

    source() {
      const kept = [this.rings, this.spots], node = this.make(this.gather(), themes.light, 800);
      [this.rings, this.spots] = kept;
      node.removeAttribute("aria-hidden");
      for (const path of node.querySelectorAll(".interval"))
        path.style.color = themes.light.ink;
      return new XMLSerializer().serializeToString(node);
    }
    name() {
      const {columns} = this.table, [y, x] = [this.y, this.x].map((field) => columns[Number(field.value)].name);
      return `${y}-${x}`.replace(/[^\w.-]+/g, "-");
    }
    saveSvg() { pslTables.save(this.name() + ".svg", "image/svg+xml", this.source()); }
    savePng() {
      const image = new Image(), text = this.source();
      image.onload = () => {
        const canvas = element("canvas", {width: image.width * 2, height: image.height * 2});
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob((blob) => pslTables.save(this.name() + ".png", "image/png", blob));
      };
      image.setAttribute("src", "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text));
    }
  }

  const open = (place, table) => new Explorer(place, pslTables.of(table));
  return {open};
})();
