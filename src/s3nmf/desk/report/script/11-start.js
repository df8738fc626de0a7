// Draw all of it, and again when the page becomes wider, turns dark or goes to paper.
function draw() {
  readPalette();
  drawMap();
  drawTogether();
}
readPalette();
sortIntoGroups();
drawLegend();
draw();
drawTable();

let width = plane.clientWidth;
new ResizeObserver(() => { if (plane.clientWidth !== width) { width = plane.clientWidth; draw(); } }).observe(plane);
for (const media of ["(prefers-color-scheme: dark)", "print"]) matchMedia(media).addEventListener("change", draw);

// On paper nothing can be unfolded.
const folded = [...document.querySelectorAll("details")];
window.addEventListener("beforeprint", () => { for (const part of folded) part.open = true; });

const save = document.getElementById("download");
save.hidden = !("DecompressionStream" in window);
save.addEventListener("click", async () => {
  const unpacked = new Blob([bytes(data.labels)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const file = new Blob([await new Response(unpacked).arrayBuffer()], { type: "text/csv" });
  const link = element("a");
  link.href = URL.createObjectURL(file);
  link.download = "labels.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});
