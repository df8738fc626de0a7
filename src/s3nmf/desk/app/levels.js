// The tree of levels: what the clusters become when the weakest borders are taken away.
import { look } from "./map.js";

const drawn = (name, attributes, text) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};

export function drawLevels(svg, tree) {
  svg.setAttribute("viewBox", `0 0 ${tree.width} ${tree.height}`);
  const unreal = (border) => border.is_real ? "" : " unreal";
  svg.replaceChildren(
    ...tree.branches.map(([x1, y1, x2, y2]) => drawn("line", { class: "branch", x1, y1, x2, y2 })),
    ...tree.borders.map((one) => drawn("line", { class: `weakest${unreal(one)}`, x1: one.first, x2: one.last, y1: one.y, y2: one.y })),
    ...tree.circles.map((one) => {
      const circle = drawn("circle", { cx: one.x, cy: one.y, r: one.r, class: "joined" });
      if (one.found !== null) circle.style.fill = look.color(one.found);
      circle.append(drawn("title", {}, one.title));
      return circle;
    }),
    ...tree.borders.map((one) => drawn("text", { class: `across${unreal(one)}`, x: (one.first + one.last) / 2, y: one.y - 4, "text-anchor": "middle" }, one.words)),
    ...tree.ticks.map((tick) => drawn("text", { x: tree.left - 14, y: tick.at + 4, "text-anchor": "end" }, tick.text)),
    ...tree.names.map((tick) => drawn("text", { x: tick.at, y: tree.height - tree.bottom + 10, "text-anchor": "middle" }, tick.text)),
  );
}
