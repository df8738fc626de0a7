// The groups, their sizes, and which of them is shown: in the legend, the picture and the table of points alike.
const legend = document.getElementById("legend");
const filter = document.getElementById("cluster-filter");
const colourBy = document.getElementById("colour-by");

function drawLegend() {
  legend.replaceChildren(...colouring.groups.map((name, k) => {
    const button = element("button", "", markOf(k), element("bdi", "id", name), element("span", "quiet", colouring.sizes[k].toLocaleString("en")));
    button.type = "button";
    button.setAttribute("aria-pressed", String(chosen === k));
    button.addEventListener("click", () => choose(chosen === k ? null : k));
    for (const start of ["mouseenter", "focus"]) button.addEventListener(start, () => highlight(k));
    for (const end of ["mouseleave", "blur"]) button.addEventListener(end, () => highlight(null));
    return element("li", "", button);
  }));
}

function choose(group) {
  chosen = group;
  [...legend.querySelectorAll("button")].forEach((button, k) => button.setAttribute("aria-pressed", String(chosen === k)));
  filter.value = colouring === clusters && chosen !== null ? String(chosen) : "";
  drawMap();
  drawTable();
}

function colour(by) {
  [colouring, chosen, hovered] = [by, null, null];
  if (colourBy) colourBy.value = String(by === clusters ? "" : kept.indexOf(by));
  sortIntoGroups();
  drawLegend();
  choose(null);
}

filter.disabled = false;
filter.addEventListener("change", () => {
  const wanted = filter.value;
  if (colouring !== clusters) colour(clusters);
  choose(wanted === "" ? null : Number(wanted));
});
if (colourBy) {
  colourBy.disabled = false;
  colourBy.addEventListener("change", () => colour(colourBy.value === "" ? clusters : kept[Number(colourBy.value)]));
}
