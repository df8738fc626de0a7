"use strict";
// Draws the points and the co-association, and keeps the picture and the table of points at the same cluster.
// Without it the page is complete but for these two drawings. Text from the data is only ever set as text.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const bytes = (packed) => Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const [x, y, cluster] = ["x", "y", "cluster"].map((key) => new Uint16Array(bytes(data[key]).buffer));
  const second = new Int32Array(bytes(data.second).buffer);
  const [confidence, share] = ["confidence", "share"].map((key) => new Float32Array(bytes(data[key]).buffer));
  const NONE = data.none;
  const rank = (k) => (k === NONE ? data.sizes.length : k);
  const all = Array.from({ length: data.n }, (_, i) => i);
  const id = (i) => (data.ids ? data.ids[i] : `row ${data.rows ? data.rows[i] : i}`);
  const two = (value) => {
    const text = value.toFixed(2);
    if (text === "1.00" && value < 1) return ">0.99"; // as everywhere on the page
    return text === "0.00" && value > 0 ? "<0.01" : text;
  };
  const inDoubt = (i) => confidence[i] < data.doubtful;
  const root = getComputedStyle(document.documentElement);
  const colors = Array.from({ length: data.colors }, (_, k) => root.getPropertyValue(`--c${k}`).trim());
  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  let chosen = null; // the cluster that is shown, or null for all
  let marked = -1; // the point under the pointer or the arrow keys
  const isShown = (i) => chosen === null || cluster[i] === chosen;

  // ---- the picture ----
  const plane = document.getElementById("plane");
  const canvas = plane.querySelector("canvas");
  const names = document.getElementById("names");
  const ring = document.getElementById("ring");
  const tip = document.getElementById("tip");
  const frame = { side: 0, left: 0, top: 0 };
  const across = (i) => frame.left + (x[i] / 65535) * frame.side;
  const down = (i) => frame.top + (y[i] / 65535) * frame.side;

  // The same shapes as in the legend, by the number of the cluster.
  const shapes = [
    (c, px, py, r) => { c.moveTo(px + r, py); c.arc(px, py, r, 0, 2 * Math.PI); },
    (c, px, py, r) => c.rect(px - 0.9 * r, py - 0.9 * r, 1.8 * r, 1.8 * r),
    (c, px, py, r) => { c.moveTo(px, py - 1.2 * r); c.lineTo(px + 1.1 * r, py + 0.9 * r); c.lineTo(px - 1.1 * r, py + 0.9 * r); c.closePath(); },
    (c, px, py, r) => { c.moveTo(px, py - 1.3 * r); c.lineTo(px + 1.3 * r, py); c.lineTo(px, py + 1.3 * r); c.lineTo(px - 1.3 * r, py); c.closePath(); },
    (c, px, py, r) => { c.moveTo(px, py + 1.2 * r); c.lineTo(px + 1.1 * r, py - 0.9 * r); c.lineTo(px - 1.1 * r, py - 0.9 * r); c.closePath(); },
  ];
  const byCluster = data.sizes.map(() => ({ sure: [], doubtful: [] }));
  for (const i of all) byCluster[cluster[i]][inDoubt(i) ? "doubtful" : "sure"].push(i);

  function drawPoints() {
    const width = plane.clientWidth;
    const height = Math.round(width * (width < 500 ? 1 : 0.75));
    const scale = window.devicePixelRatio || 1;
    const radius = Math.min(6, Math.max(1.6, 0.13 * width / Math.sqrt(data.n + 60)));
    const margin = radius * 2 + 10;
    frame.side = Math.max(1, Math.min(width, height) - 2 * margin);
    frame.left = (width - frame.side) / 2;
    frame.top = (height - frame.side) / 2;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.aspectRatio = `${width} / ${height}`; // not in pixels: paper has other ones
    const c = canvas.getContext("2d");
    c.scale(scale, scale);
    // Open marks last, and those of the chosen cluster after all others: what matters is on top.
    const order = data.sizes.map((_, k) => k).sort((a, b) => (a === chosen) - (b === chosen));
    for (const kind of ["sure", "doubtful"]) {
      for (const k of order) {
        c.globalAlpha = chosen === null || chosen === k ? 1 : 0.15;
        c.beginPath();
        for (const i of byCluster[k][kind]) shapes[k % data.shapes](c, across(i), down(i), kind === "sure" ? radius : 1.3 * radius);
        c.fillStyle = c.strokeStyle = colors[k % data.colors];
        c.lineWidth = Math.max(1, radius / 3);
        if (kind === "sure") c.fill(); else c.stroke();
      }
    }
    names.className = data.sizes.length > 20 ? "many" : "";
    const above = data.n <= 200 || data.sizes.length > 20 ? 12 : 0; // on top of few points a number would hide them
    names.replaceChildren(...data.middle.flatMap((i, k) => {
      if (i < 0 || (chosen !== null && chosen !== k)) return [];
      const text = element("span", "", String(k));
      text.style.left = `${(100 * across(i)) / width}%`;
      text.style.top = `${(100 * (down(i) - above)) / height}%`;
      return [text];
    }));
    mark(isShown(marked) ? marked : -1);
  }

  function mark(i) {
    marked = i;
    ring.hidden = tip.hidden = !(i >= 0);
    if (!(i >= 0)) return;
    ring.style.left = `${across(i)}px`;
    ring.style.top = `${down(i)}px`;
    const other = second[i] === NONE ? "no second choice" : `second choice ${second[i]} (${two(share[i])})`;
    tip.replaceChildren(element("strong", "", id(i)), `Cluster ${cluster[i]}, confidence ${two(confidence[i])}`, element("br"), other);
    const right = across(i) > plane.clientWidth / 2;
    tip.style.left = right ? "auto" : `${across(i) + 14}px`;
    tip.style.right = right ? `${plane.clientWidth - across(i) + 14}px` : "auto";
    tip.style.top = `${Math.max(0, Math.min(down(i) - 20, canvas.clientHeight - tip.offsetHeight))}px`;
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

  const pointAt = (event) => {
    const box = plane.getBoundingClientRect();
    mark(nearest(event.clientX - box.left, event.clientY - box.top));
  };
  plane.addEventListener("pointermove", pointAt);
  plane.addEventListener("pointerdown", pointAt);
  plane.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") mark(-1); });
  plane.addEventListener("keydown", (event) => {
    const order = byConfidence.filter(isShown);
    const at = order.indexOf(marked);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 }[event.key];
    if (event.key === "Escape") mark(-1);
    else if (to !== undefined) mark(order[Math.max(0, Math.min(to, order.length - 1))]);
    else return;
    event.preventDefault();
  });

  // ---- the table of points ----
  const table = document.getElementById("point-table");
  const more = document.getElementById("more");
  const find = document.getElementById("find");
  const PAGE = 15;
  const collator = new Intl.Collator(undefined, { numeric: true });
  const columns = {
    id: (a, b) => collator.compare(id(a), id(b)),
    cluster: (a, b) => cluster[a] - cluster[b],
    confidence: (a, b) => confidence[a] - confidence[b],
    second: (a, b) => rank(second[a]) - rank(second[b]),
    share: (a, b) => share[a] - share[b],
  };
  const byConfidence = all.slice().sort(columns.confidence);
  let sorted = byConfidence;
  let sort = { key: "confidence", up: true };
  let rows = PAGE;

  function nameOf(k) {
    if (k === NONE) return "–";
    const name = element("span", "cluster");
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", `mark k${k % data.colors}`);
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#shape${k % data.shapes}`);
    svg.append(use);
    name.append(svg, String(k));
    return name;
  }

  function rowOf(i) {
    const row = element("tr");
    const button = element("button");
    button.type = "button";
    button.title = "Show in the picture";
    button.append(element("bdi", "id", id(i)));
    button.addEventListener("click", () => {
      plane.scrollIntoView({ block: "center" });
      plane.focus({ preventScroll: true });
      mark(i);
    });
    const cell = (content, className) => { const made = element("td", className); made.append(content); return made; };
    row.append(cell(button), cell(nameOf(cluster[i])), cell(two(confidence[i]), "number"), cell(nameOf(second[i])), cell(two(share[i]), "number"));
    return row;
  }

  function drawTable() {
    const wanted = find.value.trim().toLocaleLowerCase();
    const found = sorted.filter((i) => isShown(i) && (!wanted || id(i).toLocaleLowerCase().includes(wanted)));
    table.tBodies[0].replaceChildren(...found.slice(0, rows).map(rowOf));
    more.hidden = found.length <= rows;
    const count = Math.min(rows, found.length);
    document.getElementById("count").textContent = `${count.toLocaleString("en")} of ${found.length.toLocaleString("en")} points`;
    for (const head of table.tHead.rows[0].cells) {
      if (head.dataset.key === sort.key) head.setAttribute("aria-sort", sort.up ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
  }

  for (const head of table.tHead.rows[0].cells) {
    const button = element("button", "", head.textContent);
    button.type = "button";
    button.addEventListener("click", () => {
      const key = head.dataset.key;
      sort = { key, up: sort.key === key ? !sort.up : true };
      const sign = sort.up ? 1 : -1;
      sorted = byConfidence.slice().sort((a, b) => sign * columns[key](a, b));
      rows = PAGE;
      drawTable();
    });
    head.replaceChildren(button);
  }
  more.addEventListener("click", () => { rows += 100; drawTable(); });
  find.disabled = false;
  find.addEventListener("input", () => { rows = PAGE; drawTable(); });

  // ---- one cluster for both ----
  const filters = document.querySelectorAll(".cluster-filter");
  for (const filter of filters) {
    filter.disabled = false;
    filter.addEventListener("change", () => {
      for (const other of filters) other.value = filter.value;
      chosen = filter.value === "" ? null : Number(filter.value);
      rows = PAGE;
      drawPoints();
      drawTable();
    });
  }

  // ---- the co-association ----
  function drawTogether() {
    const target = document.getElementById("together");
    const values = bytes(data.together.values);
    const side = Math.sqrt(values.length);
    const image = new ImageData(side, side);
    // One colour, more or less of it: right on a light page, on a dark one and on paper.
    values.forEach((value, at) => image.data.set([40, 128, 190, value], 4 * at));
    const source = element("canvas");
    source.width = source.height = side;
    source.getContext("2d").putImageData(image, 0, 0);
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [target.clientWidth, target.clientHeight];
    target.width = width * scale;
    target.height = height * scale;
    const c = target.getContext("2d");
    c.scale(scale, scale);
    const [left, top, size] = [26, 18, Math.min(width - 27, height - 19)];
    c.imageSmoothingEnabled = side > size * scale;
    c.drawImage(source, left, top, size, size);
    c.strokeStyle = c.fillStyle = "#808890"; // legible on light and dark
    c.strokeRect(left, top, size, size);
    c.font = `${11}px ${getComputedStyle(document.body).fontFamily}`;
    let start = 0;
    let free = -Infinity;
    data.together.sizes.forEach((count, k) => {
      const middle = ((start + count / 2) / side) * size;
      const edge = ((start + count) / side) * size;
      if (count && middle - free > 22) {
        c.textAlign = "center";
        c.fillText(String(k), left + middle, top - 5);
        c.textAlign = "right";
        c.fillText(String(k), left - 5, top + middle + 4);
        free = middle;
      }
      if (data.sizes.length <= 40 && start + count < side) {
        c.globalAlpha = 0.4;
        c.beginPath();
        c.moveTo(left + edge, top); c.lineTo(left + edge, top + size);
        c.moveTo(left, top + edge); c.lineTo(left + size, top + edge);
        c.stroke();
        c.globalAlpha = 1;
      }
      start += count;
    });
  }

  const draw = () => { drawPoints(); drawTogether(); };
  draw();
  drawTable();
  let width = plane.clientWidth;
  new ResizeObserver(() => { if (plane.clientWidth !== width) { width = plane.clientWidth; draw(); } }).observe(plane);
})();
