// Names on the plane, none on top of another: those that do not fit wait until one looks closer.
const names = document.getElementById("names");
const FEW = 500;
const DIRECTIONS = [[0, -1], [1, 0], [0, 1], [-1, 0], [0.7, -0.7], [0.7, 0.7], [-0.7, 0.7], [-0.7, -0.7]];
const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const boxAround = (px, py, width, height) => ({ left: px - width / 2, right: px + width / 2, top: py - height / 2, bottom: py + height / 2 });
const inside = (box) => box.left >= 0 && box.top >= 0 && box.right <= frame.width && box.bottom <= frame.height;

function placeNamesOfClusters(c) {
  const many = data.sizes.length > MANY;
  names.className = many ? "many" : "";
  if (edges || colouring !== clusters) return names.replaceChildren();
  const [wide, high] = many ? [7.5, 13] : [10, 17];
  const steps = many ? [12, 24, 36, 50, 66] : [0, 18, 30, 44];
  // On top of few points a number would hide them.
  const placed = data.n <= FEW ? all.map((i) => boxAround(across(i), down(i), 2 * radius(), 2 * radius())) : [];
  const made = data.middle.flatMap((i, k) => {
    if (i < 0 || (lit() !== null && lit() !== k)) return [];
    const [px, py, text] = [across(i), down(i), String(k)];
    if (px < 0 || py < 0 || px > frame.width || py > frame.height) return [];
    for (const step of steps) {
      for (const [a, b] of DIRECTIONS) {
        const box = boxAround(px + a * step, py + b * step, wide * text.length + 3, high);
        if (!inside(box) || placed.some((other) => meets(box, other))) continue;
        placed.push(box);
        if (step > 20) leader(c, px, py, px + a * (step - high / 2), py + b * (step - high / 2));
        return [nameAt(text, px + a * step, py + b * step)];
      }
    }
    return [];
  });
  names.replaceChildren(...made);
}

function nameAt(text, px, py) {
  const name = element("span", "", text);
  name.style.left = `${(100 * px) / frame.width}%`;
  name.style.top = `${(100 * py) / frame.height}%`;
  return name;
}

function leader(c, fromX, fromY, toX, toY) {
  c.beginPath();
  c.moveTo(fromX, fromY);
  c.lineTo(toX, toY);
  c.strokeStyle = palette.ink;
  c.lineWidth = 1;
  c.stroke();
}

// Beside their marks, those with the most edges first.
const degree = new Uint16Array(data.n);
if (edges) for (const end of edges) degree[end] += 1;
const hubsFirst = edges ? all.slice().sort((a, b) => degree[b] - degree[a]) : [];

function drawNamesOfNodes(c) {
  const r = radius();
  c.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  c.textBaseline = "middle";
  c.textAlign = "center";
  c.lineWidth = 3;
  c.lineJoin = "round";
  const taken = all.map((i) => boxAround(across(i), down(i), 2 * r, 2 * r));
  for (const i of hubsFirst) {
    if (lit() !== null && colouring.of[i] !== lit()) continue;
    const text = data.ids ? id(i) : String(i);
    const width = c.measureText(text).width + 2;
    for (const [a, b] of [[1, 0], [-1, 0], [0, -1], [0, 1]]) {
      const [px, py] = [across(i) + a * (width / 2 + r + 2), down(i) + b * (r + 8)];
      const box = boxAround(px, py, width, 12);
      if (!inside(box) || taken.some((other) => meets(box, other))) continue;
      taken.push(box);
      c.strokeStyle = palette.page;
      c.strokeText(text, px, py);
      c.fillStyle = palette.ink;
      c.fillText(text, px, py);
      break;
    }
  }
}
