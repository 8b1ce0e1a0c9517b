/* Tables of pages: they sort by their heads, their rows are filtered by what is written below the heads, and what is
 * shown is saved as CSV. Of many rows those alone stand in the page that can be seen, so that ten thousand are no
 * burden; all are printed. Texts enter the page as text alone. */
const pslTables = (() => {
  "use strict";

  const MANY = 400;   /* rows, from which on a part of them stands in the page */
  const AROUND = 20;  /* rows above and below those that are seen */
  const FILTERED = 6; /* rows that are worth a filter */
  const SAVED = 4;    /* and a file */

  function element(name, properties, ...children) {
    const node = Object.assign(document.createElement(name), properties);
    node.append(...children);
    return node;
  }

  /* ---- values ---- */

  const prefixes = {T: 1e12, G: 1e9, M: 1e6, k: 1e3, "": 1, m: 1e-3, u: 1e-6, "\u00b5": 1e-6, n: 1e-9, p: 1e-12};
  const binary = {KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4};

  /* How many of a column's base unit one of the unit is that somebody has written; NaN: it is none of its kind. */
  function factorOf(written, unit) {
    if (!written || written === unit) return 1;
    if (written === "%") return unit ? NaN : 0.01;
    const [first, rest] = unit.startsWith("byte") ? ["byte", unit.slice(4)] : [unit, ""];
    const own = rest && written.endsWith(rest) ? written.slice(0, -rest.length) : rest ? "" : written;
    if (first === "byte" && binary[own]) return binary[own];
    const names = first === "byte" ? ["byte", "B"] : [first];
    for (const name of names)
      if (name && own.endsWith(name) && own.slice(0, -name.length) in prefixes)
        return prefixes[own.slice(0, -name.length)];
    return NaN;
  }

  /* "12.5 ms" in base units; NaN: it is no number of that unit. */
  function numberOf(text, unit) {
    const parts = /^([-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(\S*)$/i.exec(text.trim());
    return parts ? Number(parts[1].replace(/,/g, "")) * factorOf(parts[2], unit) : NaN;
  }

  const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

  /* "< 0,1" and, of what has a unit, "0,1 s": no two conditions are meant by that, the first of which had no unit. */
  const hasDecimalComma = (text, unit) =>
      /[<>]=?\s*\d+,\d/.test(text) || unit && /(?:^|[^\d.])\d+,\d+\s*[^\s\d.,]/.test(text);

  /* A condition that is written below a head as a function of a cell; null: it says nothing that a cell could fulfil.
   * Conditions are parted by commas, and one of them has to hold. */
  function conditionOf(text, column) {
    if (column.figure && hasDecimalComma(text, column.unit)) return null;
    const parts = text.split(",").map((part) => part.trim()).filter(Boolean).map((part) => oneOf(part, column));
    if (parts.includes(null)) return null;
    return (cell) => parts.some((part) => part(cell));
  }

  function oneOf(part, column) {
    const range = /^(.+?)\s*\.\.\s*(.+)$/.exec(part), sign = /^(>=|<=|!=|>|<|=)\s*(.*)$/.exec(part);
    if (column.figure && range) {
      /* A unit that stands behind one end alone is that of both. */
      const [own, other] = [range[1], range[2]].map((end) => /[^\d\s.,]*$/.exec(end)[0]);
      const low = numberOf(own ? range[1] : range[1] + other, column.unit);
      const high = numberOf(other ? range[2] : range[2] + own, column.unit);
      return isNaN(low) || isNaN(high) ? null : ({value}) => value >= low && value <= high;
    }
    const wanted = sign ? sign[2] : part, number = column.figure ? numberOf(wanted, column.unit) : NaN;
    const letters = wanted.toLowerCase();
    const alike = ({value, text}) =>
        !isNaN(number) ? value !== null && near(value, number) || text === wanted : text.toLowerCase() === letters;
    if (column.figure && isNaN(number) && (sign && /[<>]/.test(sign[1]) || wanted !== "-")) return null; /* "-": none */
    switch (sign && sign[1]) {
    case ">=":
      return ({value}) => value !== null && value >= number;
    case "<=":
      return ({value}) => value !== null && value <= number;
    case ">":
      return ({value}) => value !== null && value > number;
    case "<":
      return ({value}) => value !== null && value < number;
    case "!=":
      return (cell) => !alike(cell);
    case "=":
      return alike;
    default:
      return (cell) => (isNaN(number) ? cell.text.toLowerCase().includes(letters) : alike(cell));
    }
  }

  /* What is missing comes last in either order; equal rows keep their places. */
  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", {numeric: true});
  }

  /* A cell of a row: what stands there, its number, and half of its interval. */
  function cellOf(row, c) {
    const cell = row.cells[c];
    if (!cell || cell.colSpan > 1) return {text: cell ? cell.textContent : "", value: null, half: null, key: null};
    const value = cell.dataset.v, number = value === undefined || value === "" ? null : Number(value);
    return {
      text: cell.textContent,
      value: number,
      half: cell.dataset.h ? Number(cell.dataset.h) : null,
      key: value === undefined ? cell.textContent : number
    };
  }

  /* Zeros are filled in where the figures of a column would not line up: to as many digits behind the point as one of
   * the same unit has, and to no more than four that count. */
  const figure = /^([-+]?\d+)(?:\.(\d+))?(| .*)$/;
  function lineUp(cells) {
    const most = new Map(), parts = cells.map((cell) => figure.exec(cell ? cell.textContent : ""));
    for (const [, , behind = "", unit] of parts.filter(Boolean))
      most.set(unit, Math.max(most.get(unit) || 0, behind.length));
    parts.forEach((part, i) => {
      if (!part) return;
      const [, whole, behind = "", unit] = part, digits = (whole + behind).replace(/^[-+0]*/, "").length;
      const zeros = digits ? Math.min(most.get(unit) - behind.length, 4 - digits) : 0;
      if (zeros > 0) cells[i].textContent = `${whole}.${behind}${"0".repeat(zeros)}${unit}`;
    });
  }

  /* ---- CSV ---- */

  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

  function save(name, type, text) {
    const link = element("a", {download: name}), address = URL.createObjectURL(new Blob([text], {type}));
    link.setAttribute("href", address);
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  /* ---- a table ---- */

  class Table {
    constructor(table) {
      this.table = table;
      this.body = table.tBodies[0];
      this.frame = table.closest(".rows");
      this.columns = [...table.tHead.rows[0].cells].map(
          (head) => ({
            head,
            name: head.textContent,
            figure: head.classList.contains("n"),
            unit: head.dataset.unit || "",
            param: "param" in head.dataset,
            beside: head.textContent === "\u00b1", /* half the interval of the figure before it */
          }));
      this.rows = [...this.body.rows];
      this.columns.forEach(
          ({figure, param}, c) => figure && !param && lineUp(this.rows.map(({cells}) => cells[c])));
      this.cells = [];
      this.conditions = [];
      this.listeners = [];
      this.sorted = null;
      this.first = 0;
      this.tools();
      this.choose();
      if (this.rows.length > MANY) this.widen();
      this.show();
      this.frame.addEventListener("scroll", () => this.scrolled(), {passive: true});
      addEventListener("beforeprint", () => this.show(true));
      addEventListener("afterprint", () => this.show());
    }
    /* The cell of row r, which is read once. */
    cell(r, c) {
      const known = this.cells[r] || (this.cells[r] = []);
      return known[c] || (known[c] = cellOf(this.rows[r], c));
    }
    tools() {
      const save = element("button", {type: "button", textContent: "Download CSV"});
      save.addEventListener("click", () => this.save());
      this.count = element("span", {className: "soft"});
      this.count.setAttribute("role", "status");
      this.wrong = element("span", {className: "wrong-filter", id: `wrong-filter-${known.size}`});
      this.wrong.setAttribute("role", "alert");
      this.bar = element("div", {className: "tools"}, save, this.wrong, this.count);
      if (this.rows.length >= FILTERED || this.table.dataset.live !== undefined) this.bar.prepend(this.filter());
      this.frame.before(this.bar);
    }
    filter() {
      const button = element("button", {type: "button", textContent: "Filter"});
      button.setAttribute("aria-expanded", "false");
      this.fields = this.columns.map((column, c) => {
        const field = element("input", {
          type: "search",
          placeholder: column.figure ? "< 5, 2..8" : "text",
          title: column.figure ? "8, >= 8, 2..8 or < 10 ms; several, parted by commas" :
                                 "what is in it; = the whole, != another one; several, parted by commas",
          autocomplete: "off",
          spellcheck: false,
          hidden: true
        });
        field.setAttribute("aria-label", "Filter " + column.name);
        field.addEventListener("input", () => this.typed(c, field));
        column.head.append(field);
        return field;
      });
      button.addEventListener("click", () => {
        const open = button.getAttribute("aria-expanded") !== "true";
        button.setAttribute("aria-expanded", String(open));
        for (const field of this.fields)
          field.hidden = !open;
        if (open)
          this.fields[0].focus();
        else
          this.unfilter();
      });
      return button;
    }
    typed(c, field) {
      const condition = conditionOf(field.value, this.columns[c]);
      field.setAttribute("aria-invalid", String(condition === null));
      this.explain();
      this.conditions[c] = field.value.trim() ? condition : null;
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.show(), this.rows.length > MANY ? 120 : 0);
    }
    /* What is no condition is said to be none, in words. */
    explain() {
      const wrong = this.fields.findIndex((field) => field.getAttribute("aria-invalid") === "true");
      this.fields.forEach((field, c) => {
        if (c === wrong) field.setAttribute("aria-describedby", this.wrong.id);
        else field.removeAttribute("aria-describedby");
      });
      if (wrong < 0) {
        this.wrong.textContent = "";
        return;
      }
      const {unit, name} = this.columns[wrong], {value} = this.fields[wrong];
      const how = hasDecimalComma(value, unit) ? "a number has a point, 0.1, and no comma" :
          unit ? `write < 8, 2..8 or >= 8, of ${unit} or another unit of that` : "write 8, >= 8 or 2..8";
      this.wrong.textContent = `${name}: '${value}' is no condition; ${how}`;
    }
    unfilter() {
      for (const field of this.fields) {
        field.value = "";
        field.removeAttribute("aria-invalid");
      }
      this.explain();
      this.conditions = [];
      this.show();
    }
    /* Rows that fulfil all conditions, in the order in which they stand. */
    choose() {
      const wanted = this.conditions.map((condition, c) => [condition, c]).filter(([condition]) => condition);
      this.shown = [];
      for (let r = 0; r < this.rows.length; r++)
        if (wanted.every(([condition, c]) => condition(this.cell(r, c)))) this.shown.push(r);
      if (this.sorted) {
        const {column, descending} = this.sorted, keys = this.shown.map((r) => [r, this.cell(r, column).key]);
        keys.sort((a, b) => compare(a[1], b[1], descending ? -1 : 1));
        this.shown = keys.map(([r]) => r);
      }
    }
    sort(column, descending) {
      this.sorted = {column, descending};
      for (const {head} of this.columns)
        head.removeAttribute("aria-sort");
      this.columns[column].head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      this.show();
    }
    show(printed) {
      this.choose();
      this.printed = printed;
      this.all = printed || this.shown.length <= MANY;
      this.first = -1;
      this.replace();
      const part = this.shown.length !== this.rows.length;
      this.count.textContent = part ? `${this.shown.length} of ${this.rows.length} rows` : "";
      for (const listener of this.listeners)
        listener();
    }
    /* Outside of the page, so that no style is worked out for rows that go. */
    replace() {
      const {scrollTop} = this.frame;
      if (!this.height && !this.all) this.measure();
      this.body.remove();
      this.table.classList.toggle("many", !this.all);
      this.draw(scrollTop);
      this.table.insertBefore(this.body, this.table.tFoot);
      this.frame.scrollTop = scrollTop;
    }
    measure() {
      this.body.replaceChildren(...this.shown.slice(0, 10).map((r) => this.row(r)));
      this.height = this.body.clientHeight / Math.min(10, this.shown.length) || 30;
    }
    /* Rows of one height each, those around what is seen; what is above and below is as high as they would be. */
    draw(scrollTop) {
      if (this.all) return this.body.replaceChildren(...this.shown.map((r) => this.row(r)));
      const first = Math.max(0, Math.floor(scrollTop / this.height) - AROUND);
      if (this.first >= 0 && Math.abs(first - this.first) < AROUND / 2) return undefined;
      this.first = first;
      const last = Math.min(this.shown.length, first + Math.ceil(this.frame.clientHeight / this.height) + 2 * AROUND);
      const space = (rows) => {
        const cell = element("td", {colSpan: this.columns.length}), row = element("tr", {className: "space"}, cell);
        cell.style.height = rows * this.height + "px";
        row.setAttribute("aria-hidden", "true");
        return row;
      };
      const rows = this.shown.slice(first, last).map((r) => this.row(r));
      this.body.replaceChildren(space(first), ...rows, space(this.shown.length - last));
      return undefined;
    }
    row(r) {
      const row = this.rows[r];
      if (this.chosen && !this.printed && !row.dataset.ready) {
        const cell = row.cells[0], button = element("button", {type: "button", textContent: cell.textContent});
        button.setAttribute("aria-label", "Choose point " + cell.textContent);
        button.addEventListener("click", () => this.chosen(r));
        cell.replaceChildren(button);
        row.dataset.ready = "yes";
      }
      return row;
    }
    scrolled() {
      if (this.all || this.drawing) return;
      this.drawing = requestAnimationFrame(() => {
        this.drawing = 0;
        this.draw(this.frame.scrollTop);
      });
    }
    /* Columns stay as wide as their longest cells make them, whichever rows are there. */
    widen() {
      const longest = this.columns.map((column, c) => {
        let most = "";
        for (const row of this.rows) {
          const cell = row.cells[c];
          if (cell && cell.colSpan === 1 && cell.textContent.length > most.length) most = cell.textContent;
        }
        return element("td", {textContent: most.slice(0, 60), className: column.figure ? "n" : ""});
      });
      const foot = element("tfoot", {className: "sizer"}, element("tr", {}, ...longest));
      foot.setAttribute("aria-hidden", "true");
      if (this.table.tFoot) this.table.tFoot.remove();
      this.table.append(foot);
    }
    /* Marks the row of a point that was chosen, and shows it. */
    mark(r, seen) {
      for (const row of this.rows)
        if (row.classList.contains("chosen")) row.classList.remove("chosen");
      if (r === null) return;
      this.rows[r].classList.add("chosen");
      const at = this.shown.indexOf(r);
      if (!seen || at < 0) return;
      if (this.all)
        this.frame.scrollTop = this.rows[r].offsetTop - this.frame.clientHeight / 2;
      else
        this.frame.scrollTop = at * this.height - this.frame.clientHeight / 2;
    }
    /* Rows that come while the table is looked at. */
    add(rows) {
      this.rows.push(...rows);
      if (this.rows.length > MANY && !this.table.tFoot) this.widen();
      this.show();
    }
    save() {
      const kept = this.columns.map((column) => !column.beside);
      const has = this.columns.map((column, c) => kept[c] && this.shown.some((r) => this.cell(r, c).half !== null));
      const unit = (column) => (column.unit ? ` [${column.unit}]` : "");
      const lines = [this.columns.flatMap((column, c) => {
        if (!kept[c]) return [];
        const names = has[c] ? ["", ".low", ".high"] : [""];
        return names.map((end) => quoted(column.name + end + unit(column)));
      })];
      for (const r of this.shown) {
        const line = [];
        this.columns.forEach((column, c) => {
          if (!kept[c]) return;
          const {text, value, half} = this.cell(r, c);
          line.push(column.figure ? (value === null ? "" : String(value)) : quoted(text));
          if (has[c]) line.push(...(half === null ? ["", ""] : [String(value - half), String(value + half)]));
        });
        const last = this.rows[r].cells[this.rows[r].cells.length - 1]; /* an error in the place of figures */
        if (last && last.colSpan > 1) line[line.length - 1] = quoted(last.textContent);
        lines.push(line);
      }
      save(
          (this.table.dataset.name || this.table.id || "table") + ".csv", "text/csv",
          lines.map((line) => line.join(",") + "\n").join(""));
    }
  }

  /* ---- all tables of the page ---- */

  const known = new Map();

  /* A table whose rows come and go by themselves is sorted as it stands. */
  function sort(table, column, descending) {
    if (known.has(table)) return known.get(table).sort(column, descending);
    const body = table.tBodies[0], heads = table.tHead.rows[0].cells;
    const rows = [...body.rows].map((row) => ({row, key: cellOf(row, column).key}));
    rows.sort((a, b) => compare(a.key, b.key, descending ? -1 : 1));
    body.append(...rows.map(({row}) => row));
    for (const head of heads)
      head.removeAttribute("aria-sort");
    heads[column].setAttribute("aria-sort", descending ? "descending" : "ascending");
    return undefined;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest ? event.target.closest("th > button") : null;
    if (!button) return;
    const head = button.parentNode;
    sort(head.closest("table"), head.cellIndex, head.getAttribute("aria-sort") === "ascending");
  });

  function of (table) {
    if (!known.has(table)) known.set(table, new Table(table));
    return known.get(table);
  }

  for (const table of document.querySelectorAll(".rows > table[id]"))
    if (table.tBodies[0].rows.length >= SAVED || document.querySelector(`.explorer[data-table="${table.id}"]`))
      of(table);

  return {of, sort, save, element};
})();
