// The page: asks the program what is known, shows it, and tells what was chosen. Text from the data is only set as text.
import { drawLevels } from "./levels.js";
import { look, makeMap } from "./map.js";
import { showPoint } from "./point.js";

const $ = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};
const BUSY = 200, IDLE = 2000; // milliseconds between two questions
let visit = null, columns = [], state = null, seen = -1, shownKey = null, mapKey = null;
let marked = new Set(), listed = 10, chosen = -1, refusal = "";
const FAULT = "The program failed. The terminal in which it was started shows the error; please report it.";
const KEPT = "s3nmf visit"; // whoever loads the page again finds it as it was; another tab begins anew

history.replaceState(null, "", location.pathname); // the token stays out of sight; a cookie has taken its place

const nameOf = (k) => state.found.clusters[k]?.name || `Cluster ${k}`;
const map = makeMap($("plane"), { onMark: (row) => choose(row), onChoose: (row) => choose(row) });

// ---- talking to the program ----
async function ask(path, body) {
  const how = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
  let answer;
  try {
    answer = await fetch(path, how);
  } catch {
    stopped("The program was stopped. Start s3nmf app again, and open the address that it prints.");
    throw new Error("stopped");
  }
  if (answer.status === 403) {
    stopped("The program was restarted and does not know this page. Open the address that it printed.");
    throw new Error("unknown");
  }
  if (answer.status === 410) {
    stopped((await answer.json()).error);
    throw new Error("unknown");
  }
  if (answer.status >= 500) {
    complain(FAULT);
    throw new Error(`${path} was answered by ${answer.status}`);
  }
  return answer;
}

function stopped(words) {
  $("stopped").textContent = words;
  $("stopped").hidden = false;
  $("busy").classList.add("idle");
  for (const control of document.querySelectorAll("button, input, select")) control.disabled = true;
}

// What was refused is said until something else is chosen; else what the program says.
function complain(words) {
  $("error").textContent = refusal || words;
  $("error").hidden = !(refusal || words);
}

async function tell(what, more) {
  const answer = await ask("change", { visit, what, ...more });
  refusal = answer.ok ? "" : (await answer.json()).error;
  complain(state?.error ?? "");
  if (answer.ok) { seen = -1; await look_again(); }
}

let timer = null;
async function look_again() {
  clearTimeout(timer);
  try {
    const now = await (await ask(`now?visit=${visit}&seen=${seen}`)).json();
    seen = now.revision;
    $("busy").classList.toggle("idle", !now.busy);
    if (now.busy) {
      if ($("busy-words").textContent !== now.busy) $("busy-words").textContent = now.busy;
      if (now.share === null) $("busy-share").removeAttribute("value"); else $("busy-share").value = now.share;
    }
    if (now.state) await show(now.state);
    timer = setTimeout(look_again, now.busy ? BUSY : IDLE);
  } catch (error) {
    if (["stopped", "unknown"].includes(error.message)) return;
    console.error(error);
    seen = -1; // and the next answer will clear this up
    timer = setTimeout(look_again, IDLE);
  }
}

// ---- showing what is known ----
async function show(next) {
  const before = state;
  state = { ...next, found: next.found || before?.found }; // the old clusters stay until the new ones are there
  document.body.classList.toggle("stale", !next.found);
  complain(state.error);
  if (!state.found) {
    $("verdict-title").textContent = state.error ? "No clusters yet" : "Looking at the data";
    $("no-map").textContent = state.error ? "The map appears here when clusters have been found." : "The map is being drawn.";
  }
  showNumber();
  showReading();
  $("command").textContent = state.command;
  $("undo").disabled = !state.can_undo;
  for (const id of ["labels", "report"]) $(id).disabled = !next.found;
  if (next.map_key && next.map_key !== mapKey) {
    map.place(new Uint16Array(await (await ask(`map?visit=${visit}`)).arrayBuffer()));
    mapKey = next.map_key;
    $("no-map").hidden = true;
  }
  if (!next.found || next.clusters_key === shownKey) return;
  const values = new Uint16Array(await (await ask(`clusters?visit=${visit}`)).arrayBuffer());
  if (before?.n_clusters !== state.n_clusters || before?.found?.clusters.length !== state.found.clusters.length) marked = new Set();
  shownKey = next.clusters_key;
  const several = state.found.clusters.length > 1;
  $("points").hidden = !several;
  $("hint").textContent = several ? "Mark two or more clusters to merge them, or one to split it. Click a name to change it." : "Mark it to split it.";
  $("levels").hidden = !state.found.levels;
  if (state.found.levels) drawLevels($("tree"), state.found.levels);
  showVerdict();
  showClusters();
  showPoints();
  map.call(state.found.clusters.map((_, k) => nameOf(k)));
  map.colour(values);
  if (chosen >= 0) choose(chosen);
}

