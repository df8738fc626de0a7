// What colours and shapes say: the clusters, or the groups of a column that was kept.
// Points in no cluster are a group behind all of them.
const isPlaced = (k) => k !== NONE && k < data.sizes.length;
const clusters = { groups: data.sizes.map((_, k) => `Cluster ${k}`), sizes: [...data.sizes], of: cluster, ordered: false };
if (data.alone) {
  clusters.groups.push("No cluster");
  clusters.sizes.push(data.alone);
}
const kept = data.kept.map((column) => ({ ...column, of: new Uint16Array(bytes(column.of).buffer) }));
let colouring = clusters;
let chosen = null; // the group that is shown, or null for all
let hovered = null; // the group that is pointed at
let marked = -1; // the point under the pointer or the arrow keys
const isShown = (i) => i >= 0 && (chosen === null || colouring.of[i] === chosen);
const lit = () => (hovered === null ? chosen : hovered);

const palette = {};
function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  palette.colors = Array.from({ length: data.colors }, (_, k) => read(`--c${k}`));
  palette.ramp = Array.from({ length: data.ramp }, (_, k) => read(`--r${k}`));
  for (const name of ["ink", "quiet", "page"]) palette[name] = read(`--${name}`);
}
const classOf = (k, by = colouring) => (by.ordered ? (k < data.ramp ? `r${k}` : "rest") : `k${k % data.colors}`);
const colourOf = (k) => {
  if (colouring.ordered) return palette.ramp[k] || palette.quiet;
  return palette.colors[k % data.colors];
};
const shapeOf = (k) => k % data.shapes;

function markOf(k, by = colouring) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `mark ${classOf(k, by)}`);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#shape${shapeOf(k)}`);
  svg.append(use);
  return svg;
}
