// Which points the runs put together.
function drawTogether() {
  const target = document.getElementById("together");
  const shares = bytes(data.together.values);
  const side = Math.sqrt(shares.length);
  const image = new ImageData(side, side);
  // One colour, more or less of it: right on a light page, on a dark one and on paper.
  shares.forEach((value, at) => image.data.set([40, 128, 190, value], 4 * at));
  const source = element("canvas");
  source.width = source.height = side;
  source.getContext("2d").putImageData(image, 0, 0);
  const sharp = Math.max(2, window.devicePixelRatio || 1);
  const [width, height] = [target.clientWidth, target.clientHeight];
  target.width = width * sharp;
  target.height = height * sharp;
  const c = target.getContext("2d");
  c.scale(sharp, sharp);
  const [left, top, size] = [26, 18, Math.min(width - 27, height - 19)];
  c.imageSmoothingEnabled = side > size * sharp;
  c.drawImage(source, left, top, size, size);
  c.strokeStyle = c.fillStyle = palette.quiet;
  c.strokeRect(left, top, size, size);
  c.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  let [start, free] = [0, -Infinity];
  data.together.sizes.forEach((count, k) => {
    const [middle, edge] = [count / 2, count].map((part) => ((start + part) / side) * size);
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
