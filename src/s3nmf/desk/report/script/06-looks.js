// What a point looks like, beside its cluster and its second choice: values, or images.
const values = data.compared ? new Float32Array(bytes(data.compared.values).buffer) : null;
const pixels = data.images ? bytes(data.images.pixels) : null;
const imageOf = new Map(data.images ? data.images.points.map((i, at) => [i, at]) : []);

function comparedFeatures(i) {
  const { names: features, standardised: means, most } = data.compared;
  const [own, other] = [means[cluster[i]] || features.map(() => 0), second[i] === NONE ? null : means[second[i]]];
  const gap = own.map((mean, j) => Math.abs(other ? mean - other[j] : mean));
  return features.map((_, j) => j).sort((a, b) => gap[b] - gap[a]).slice(0, most);
}

function looksOf(i) {
  const lines = kept.map((column) => element("div", "", element("bdi", "id", column.name), `: `, element("bdi", "id", column.groups[column.of[i]])));
  if (pixels) lines.push(imagesBeside(i));
  else if (values) {
    for (const j of comparedFeatures(i)) lines.push(comparison(i, j));
  }
  return lines;
}

// Where the edges of a node lead, as "edges: 7 to cluster 0, 2 to cluster 1".
function edgesOf(i) {
  if (!edges) return [];
  const counts = data.sizes.map(() => 0);
  for (let at = 0; at < edges.length; at += 2) {
    if (edges[at] === i) counts[cluster[edges[at + 1]]] += 1;
    if (edges[at + 1] === i) counts[cluster[edges[at]]] += 1;
  }
  const lead = counts.flatMap((count, k) => (count ? [`${count} to cluster ${k}`] : []));
  return [element("div", "", `edges: ${lead.join(", ") || "none"}`)];
}

function comparison(i, j) {
  const { names: features, typical } = data.compared;
  const other = second[i] === NONE ? "" : `, cluster ${second[i]}: ${number(typical[second[i]][j])}`;
  const own = isPlaced(cluster[i]) ? `(cluster ${cluster[i]}: ${number(typical[cluster[i]][j])}${other})` : "";
  const beside = element("span", "quiet", own);
  return element("div", "", element("bdi", "id", features[j]), `: ${number(values[i * features.length + j])} `, beside);
}

function imagesBeside(i) {
  const row = element("div", "images");
  if (imageOf.has(i)) row.append(captioned(picture(imageOf.get(i)), id(i)));
  for (const k of [cluster[i], second[i]].filter(isPlaced)) {
    const mean = element("img", "pixels");
    mean.src = document.getElementById(`mean-${k}`).src;
    mean.alt = `Mean of cluster ${k}`;
    row.append(captioned(mean, `cluster ${k}`));
  }
  return row;
}
const captioned = (image, text) => element("figure", "", image, element("figcaption", "quiet", text));

function picture(at) {
  const { height, width } = data.images;
  const made = element("canvas", "pixels");
  [made.width, made.height] = [width, height];
  const image = new ImageData(width, height);
  for (let p = 0; p < height * width; p += 1) {
    const grey = pixels[at * height * width + p];
    image.data.set([grey, grey, grey, 255], 4 * p);
  }
  made.getContext("2d").putImageData(image, 0, 0);
  return made;
}
