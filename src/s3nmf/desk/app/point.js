// One point: its values beside what is typical of its cluster and of its second choice.
const $ = (id) => document.getElementById(id);

export function showPoint(point, nameOf, clusterCell, make) {
  $("point-title").replaceChildren(make("bdi", "", point.id));
  const second = point.second === null ? null : nameOf(point.second);
  const words = [clusterCell(point.cluster), `, confidence ${point.confidence}`];
  if (second !== null) words.push("; or ", clusterCell(point.second), `, with ${point.share}`);
  $("point-words").replaceChildren(...words, ".");
  $("values").hidden = !point.columns;
  $("left-out").textContent = "";
  if (!point.columns) return;
  const dots = second === null ? "" : "Dots show where a value lies between those typical of the two clusters. ";
  const telling = point.left_out ? `These are the ${point.columns.length} of ${point.columns.length + point.left_out} columns that separate the two clusters best.` : "";
  $("left-out").textContent = dots + telling;
  $("own-typical").textContent = `Typical of ${nameOf(point.cluster)}`;
  $("values").classList.toggle("alone", second === null);
  $("second-typical").textContent = second === null ? "" : `Typical of ${second}`;
  $("values").tBodies[0].replaceChildren(...point.columns.map((column) => {
    const row = make("tr");
    const name = make("td");
    name.append(make("bdi", "", column.name));
    const between = make("td");
    if (second !== null) {
      const bar = make("div", "between");
      const dot = make("b");
      dot.style.left = `${25 + 50 * column.place}%`;
      bar.append(make("i"), make("i"), dot);
      bar.title = column.place > 0.5 ? `Closer to ${second}` : `Closer to ${nameOf(point.cluster)}`;
      between.append(bar, make("span", "unseen", bar.title));
    }
    row.append(name, make("td", "figure", column.value), make("td", "figure", column.own), make("td", "figure", column.second ?? ""), between);
    return row;
  }));
}