function showVerdict() {
  const { verdict } = state.found;
  $("verdict-title").textContent = verdict.count;
  $("judgement").textContent = verdict.judgement;
  const { n, n_doubtful: open } = state.found;
  $("counted").textContent = `${n.toLocaleString("en")} points, ${open ? open.toLocaleString("en") : "none"} in doubt.`;
  $("verdict").classList.toggle("distrusted", verdict.trusted === false);
  $("why").hidden = !verdict.sentences.length;
  $("sentences").replaceChildren(...verdict.sentences.map((text) => make("p", "", text)));
  $("doubts").replaceChildren(...verdict.doubts.map((doubt) => {
    const item = make("li");
    item.append(make("strong", "", `${doubt.what}. `), doubt.why);
    return item;
  }));
}

function showNumber() {
  if (document.activeElement !== $("n-clusters")) $("n-clusters").value = state.n_clusters ?? "";
  $("unequal").checked = state.unequal;
  const count = state.count;
  $("reason").textContent = count ? count.reason : "The numbers of clusters are still being compared.";
  const tried = [...(count?.candidates || [])];
  if (count?.n_clusters === 1) tried.unshift({ n_clusters: 1, height: 0, is_supported: true }); // the way back to it
  if ($("bars").childElementCount !== tried.length || $("bars").dataset.reason !== count?.reason) {
    $("bars").dataset.reason = count?.reason;
    $("bars").replaceChildren(...tried.map((one) => {
      const button = make("button", one.n_clusters === count.n_clusters ? "best" : "");
      const bar = make("span");
      bar.style.height = `${Math.max(2, 76 * one.height)}%`;
      button.type = "button";
      button.dataset.number = one.n_clusters;
      const borders = one.n_clusters === 1 ? "1 cluster" : `${one.n_clusters} clusters: ${one.is_supported ? "all" : "not all"} borders are real`;
      const words = `${borders}${one.n_clusters === count.n_clusters ? ", recommended" : ""}`;
      button.setAttribute("aria-label", words);
      button.title = words;
      button.append(bar, String(one.n_clusters));
      button.addEventListener("click", () => cut(one.n_clusters));
      return button;
    }));
  }
  for (const button of $("bars").children) button.setAttribute("aria-pressed", Number(button.dataset.number) === state.n_clusters);
}

function showClusters() {
  $("cluster-list").replaceChildren(...state.found.clusters.map((cluster, k) => {
    const item = make("li");
    const box = make("input");
    box.type = "checkbox";
    box.checked = marked.has(k);
    box.setAttribute("aria-label", `Mark cluster ${k}`);
    box.addEventListener("change", () => { if (box.checked) marked.add(k); else marked.delete(k); offer(); });
    const name = make("input");
    name.type = "text";
    name.value = cluster.name;
    name.placeholder = `Cluster ${k}`;
    name.maxLength = 60;
    name.setAttribute("aria-label", `Name of cluster ${k}`);
    name.addEventListener("change", () => tell("name", { cluster: k, name: name.value }));
    name.addEventListener("keydown", (event) => { if (event.key === "Enter") name.blur(); });
    const facts = make("p", "facts");
    facts.append(make("span", "", `${cluster.share} of all, ${cluster.doubtful}`), ...cluster.traits.map((text) => make("span", "", text)));
    item.append(box, look.mark(k), name, make("span", "size", cluster.size.toLocaleString("en")), facts);
    item.addEventListener("pointerenter", () => map.highlight(k));
    item.addEventListener("pointerleave", () => map.highlight(null));
    item.addEventListener("focusin", () => map.highlight(k));
    item.addEventListener("focusout", () => map.highlight(null));
    return item;
  }));
  offer();
}

function offer() {
  $("merge").disabled = marked.size < 2;
  $("split").disabled = marked.size !== 1;
}

