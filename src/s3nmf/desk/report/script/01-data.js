// What the page knows: columns of numbers, as report/points.py packs them, and how they are written.
const data = JSON.parse(document.getElementById("data").textContent);
const bytes = (packed) => Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
const [x, y, cluster] = ["x", "y", "cluster"].map((key) => new Uint16Array(bytes(data[key]).buffer));
const second = new Int32Array(bytes(data.second).buffer);
const [confidence, share] = ["confidence", "share"].map((key) => new Float32Array(bytes(data[key]).buffer));
const edges = data.edges ? new Uint16Array(bytes(data.edges).buffer) : null;
const NONE = data.none;
const MANY = 20; // clusters: their names no longer fit onto them
const all = Array.from({ length: data.n }, (_, i) => i);
const id = (i) => (data.ids ? data.ids[i] : `${data.thing} ${data.rows ? data.rows[i] : i}`);
const inDoubt = (i) => confidence[i] < data.doubtful;
const byConfidence = all.slice().sort((a, b) => confidence[a] - confidence[b]);

// The same words as s3nmf/_words.py has.
const two = (value) => {
  const text = value.toFixed(2);
  if (text === "1.00" && value < 1) return ">0.99";
  return text === "0.00" && value > 0 ? "<0.01" : text;
};
const number = (value) => {
  if (value === null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  let text = String(Number(value.toPrecision(3)));
  if (size >= 100 && size < 1e7) text = Math.round(value).toLocaleString("en");
  else if (size !== 0 && (size >= 1e7 || size < 1e-4)) {
    const [digits, exponent] = value.toExponential(2).split("e");
    text = `${Number(digits)}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  }
  return text.replaceAll("-", "−");
};
const counted = (n) => `${n.toLocaleString("en")} ${data.thing}${n === 1 ? "" : "s"}`;

// Text from the data is only ever set as text.
const element = (tag, className, ...content) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
};
