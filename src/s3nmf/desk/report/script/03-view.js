// Which part of the plane is seen, and where its points are on the screen.
const plane = document.getElementById("plane");
const canvas = plane.querySelector("canvas");
const CLOSEST = 40;
const frame = { width: 0, height: 0, side: 1 };
const view = { scale: 1, x: 0.5, y: 0.5 }; // magnification, and the middle in shares of the plane
const across = (i) => frame.width / 2 + (x[i] / 65535 - view.x) * frame.side * view.scale;
const down = (i) => frame.height / 2 + (y[i] / 65535 - view.y) * frame.side * view.scale;

// How much of its side the points fill: the longer of the two is filled.
const span = (places) => Math.max(0.05, (places.reduce((a, b) => Math.max(a, b), 0) - places.reduce((a, b) => Math.min(a, b), 65535)) / 65535);

function radius() {
  const usual = Math.min(6, Math.max(1.6, 0.16 * frame.width / Math.sqrt(data.n + 60)));
  return Math.min(9, usual * Math.sqrt(view.scale));
}

function measure() {
  frame.width = plane.clientWidth;
  frame.height = Math.round(frame.width * (frame.width < 500 ? 1 : 0.8));
  view.scale = Math.min(view.scale, CLOSEST);
  frame.side = Math.max(1, Math.min((frame.width - 40) / span(x), (frame.height - 40) / span(y)));
}

function look(scale, middleX, middleY) {
  view.scale = Math.min(CLOSEST, Math.max(1, scale));
  const reach = 0.5 - 0.5 / view.scale; // the middle stays where there are points
  view.x = Math.min(0.5 + reach, Math.max(0.5 - reach, middleX));
  view.y = Math.min(0.5 + reach, Math.max(0.5 - reach, middleY));
  plane.classList.toggle("near", view.scale > 1);
  drawSoon();
}
const pan = (dx, dy) => look(view.scale, view.x - dx / frame.side / view.scale, view.y - dy / frame.side / view.scale);

// What is at this place of the screen stays there.
function zoom(factor, px = frame.width / 2, py = frame.height / 2) {
  const scale = Math.min(CLOSEST, Math.max(1, view.scale * factor));
  const move = (1 / view.scale - 1 / scale) / frame.side;
  look(scale, view.x + (px - frame.width / 2) * move, view.y + (py - frame.height / 2) * move);
}
const reset = () => look(1, 0.5, 0.5);

function bringIntoView(i) {
  const [px, py] = [across(i), down(i)];
  if (px < 0 || py < 0 || px > frame.width || py > frame.height) look(view.scale, x[i] / 65535, y[i] / 65535);
}
