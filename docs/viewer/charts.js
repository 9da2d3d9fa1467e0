// The two charts: who is in the batch around this step, and the blocks in use over all steps.

const kLeft = 70;
const placeCount = charted.flatMap((h) => h.batch).reduce((most, work) => Math.max(most, work.place + 1), 1);

// How wide the charts are. Learned only when it changes, since to ask takes a layout of the page.
let chartWidth = 280;

// The steps of the batch chart: as many as fit, the current one in the middle where possible.
function visibleSteps() {
  const count = Math.max(8, Math.min(48, Math.floor((chartWidth - kLeft) / 26)));
  const first = Math.max(0, Math.min(at - Math.floor(count / 2), log.steps.length - count));
  return { first, count: Math.min(count, log.steps.length) };
}

function showBatch() {
  const { first, count } = visibleSteps();
  const laneHeight = placeCount > 24 ? 14 : 26, width = chartWidth, height = placeCount * laneHeight + 22;
  const stepWidth = (width - kLeft) / Math.max(1, count);
  const svg = byId("batch");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const parts = [];
  for (let place = 0; place < placeCount; ++place) {
    const y = place * laneHeight;
    if (laneHeight > 14 || place % 4 === 0) parts.push(drawn("text", { x: 0, y: y + laneHeight - 6 }, `place ${place}`));
    parts.push(drawn("rect", { class: "lane", x: kLeft, y: y + 1, width: stepWidth * count, height: laneHeight - 2, rx: 4 }));
  }
  for (let n = first; n < first + count; ++n) {
    const x = kLeft + (n - first) * stepWidth;
    for (const work of charted[n].batch) {
      const most = laneHeight - 4, high = work.rows > 1 ? most : most * 0.7;
      const y = work.place * laneHeight + (laneHeight - high) / 2;
      parts.push(drawn("rect", { class: work.idle ? "work idle" : "work", style: `--c:${colour(work.id)}`, x: x + 1, y, width: Math.max(1, stepWidth - 2), height: high, rx: 3 }));
      if (laneHeight > 14) parts.push(drawn("text", { class: work.idle ? "who idle" : "who", x: x + stepWidth / 2, y: work.place * laneHeight + laneHeight / 2 + 4, ...(String(work.id).length > 2 ? { style: "font-size:10px" } : {}) }, String(work.id)));
    }
    if (n % 5 === 0) parts.push(drawn("text", { x: x + stepWidth / 2, y: height - 4, "text-anchor": "middle" }, String(n + 1)));
  }
  if (at < log.steps.length) parts.push(drawn("rect", { class: "now", x: kLeft + (at - first) * stepWidth, y: 1, width: stepWidth, height: placeCount * laneHeight - 2, rx: 4 }));
  svg.replaceChildren(...parts);
  svg.onclick = (event) => go(first + Math.floor(((event.clientX - svg.getBoundingClientRect().left) * (width / svg.clientWidth) - kLeft) / stepWidth));
}

function showAll() {
  const width = chartWidth, height = 96, low = height - 22, span = width - kLeft;
  const x = (n) => kLeft + (span * n) / frameCount, y = (blocks) => low - ((low - 10) * blocks) / log.blocks;
  const columns = Math.min(frameCount, 600);
  let path = `M${kLeft} ${low}`;
  for (let c = 0; c < columns; ++c) {
    const begin = Math.floor((c * frameCount) / columns), end = Math.floor(((c + 1) * frameCount) / columns);
    const most = Math.max(...charted.slice(begin, end).map((h) => h.blocks));
    path += `L${x(begin).toFixed(1)} ${y(most).toFixed(1)}H${x(end).toFixed(1)}`;
  }
  const svg = byId("all");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren(
    drawn("text", { x: 0, y: 16 }, `${log.blocks} blocks`), drawn("text", { x: 0, y: low }, "0"),
    drawn("text", { x: kLeft, y: height - 4 }, "step 1"), drawn("text", { x: width, y: height - 4, "text-anchor": "end" }, `step ${log.steps.length}`),
    drawn("path", { class: "limit", d: `M${kLeft} 10H${width}` }), drawn("path", { class: "level", d: `${path}V${low}Z` }),
    ...charted.flatMap((h, n) => (h.preempted ? [drawn("path", { class: "preempted", d: `M${x(n + 0.5).toFixed(1)} ${low}v6` })] : [])),
    drawn("rect", { class: "now", x: x(at), y: 4, width: Math.max(3, span / frameCount), height: low - 2 }));
  svg.onclick = (event) => go(Math.floor(((event.clientX - svg.getBoundingClientRect().left) * (width / svg.clientWidth) - kLeft) * (frameCount / span)));
}
