// The map: points on a canvas, by cluster; the names of clusters above it, a ring around the point that is looked at.
const FULL = 65535;
const TOUCH = 24; // pixels around a point in which it is meant
const DOUBTFUL = 0.5;
const AT_ONCE = 100; // marks in a path: what marks overlap takes a browser the square of their number

// The same shapes everywhere, by the number of the cluster.
const polygon = (...corners) => (c, x, y, r) => {
  corners.forEach(([dx, dy], at) => c[at ? "lineTo" : "moveTo"](x + dx * r, y + dy * r));
  c.closePath();
};
const SHAPES = [
  (c, x, y, r) => { c.moveTo(x + r, y); c.arc(x, y, r, 0, 2 * Math.PI); },
  (c, x, y, r) => c.rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r),
  polygon([0, -1.2], [1.1, 0.9], [-1.1, 0.9]),
  polygon([0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]),
  polygon([0, 1.2], [1.1, -0.9], [-1.1, -0.9]),
  polygon([-0.4, -1.1], [0.4, -1.1], [0.4, -0.4], [1.1, -0.4], [1.1, 0.4], [0.4, 0.4], [0.4, 1.1], [-0.4, 1.1], [-0.4, 0.4], [-1.1, 0.4], [-1.1, -0.4], [-0.4, -0.4]),
  polygon([-0.6, -1.1], [0, -0.5], [0.6, -1.1], [1.1, -0.6], [0.5, 0], [1.1, 0.6], [0.6, 1.1], [0, 0.5], [-0.6, 1.1], [-1.1, 0.6], [-0.5, 0], [-1.1, -0.6]),
];

const root = getComputedStyle(document.documentElement);
export const look = {
  colors: 1,
  shapes: 1,
  color: (k) => root.getPropertyValue(`--c${k % look.colors}`).trim(),
  mark(k, className) { // a small canvas with the mark of a cluster
    const canvas = document.createElement("canvas");
    canvas.className = `mark ${className || ""}`;
    canvas.width = canvas.height = 32;
    const c = canvas.getContext("2d");
    c.beginPath();
    SHAPES[k % look.shapes](c, 16, 16, 11);
    c.fillStyle = look.color(k);
    c.fill();
    canvas.setAttribute("aria-hidden", "true");
    return canvas;
  },
};

