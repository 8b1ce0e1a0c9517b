/* The page of `psl report`: the plots of what the reader chooses, and the shares of a process that the reader chooses.
 * All that it shows stands in the page's tables; texts enter the page as text alone. */
(function () {
  "use strict";

  var explorers = Array.prototype.map.call(document.querySelectorAll(".explorer"), function (place) {
    return pslExplore.open(place, document.getElementById(place.getAttribute("data-table")));
  });

  /* In a frame of psl studio a point can be run, and its params be taken: the studio does it, which is asked. */
  function offer(event) {
    if (event.source !== window.parent || !event.data || event.data.psl !== "studio") return;
    explorers.forEach(function (explorer) {
      var place = explorer.place, set = place.getAttribute("data-set"), run = place.getAttribute("data-run");
      if (!set) return;
      explorer.offer({"Show its run": "run", "Set the params to it": "set"}, function (what, r, point, seed) {
        window.parent.postMessage({psl: what, point: point, system: place.getAttribute("data-system"),
                                   how: Object.assign(JSON.parse(run), {seed: seed}),
                                   set: Object.assign(JSON.parse(set), explorer.params(r))}, "*");
      }, JSON.parse(run));
    });
  }
  if (window.parent !== window) {
    window.addEventListener("message", offer);
    window.parent.postMessage({psl: "page"}, "*");
  }

  /* ---- processes ---- */

  var section = document.getElementById("processes"), table = document.getElementById("table-processes");
  if (!section || !table) return;
  var makespan = Number(section.getAttribute("data-makespan"));
  /* What waits are for, as the columns of `parts` have it; where nobody has divided them there is only `wait`. */
  var told = section.getAttribute("data-waits"), first = 5;
  var labels = {compute: "compute", communicate: "communicate", wait: told ? "other wait" : "wait", early: "ended early"};
  var waits = !told ? [] : told.split(",").map(function (label) {
    var kind = label.replace(" ", "-");
    labels[kind] = label;
    return kind;
  });
  var kinds = ["compute", "communicate"].concat(waits, ["wait", "early"]);
  var parts = JSON.parse(document.getElementById("parts").textContent);
  var elements = document.getElementById("elements");
  if (elements) elements = JSON.parse(elements.textContent);
  var processes = Array.prototype.map.call(table.tBodies[0].rows, function (row) {
    var figure = function (c) { return Number(row.cells[c].getAttribute("data-v")); };
    var process = {name: row.cells[0].textContent, compute: figure(1), communicate: figure(2), wait: figure(3), early: Math.max(makespan - figure(4), 0)};
    return process;
  });
  var known = JSON.parse(document.getElementById("waits").textContent);
  processes.forEach(function (process, p) {
    var whole = process.wait;
    waits.forEach(function (kind, k) { process.wait -= process[kind] = known[p][k]; });
    if (process.wait < 1e-9 * whole) process.wait = 0;
  });
  kinds.slice(0, -1).forEach(function (kind) {
    var item = element("li", null, document.getElementById("legend"));
    element("span", null, item, "key " + kind);
    item.appendChild(document.createTextNode(labels[kind]));
  });
  var chosen = 0, marker = null, bars = document.getElementById("bars"), select = document.getElementById("process");

  function svg(name, attributes, parent) {
    var node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (var a in attributes) node.setAttribute(a, attributes[a]);
    if (parent) parent.appendChild(node);
    return node;
  }

  function element(name, text, parent, kind) {
    var node = document.createElement(name);
    if (text !== null) node.textContent = text;
    if (kind) node.className = kind;
    if (parent) parent.appendChild(node);
    return node;
  }

  /* Reads as report_time of output.c does: 4 digits, and no fewer before the point than there are,
     in threes from ten thousand on. */
  function seconds(value) {
    var units = [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9], ["ps", 1e-12]], u = 0, size = Math.abs(value) * (1 + 5e-5);
    if (value === 0) return "0 s";
    if (Math.abs(value) >= 1e15) return Number(value.toPrecision(4)).toExponential().replace(/e\+(\d)$/, "e+0$1") + " s";
    while (u < 4 && size < units[u][1]) u++;
    var digits = 3 - Math.floor(Math.log10(size / units[u][1]));
    var text = (value / units[u][1]).toFixed(Math.max(0, Math.min(6, digits)));
    return (digits < 0 ? text.replace(/\B(?=(\d{3})+$)/g, ",") : text) + " " + units[u][0];
  }

  /* The label of a tick: without the zeros behind the point. */
  function tick(value) {
    return seconds(value).replace(/(\.\d*?)0+ /, "$1 ").replace(". ", " ");
  }

  function percent(value) {
    return (makespan > 0 ? 100 * value / makespan : 0).toFixed(1) + " %";
  }

  /* The least of 1, 2 or 5 times a power of ten that makes at most six. */
  function step() {
    var rough = makespan / 6, power = Math.pow(10, Math.floor(Math.log10(rough))), digit = rough / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  }

  var LEFT = 62, TOP = 8, HEIGHT = 190, each = 0;

  function drawBars() {
    var room = bars.clientWidth - LEFT - 4, count = processes.length;
    each = Math.max(4, Math.min(48, room / count));
    var gap = each > 8 ? 2 : each > 5 ? 1 : 0, width = LEFT + count * each + 4, scale = HEIGHT / (makespan || 1);
    bars.textContent = "";
    var picture = svg("svg", {width: width, height: HEIGHT + TOP + 22, viewBox: "0 0 " + width + " " + (HEIGHT + TOP + 22),
                              "aria-hidden": "true"}, bars);
    for (var t = 0; makespan > 0 && t <= makespan * (1 + 1e-9); t += step()) {
      var y = TOP + HEIGHT - t * scale;
      svg("line", {x1: LEFT, x2: width - 4, y1: y, y2: y}, picture);
      svg("text", {x: LEFT - 8, y: y + 4, "text-anchor": "end"}, picture).textContent = tick(t);
    }
    processes.forEach(function (process, p) {
      var foot = TOP + HEIGHT;
      kinds.slice(0, -1).forEach(function (kind) {
        var height = process[kind] * scale;
        foot -= height;
        if (height > 0)
          svg("rect", {"class": kind, x: LEFT + p * each, y: foot, width: each - gap, height: height}, picture);
      });
    });
    marker = svg("rect", {"class": "chosen", y: TOP - 4, width: each - gap + 2, height: HEIGHT + 7}, picture);
    svg("text", {x: LEFT + count * each / 2, y: HEIGHT + TOP + 17, "text-anchor": "middle"}, picture).textContent =
        count === 1 ? "1 process" : count + " processes";
    mark();
  }

  function mark() {
    if (marker) marker.setAttribute("x", LEFT + chosen * each - 1);
  }

  function drawPie(process) {
    var place = document.getElementById("pie"), from = -Math.PI / 2, R = 84;
    place.textContent = "";
    var picture = svg("svg", {viewBox: "-100 -100 200 200", role: "img", "aria-label":
        "Shares of " + process.name + ": " +
        kinds.map(function (k) { return labels[k] + " " + percent(process[k]); }).join(", ")}, place);
    kinds.forEach(function (kind) {
      var part = makespan > 0 ? process[kind] / makespan : 0, to = from + 2 * Math.PI * part;
      if (part > 0.99999) svg("circle", {"class": kind, r: R}, picture);
      else if (part > 0)
        svg("path", {"class": kind, d: "M0 0L" + R * Math.cos(from) + " " + R * Math.sin(from) + "A" + R + " " + R + " 0 " +
                     (part > 0.5 ? 1 : 0) + " 1 " + R * Math.cos(to) + " " + R * Math.sin(to) + "Z"}, picture);
      from = to;
    });
    svg("circle", {r: R, style: "fill:none;stroke:var(--soft);stroke-width:1"}, picture);
  }

  function addRow(body, cells) {
    var row = element("tr", null, body);
    cells.forEach(function (cell) {
      var td = element("td", cell.text, row, cell.value === undefined ? "" : "n");
      if (cell.value !== undefined) td.setAttribute("data-v", cell.value);
      if (cell.kind) {
        td.textContent = "";
        element("span", "", td, "key " + cell.kind);
        td.appendChild(document.createTextNode(cell.text));
      }
    });
  }

  function time(value) {
    return {text: seconds(value), value: value};
  }

  function sortAgain(table) {
    var sorted = table.tHead.querySelector("[aria-sort]");
    if (sorted) pslTables.sort(table, sorted.cellIndex, sorted.getAttribute("aria-sort") === "descending");
  }

  function showElements() {
    var named = document.getElementById("named"), rows = named.tBodies[0];
    rows.textContent = "";
    elements.filter(function (item) { return item[0] === chosen; }).forEach(function (item) {
      addRow(rows, [{text: item[1] + " " + item[2]}, {text: String(item[3]), value: item[3]}, time(item[4]),
                    time(item[5]), {text: percent(item[5]), value: item[5]}]);
    });
    sortAgain(named);
  }

  function show(p) {
    chosen = Math.max(0, Math.min(processes.length - 1, p));
    var process = processes[chosen], shares = document.getElementById("shares").tBodies[0];
    var inside = document.getElementById("inside"), rows = inside.tBodies[0];
    select.selectedIndex = chosen;
    bars.setAttribute("aria-valuenow", chosen + 1);
    bars.setAttribute("aria-valuetext", process.name + ": " + kinds.map(function (k) {
      return labels[k] + " " + seconds(process[k]);
    }).join(", "));
    shares.textContent = "";
    kinds.forEach(function (k) {
      addRow(shares, [{text: labels[k], kind: k}, time(process[k]), {text: percent(process[k]), value: process[k]}]);
    });
    rows.textContent = "";
    parts.filter(function (part) { return part[0] === chosen; }).forEach(function (part) {
      var wait = part[4];
      waits.forEach(function (kind, k) { wait += part[first + k]; });
      var all = part[2] + part[3] + wait;
      addRow(rows, [{text: part[1]}, time(part[2]), time(part[3]), time(wait), time(all),
                    {text: percent(all), value: all}]);
    });
    document.getElementById("inside-of").hidden = !rows.rows.length;
    if (elements) showElements();
    sortAgain(inside);
    drawPie(process);
    mark();
  }

  processes.forEach(function (process) { element("option", process.name, select); });
  bars.setAttribute("aria-valuemax", processes.length);
  select.addEventListener("change", function () { show(select.selectedIndex); });
  bars.addEventListener("click", function (event) {
    if (marker) show(Math.floor((event.clientX - bars.firstChild.getBoundingClientRect().left - LEFT) / each));
  });
  bars.addEventListener("keydown", function (event) {
    var to = {ArrowRight: chosen + 1, ArrowUp: chosen + 1, ArrowLeft: chosen - 1, ArrowDown: chosen - 1, Home: 0,
              End: processes.length - 1, PageUp: chosen + 10, PageDown: chosen - 10}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  });
  section.hidden = false;
  drawBars();
  show(0);
  window.addEventListener("resize", drawBars);
})();
