// The points: full marks, and open ones where they are in doubt.
const shapes = [
  (c, px, py, r) => { c.moveTo(px + r, py); c.arc(px, py, r, 0, 2 * Math.PI); },
  (c, px, py, r) => c.rect(px - 0.9 * r, py - 0.9 * r, 1.8 * r, 1.8 * r),
  (c, px, py, r) => polygon(c, px, py, r, [[0, -1.2], [1.1, 0.9], [-1.1, 0.9]]),
  (c, px, py, r) => polygon(c, px, py, r, [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]]),
  (c, px, py, r) => polygon(c, px, py, r, [[0, 1.2], [1.1, -0.9], [-1.1, -0.9]]),
  (c, px, py, r) => polygon(c, px, py, r, PLUS),
  (c, px, py, r) => polygon(c, px, py, r, PLUS.map(([a, b]) => [0.75 * (a - b), 0.75 * (a + b)])),
];
const PLUS = [
  [-0.45, -1.2], [0.45, -1.2], [0.45, -0.45], [1.2, -0.45], [1.2, 0.45], [0.45, 0.45],
  [0.45, 1.2], [-0.45, 1.2], [-0.45, 0.45], [-1.2, 0.45], [-1.2, -0.45], [-0.45, -0.45],
];
function polygon(c, px, py, r, corners) {
  corners.forEach(([a, b], at) => (at ? c.lineTo(px + a * r, py + b * r) : c.moveTo(px + a * r, py + b * r)));
  c.closePath();
}

let byGroup = [];
function sortIntoGroups() {
  byGroup = colouring.groups.map(() => ({ sure: [], doubtful: [] }));
  for (const i of all) byGroup[colouring.of[i]][inDoubt(i) ? "doubtful" : "sure"].push(i);
}

function drawMap() {
  measure();
  const { width, height } = frame;
  const sharp = Math.max(2, window.devicePixelRatio || 1); // paper is finer than a screen
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  canvas.style.aspectRatio = `${width} / ${height}`; // not in pixels: paper has other ones
  const c = canvas.getContext("2d");
  c.scale(sharp, sharp);
  if (edges) drawEdges(c);
  drawMarks(c);
  if (edges) drawNamesOfNodes(c);
  placeNamesOfClusters(c);
  mark(isShown(marked) ? marked : -1);
}

let waiting = false;
function drawSoon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; drawMap(); });
}

function drawMarks(c) {
  const [r, only] = [radius(), lit()];
  // Open marks last, and those of the group that matters after all others: what matters is on top.
  const order = byGroup.map((_, k) => k).sort((a, b) => (a === only) - (b === only));
  for (const kind of ["sure", "doubtful"]) {
    for (const k of order) {
      c.globalAlpha = only === null || only === k ? 1 : 0.15;
      c.beginPath();
      for (const i of byGroup[k][kind]) {
        const [px, py] = [across(i), down(i)];
        if (px < -9 || py < -9 || px > frame.width + 9 || py > frame.height + 9) continue;
        shapes[shapeOf(k)](c, px, py, kind === "sure" ? r : 1.3 * r);
      }
      c.fillStyle = c.strokeStyle = colourOf(k);
      c.lineWidth = Math.max(1, r / 3);
      if (kind === "sure") c.fill(); else c.stroke();
    }
  }
  c.globalAlpha = 1;
}

function drawEdges(c) {
  const only = lit();
  for (const own of [false, true]) {
    c.beginPath();
    for (let at = 0; at < edges.length; at += 2) {
      const [a, b] = [edges[at], edges[at + 1]];
      const matters = marked >= 0 ? a === marked || b === marked : only === null || colouring.of[a] === only || colouring.of[b] === only;
      if (matters !== own) continue;
      c.moveTo(across(a), down(a));
      c.lineTo(across(b), down(b));
    }
    c.strokeStyle = own && marked >= 0 ? palette.ink : palette.quiet;
    c.globalAlpha = own ? (marked >= 0 ? 0.9 : 0.35) : 0.12;
    c.lineWidth = 1;
    c.stroke();
  }
  c.globalAlpha = 1;
}