export function makeMap(plane, { onMark, onChoose }) {
  const canvas = plane.querySelector("canvas");
  const names = plane.querySelector("#names");
  const ring = plane.querySelector("#ring");
  const tip = plane.querySelector("#tip");
  let x = null, y = null, cluster = null, confidence = null, n = 0;
  let called = [], highlighted = null, marked = -1, order = [];
  const frame = { side: 0, left: 0, top: 0 };
  const across = (i) => frame.left + (x[i] / FULL) * frame.side;
  const down = (i) => frame.top + (y[i] / FULL) * frame.side;

  function draw() {
    if (!x) return;
    const width = plane.clientWidth;
    const height = Math.round(Math.min(width * (width < 500 ? 1 : 0.72), 0.8 * window.innerHeight));
    const scale = window.devicePixelRatio || 1;
    const radius = Math.min(6, Math.max(1.2, 0.16 * width / Math.sqrt(n + 60)));
    const margin = 2 * radius + 12;
    frame.side = Math.max(1, Math.min(width, height) - 2 * margin);
    frame.left = (width - frame.side) / 2;
    frame.top = (height - frame.side) / 2;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.height = `${height}px`;
    const c = canvas.getContext("2d");
    c.scale(scale, scale);
    const known = cluster && cluster.length === n;
    const groups = known ? called.map(() => [[], []]) : [[Array.from(x.keys()), []]];
    if (known) for (let i = 0; i < n; i++) groups[cluster[i]]?.[confidence[i] < DOUBTFUL * FULL - 1 ? 1 : 0].push(i);
    for (const open of [0, 1]) { // points in doubt on top
      groups.forEach((group, k) => {
        c.globalAlpha = highlighted === null || highlighted === k ? 1 : 0.12;
        c.fillStyle = c.strokeStyle = known ? look.color(k) : root.getPropertyValue("--quiet");
        c.lineWidth = Math.max(1, radius / 3);
        for (let first = 0; first < group[open].length; first += AT_ONCE) {
          c.beginPath();
          for (const i of group[open].slice(first, first + AT_ONCE)) SHAPES[k % look.shapes](c, across(i), down(i), open ? 1.25 * radius : radius);
          if (open) c.stroke(); else c.fill();
        }
      });
    }
    write(known, width);
    mark(marked);
  }

  function write(known, width) {
    names.replaceChildren();
    if (!known || called.length > 40) return;
    called.forEach((name, k) => {
      const at = middle(k);
      if (at < 0) return;
      const text = document.createElement("span");
      text.textContent = name;
      text.style.left = `${Math.max(0.06 * width, Math.min(0.94 * width, across(at)))}px`;
      text.style.top = `${down(at)}px`;
      names.append(text);
    });
  }

  function middle(k) { // the point of a cluster that is nearest to the middle of it
    let sx = 0, sy = 0, count = 0;
    for (let i = 0; i < n; i++) if (cluster[i] === k) { sx += x[i]; sy += y[i]; count++; }
    let best = -1, least = Infinity;
    for (let i = 0; i < n; i++) {
      if (cluster[i] !== k) continue;
      const distance = (x[i] - sx / count) ** 2 + (y[i] - sy / count) ** 2;
      if (distance < least) { least = distance; best = i; }
    }
    return best;
  }

  function mark(i) {
    if (i !== marked) tip.hidden = true;
    marked = i;
    ring.hidden = !(x && i >= 0 && i < n);
    if (ring.hidden) { tip.hidden = true; return; }
    ring.style.left = `${across(i)}px`;
    ring.style.top = `${down(i)}px`;
  }

  function tell(title, text) { // beside the point that is looked at
    if (ring.hidden) return;
    const strong = document.createElement("strong");
    strong.textContent = title;
    tip.replaceChildren(strong, text);
    tip.hidden = false;
    const right = across(marked) > plane.clientWidth / 2;
    tip.style.left = right ? "auto" : `${across(marked) + 16}px`;
    tip.style.right = right ? `${plane.clientWidth - across(marked) + 16}px` : "auto";
    tip.style.top = `${Math.max(0, Math.min(down(marked) - 16, plane.clientHeight - tip.offsetHeight))}px`;
  }

  function nearest(event) {
    const box = plane.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let best = -1, least = TOUCH * TOUCH;
    for (let i = 0; x && i < n; i++) {
      const distance = (across(i) - px) ** 2 + (down(i) - py) ** 2;
      if (distance < least) { least = distance; best = i; }
    }
    return best;
  }

  let pending = null;
  plane.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse") return;
    if (!pending) requestAnimationFrame(() => { const i = nearest(pending); pending = null; if (i !== marked && i >= 0) { mark(i); onMark(i); } });
    pending = event;
  });
  plane.addEventListener("click", (event) => { const i = nearest(event); if (i >= 0) { mark(i); onChoose(i); } });
  plane.addEventListener("keydown", (event) => {
    const at = order.indexOf(marked);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 }[event.key];
    if (event.key === "Enter" && marked >= 0) onChoose(marked);
    else if (to !== undefined && order.length) { mark(order[Math.max(0, Math.min(to, order.length - 1))]); onMark(marked); }
    else return;
    event.preventDefault();
  });
  new ResizeObserver(draw).observe(plane);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  return {
    mark,
    tell,
    place(values) { n = values.length / 2; x = values.subarray(0, n); y = values.subarray(n); draw(); },
    colour(values) {
      cluster = values.subarray(0, values.length / 2);
      confidence = values.subarray(values.length / 2);
      order = Array.from(cluster.keys()).sort((a, b) => confidence[a] - confidence[b]);
      draw();
    },
    call(texts) { called = texts; draw(); },
    highlight(k) { highlighted = k; draw(); },
  };
}
