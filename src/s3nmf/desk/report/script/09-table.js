// The table of points: sorted, searched, a page at a time.
const table = document.getElementById("point-table");
const more = document.getElementById("more");
const find = document.getElementById("find");
const PAGE = 15;
const rank = (k) => (k === NONE ? data.sizes.length : k);
const collator = new Intl.Collator(undefined, { numeric: true });
const columns = {
  id: (a, b) => collator.compare(id(a), id(b)),
  cluster: (a, b) => cluster[a] - cluster[b],
  confidence: (a, b) => confidence[a] - confidence[b],
  second: (a, b) => rank(second[a]) - rank(second[b]),
  share: (a, b) => share[a] - share[b],
};
let sorted = byConfidence;
let sort = { key: "confidence", up: true };
let rows = PAGE;

const nameOf = (k) => (!isPlaced(k) ? "–" : element("span", "cluster", markOf(k, clusters), String(k)));

function rowOf(i) {
  const button = element("button", "", element("bdi", "id", id(i)));
  button.type = "button";
  button.title = "Show in the picture";
  button.addEventListener("click", () => {
    plane.scrollIntoView({ block: "center" });
    plane.focus({ preventScroll: true });
    show(i);
  });
  const cells = [[button], [nameOf(cluster[i])], [two(confidence[i]), "number"], [nameOf(second[i])], [two(share[i]), "number"]];
  const row = element("tr", "", ...cells.map(([content, className]) => element("td", className, content)));
  if (table.dataset.looks) row.append(element("td", "looks", ...looksOf(i)));
  return row;
}

function drawTable() {
  const wanted = find.value.trim().toLocaleLowerCase();
  const found = sorted.filter((i) => isShown(i) && (!wanted || id(i).toLocaleLowerCase().includes(wanted)));
  table.tBodies[0].replaceChildren(...found.slice(0, rows).map(rowOf));
  more.hidden = found.length <= rows;
  document.getElementById("count").textContent = `${Math.min(rows, found.length).toLocaleString("en")} of ${counted(found.length)}`;
  for (const head of table.tHead.rows[0].cells) {
    if (head.dataset.key === sort.key) head.setAttribute("aria-sort", sort.up ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  }
}

for (const head of table.tHead.rows[0].cells) {
  const key = head.dataset.key;
  if (!key) continue;
  const button = element("button", "", head.textContent);
  button.type = "button";
  button.addEventListener("click", () => {
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
