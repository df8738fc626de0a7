// One point at a time is told about: by mouse, finger or keyboard.
const ring = document.getElementById("ring");
const tip = document.getElementById("tip");

function mark(i) {
  const moved = i !== marked;
  marked = i;
  ring.hidden = tip.hidden = !(i >= 0);
  if (moved && edges) drawSoon();
  if (!(i >= 0)) return;
  ring.style.left = `${across(i)}px`;
  ring.style.top = `${down(i)}px`;
  if (moved || !tip.firstChild) {
    const other = second[i] === NONE ? "no second choice" : `second choice ${second[i]} (${two(share[i])})`;
    tip.replaceChildren(element("strong", "", id(i)), `${clusters.groups[cluster[i]]}, confidence ${two(confidence[i])}`, element("br"), other, ...looksOf(i), ...edgesOf(i));
  }
  // Beside the point; on a phone it is below the picture, whatever this says.
  const right = across(i) > frame.width / 2;
  tip.style.left = right ? "auto" : `${across(i) + 14}px`;
  tip.style.right = right ? `${frame.width - across(i) + 14}px` : "auto";
  tip.style.top = `${Math.max(0, Math.min(down(i) - 20, frame.height - tip.offsetHeight))}px`;
}

function highlight(group) {
  if (hovered === group) return;
  hovered = group;
  drawSoon();
}

function nearest(px, py) {
  let best = -1;
  let least = 20 * 20;
  for (const i of all) {
    if (!isShown(i)) continue;
    const distance = (across(i) - px) ** 2 + (down(i) - py) ** 2;
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}

const placeOf = (event) => {
  const box = plane.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};
const pointAt = (event) => {
  const i = nearest(...placeOf(event));
  mark(i);
  if (colouring.groups.length > MANY) highlight(i >= 0 ? colouring.of[i] : null);
};
const pointAway = () => { mark(-1); highlight(null); };

// A drag moves the plane once it is magnified; two fingers magnify it.
const fingers = new Map();
plane.addEventListener("pointerdown", (event) => {
  fingers.set(event.pointerId, placeOf(event));
  if (view.scale > 1) plane.setPointerCapture(event.pointerId);
  pointAt(event);
});
plane.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return pointAt(event);
  const now = placeOf(event);
  const other = [...fingers].find(([finger]) => finger !== event.pointerId);
  if (other) {
    const [fixed, middle] = [other[1], [(now[0] + other[1][0]) / 2, (now[1] + other[1][1]) / 2]];
    const apart = (place) => Math.hypot(place[0] - fixed[0], place[1] - fixed[1]);
    zoom(apart(now) / Math.max(1, apart(before)), ...middle);
  } else if (view.scale > 1) pan(now[0] - before[0], now[1] - before[1]);
  fingers.set(event.pointerId, now);
});
for (const end of ["pointerup", "pointercancel"]) plane.addEventListener(end, (event) => fingers.delete(event.pointerId));
plane.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") pointAway(); });
plane.addEventListener("touchmove", (event) => { if (event.touches.length > 1) event.preventDefault(); }, { passive: false });
plane.addEventListener("wheel", (event) => {
  // The wheel alone scrolls the page, until somebody has chosen the picture.
  if (!event.ctrlKey && !event.metaKey && document.activeElement !== plane) return;
  event.preventDefault();
  zoom(Math.exp(-event.deltaY / 400), ...placeOf(event));
}, { passive: false });

const ARROWS = { ArrowRight: [-1, 0], ArrowLeft: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
plane.addEventListener("keydown", (event) => {
  const order = byConfidence.filter(isShown);
  const at = order.indexOf(marked);
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 }[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.shiftKey && ARROWS[event.key]) pan(...ARROWS[event.key].map((step) => 60 * step));
  else if (event.key === "Escape") pointAway();
  else if (event.key === "+" || event.key === "=") zoom(1.5);
  else if (event.key === "-") zoom(1 / 1.5);
  else if (event.key === "0") reset();
  else if (to !== undefined) show(order[Math.max(0, Math.min(to, order.length - 1))]);
  else return;
  event.preventDefault();
});

function show(i) {
  if (i === undefined) return;
  bringIntoView(i);
  mark(i);
}

for (const [name, act] of [["zoom-in", () => zoom(1.5)], ["zoom-out", () => zoom(1 / 1.5)], ["zoom-reset", reset]]) {
  const button = document.getElementById(name);
  button.disabled = false;
  button.addEventListener("click", act);
}