function showPoints() {
  const { points } = state.found;
  $("point-table").tBodies[0].replaceChildren(...points.slice(0, listed).map((point) => {
    const row = make("tr");
    row.dataset.row = point.row;
    const button = make("button");
    button.type = "button";
    button.append(make("bdi", "", point.id));
    button.addEventListener("click", () => { map.mark(point.row); choose(point.row); });
    const cells = [button, clusterCell(point.cluster), point.confidence, point.second === null ? "–" : clusterCell(point.second)];
    cells.forEach((content, at) => { const cell = make("td", at === 2 ? "figure" : ""); cell.append(content); row.append(cell); });
    return row;
  }));
  $("more-points").hidden = points.length <= listed;
}

function clusterCell(k) {
  const cell = make("span");
  cell.append(look.mark(k, "small"), nameOf(k));
  return cell;
}

async function choose(row) {
  chosen = row;
  const answer = await ask(`point?visit=${visit}&row=${row}`);
  if (!answer.ok) return;
  const point = await answer.json();
  if (chosen !== row) return; // a newer one
  showPoint(point, nameOf, clusterCell, make);
  map.mark(row);
  map.tell(point.id, `${nameOf(point.cluster)}, confidence ${point.confidence}`);
  for (const line of $("point-table").tBodies[0].rows) line.classList.toggle("current", Number(line.dataset.row) === row);
}

function showReading() {
  $("reading").hidden = !columns.length;
  $("notes").replaceChildren(...state.notes.map((note) => make("li", "", note)));
  if (!$("apply").disabled) return; // the visitor is choosing
  for (const box of $("columns").querySelectorAll("input")) box.checked = !state.reading.drop.includes(box.value) && box.value !== state.reading.id;
  $("id").value = state.reading.id ?? "";
  $("scale").value = state.reading.scale ?? "";
  $("missing").value = state.reading.missing;
}

// ---- choosing ----
const cut = (number) => tell("clusters", { n_clusters: number });
$("fewer").addEventListener("click", () => cut(state.n_clusters - 1));
$("more").addEventListener("click", () => cut(state.n_clusters + 1));
$("n-clusters").addEventListener("change", (event) => cut(Math.round(Number(event.target.value))));
$("unequal").addEventListener("change", (event) => tell("sizes", { unequal: event.target.checked }));
$("merge").addEventListener("click", () => { const clusters = [...marked]; marked = new Set(); tell("merge", { clusters }); });
$("split").addEventListener("click", () => { const [cluster] = marked; marked = new Set(); tell("split", { cluster }); });
$("undo").addEventListener("click", () => tell("undo"));
$("more-points").addEventListener("click", () => { listed += 40; showPoints(); });
$("reading-form").addEventListener("change", () => { $("apply").disabled = false; });
$("reading-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const id = $("id").value || null;
  const drop = [...$("columns").querySelectorAll("input")].filter((box) => !box.checked && box.value !== id).map((box) => box.value);
  $("apply").disabled = true;
  tell("read", { id, drop, scale: $("scale").value || null, missing: $("missing").value });
});

// ---- taking away ----
async function download(name, words) {
  $("export-words").textContent = words;
  const answer = await ask(`${name}?visit=${visit}`);
  if (!answer.ok) { $("export-words").textContent = (await answer.json()).error; return; }
  const link = make("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  $("export-words").textContent = `Saved ${name} in the folder for downloads.`;
}
$("labels").addEventListener("click", () => download("labels.csv", "Writing the labels."));
$("report").addEventListener("click", () => download("report.html", "Writing the report. This takes some seconds."));
$("copy").addEventListener("click", async () => {
  try { await navigator.clipboard.writeText($("command").textContent); $("copy").textContent = "Copied"; } catch { getSelection().selectAllChildren($("command")); }
});

// ---- beginning ----
const told = await (await ask("visit", { again: sessionStorage.getItem(KEPT) })).json();
visit = told.visit;
sessionStorage.setItem(KEPT, visit);
columns = told.columns;
look.colors = told.n_colors;
look.shapes = told.n_shapes;
$("file").textContent = told.file;
document.title = `${told.file} – s3nmf`;
$("id").append(new Option(told.has_names ? "their names in the file" : "their numbers", ""));
$("id").append(...columns.filter(Boolean).map((column) => new Option(column, column)));
for (const column of columns) {
  const label = make("label");
  const box = make("input");
  box.type = "checkbox";
  box.value = column;
  label.append(box, make("bdi", "", column || "(the first, without a name)"));
  $("columns").append(label);
}
await look_again();
