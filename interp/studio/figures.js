/* How times and counts read, and times that a person has typed. */

const units = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"], [1e-12, "ps"]];
const unitOf = (seconds) => units.find(([factor]) => Math.abs(seconds) >= factor * 0.99995) || units[units.length - 1];

/* Four digits, as reports have them. */
export function timeText(seconds) {
  if (!seconds) return "0 s";
  if (Math.abs(seconds) < 1e-13) return seconds.toExponential(2) + " s";
  const [factor, name] = unitOf(seconds), value = seconds / factor;
  return `${Math.abs(value) >= 9999.5 ? Math.round(value).toLocaleString("en") : value.toPrecision(4)} ${name}`;
}

/* So many digits that times which are `step` apart read differently. */
export function placeText(seconds, step, whole) {
  const [factor, name] = unitOf(whole);
  return `${(seconds / factor).toFixed(Math.max(0, Math.min(15, -Math.floor(Math.log10(step / factor) + 1e-9))))} ${
      name}`;
}

/* With as many digits as tell its ends apart. */
export function rangeText(begin, end) {
  const step = roundStep((end - begin) / 1000);
  return `${placeText(begin, step, end)} to ${placeText(end, step, end)}`;
}

/* The seconds of "1.5 ms"; of a number alone as it is; NaN: it is no time. */
export function readTime(text) {
  const [, number, name] = /^\s*([-+.\deE]+?)\s*([a-zµ]*)\s*$/.exec(text) || [];
  const unit = name ? units.find(([, one]) => one === name.replace("µ", "u")) : units[0];
  return number && unit ? Number(number) * unit[0] : NaN;
}

export const countText = (count) => count.toLocaleString("en");
export const percent = (part) => `${(100 * part).toFixed(1)} %`;

/* 1, 2 or 5 times a power of ten, not less than that. */
export function roundStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough)), digit = rough / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

export function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}
