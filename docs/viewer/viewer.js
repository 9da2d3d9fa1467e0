const blockSize = log.block_size;
const kMostTiles = 2048, kMostEntries = 256, kMostLines = 12, kMostChips = 24;
const cellsFit = blockSize <= 16;
const byId = (id) => document.getElementById(id);

// An element with classes, attributes and children; texts are set as text, so a log cannot inject.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
function drawn(tag, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

const colour = (id) => `var(--s${id % 8})`;
const chip = (id) => element("span", { class: "chip", style: `--c:${colour(id)}` }, String(id));
const blockName = (block) => element("span", { class: "block" }, String(block));
const spaced = (nodes) => nodes.flatMap((node, i) => (i > 0 ? [" ", node] : [node]));
const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

// --- What happened, in words --------------------------------------------------------------------

function blockNames(blocks) {
  if (blocks.length <= 8) return spaced(blocks.map(blockName));
  return [...spaced(blocks.slice(0, 6).map(blockName)), ` and ${blocks.length - 6} more`];
}

// Line breaks and the like become visible.
const visible = (text) => text.replace(/[\u0000-\u001f\u007f]/g, (c) => JSON.stringify(c).slice(1, -1));
const sentences = {
  arrive: (id, prompt) => [" arrives with a prompt of ", counted(prompt, "token"), " and waits."],
  admit: () => [" is admitted to the batch."],
  resume: () => [" comes back, and computes its rows again."],
  preempt: () => [" is preempted: it gives its blocks back and waits."],
  fork: (id, parent, blocks) => [" begins with what ", chip(parent), " stores: they share ", ...blockNames(blocks), "."],
  share: (id, blocks) => [" finds its rows stored in ", ...blockNames(blocks), ", and shares them."],
  allocate: (id, blocks) => [" gets ", ...blockNames(blocks), "."],
  copy: (id, from, to) => [" is about to write into ", blockName(from), ", which is shared: it gets a copy, ", blockName(to), "."],
  free: (id, blocks) => [" gives back ", ...blockNames(blocks), "."],
  write: (id, position, rows) => [" stores ", counted(rows, "row"), ` from position ${position} on.`],
  sample: (id, token, text) => text === undefined ? null : [` continues with “${visible(text)}”.`],
  finish: (id, reason) => [` ends: ${reason}.`],
};

// Single rows are what nearly everyone stores in nearly every step: one sentence for all of them.
function describe(events) {
  const lines = [], decoded = [];
  for (const [kind, id, ...rest] of events) {
    if (kind === "write" && rest[1] === 1) {
      decoded.push(id);
      continue;
    }
    const sentence = sentences[kind](id, ...rest);
    if (sentence) lines.push(element("li", {}, chip(id), ...sentence));
  }
  if (decoded.length > 0) {
    const some = decoded.slice(0, kMostChips).map(chip);
    const more = decoded.length > some.length ? ` and ${decoded.length - some.length} more` : "";
    lines.push(element("li", {}, ...spaced(some), `${more} ${decoded.length === 1 ? "stores" : "store"} one row${decoded.length === 1 ? "" : " each"}.`));
  }
  return lines;
}

function showHappened(frame) {
  let lines = describe(frame.events);
  const hidden = lines.length - kMostLines;
  // The last line sums up the single rows: it stays.
  if (hidden > 0) lines = [...lines.slice(0, kMostLines - 2), element("li", {}, `${hidden + 1} further events`), lines.at(-1)];
  if (lines.length === 0) lines = [element("li", {}, "Nothing more: this is the end of the log.")];
  byId("happened").replaceChildren(...lines);
}

// --- Rows of a block ----------------------------------------------------------------------------

// How many of the rows are filled; those of [from, to) have been stored in this step.
function rowsOf(filled, from, to) {
  if (!cellsFit || dense) {
    return element("div", { class: "gauge" }, element("b", { style: `width:${(100 * filled) / blockSize}%` }));
  }
  const cells = Array.from({ length: blockSize }, (_, i) =>
    element("b", { class: `${i < filled ? "full" : ""} ${from <= i && i < to ? "written" : ""}`.trim() }));
  return element("div", { class: "rows" }, ...cells);
}

function rowsOfEntry(sequence, written, entry) {
  const first = entry * blockSize;
  const filled = Math.max(0, Math.min(blockSize, sequence.stored - first));
  const from = written ? written.position - first : 0;
  return { filled, from, to: written ? from + written.rows : 0 };
}

// --- Requests -----------------------------------------------------------------------------------

const requestRows = new Map();

function requestRow(id) {
  if (!requestRows.has(id)) {
    const row = element("div", { class: "request", tabindex: "0", "data-sequence": id, style: `--c:${colour(id)}` });
    row.onpointerenter = row.onfocus = () => pin(id);
    row.onpointerleave = row.onblur = () => pin(null);
    requestRows.set(id, row);
  }
  return requestRows.get(id);
}

function tableEntries(sequence, frame, id) {
  const shown = sequence.table.slice(0, kMostEntries).map((block, i) => {
    const rows = rowsOfEntry(sequence, frame.written.get(id), i);
    const title = `block ${block}: positions ${i * blockSize} to ${(i + 1) * blockSize - 1}, ${rows.filled} of ${blockSize} rows filled`;
    return element("div", { class: `entry${frame.fresh.has(block) ? " new" : ""}`, title }, String(block), rowsOf(rows.filled, rows.from, rows.to));
  });
  const more = sequence.table.length - shown.length;
  return more > 0 ? [...shown, element("span", { class: "soft" }, `and ${more} more`)] : shown;
}

function showRequests(state, frame) {
  const rows = [];
  for (const [id, sequence] of state.sequences) {
    if (sequence.status === "waiting") continue;
    const row = requestRow(id);
    row.dataset.table = sequence.table.join(" ");
    row.dataset.stored = sequence.stored;
    row.dataset.known = sequence.known;
    row.replaceChildren(
      element("div", {}, chip(id), element("div", { class: "state" }, sequence.status === "finished" ? "ended" : `${sequence.stored} of ${sequence.known} rows`)),
      element("div", { class: "table" }, ...tableEntries(sequence, frame, id)));
    rows.push(row);
  }
  const focused = document.activeElement;
  byId("requests").replaceChildren(...rows);
  if (focused && rows.includes(focused)) focused.focus({ preventScroll: true });
  for (const [id, row] of requestRows) if (!rows.includes(row)) requestRows.delete(id);
}

function chips(ids, count) {
  const shown = ids.slice(0, kMostChips).map(chip);
  const more = count - shown.length;
  return [...shown, element("span", {}, count === 0 ? "nobody" : more > 0 ? `and ${more} more` : "")];
}

function showQueue(state) {
  const waiting = [...state.sequences].filter(([, s]) => s.status === "waiting").map(([id]) => id);
  byId("queue").dataset.waiting = waiting.join(" ");
  byId("queue").replaceChildren(
    element("span", {}, "Waiting:"), ...chips(waiting, waiting.length),
    element("span", {}, ` Ended: ${state.endedCount}`));
}

// --- Blocks -------------------------------------------------------------------------------------

const tileCount = Math.min(log.blocks, kMostTiles);
const dense = tileCount > 96 || !cellsFit;
const tiles = Array.from({ length: tileCount }, (_, block) => element("div", { class: "tile", "data-block": block }));

// A physical block: who holds it, and as which entry of the table.
function showTile(tile, block, state, frame) {
  const owners = state.owners.get(block) ?? [];
  const first = owners.length > 0 ? state.sequences.get(owners[0]) : null;
  const entry = first ? first.table.indexOf(block) : 0;
  const rows = first ? rowsOfEntry(first, frame.written.get(owners[0]), entry) : { filled: 0, from: 0, to: 0 };
  // Most blocks look the same from one step to the next.
  const looks = JSON.stringify([owners, entry, rows, frame.fresh.has(block)]);
  if (tile.looks === looks) return;
  tile.looks = looks;
  tile.className = ["tile", owners.length === 0 ? "empty" : "", owners.length > 1 ? "shared" : "", frame.fresh.has(block) ? "new" : ""].join(" ").trim();
  tile.style.cssText = owners.length === 0 ? "" : `--c:${colour(owners[0])};--c2:${colour(owners[1] ?? owners[0])}`;
  Object.assign(tile.dataset, { owners: owners.join(" "), filled: rows.filled });
  const who = owners.length === 0 ? "free" : owners.length > 2 ? `×${owners.length}` : owners.join("+");
  tile.title = `block ${block}: ${owners.length === 0 ? "free" : `entry ${entry} of request ${owners.join(", ")}; ${rows.filled} of ${blockSize} rows filled`}`;
  tile.replaceChildren(
    element("div", { class: "top" }, element("span", {}, String(block)), element("span", {}, dense && owners.length === 0 ? "·" : who)),
    rowsOf(rows.filled, rows.from, rows.to));
}

function showPool(state, frame) {
  tiles.forEach((tile, block) => showTile(tile, block, state, frame));
  byId("pool-note").textContent = `${state.owners.size} of ${log.blocks} in use · ${counted(blockSize, "row")} each`;
}

// Only the blocks of one request, as long as somebody points at it.
let pinned = null;
function pin(id) {
  pinned = id;
  document.querySelector("main").classList.toggle("pinned", id !== null);
  for (const [other, row] of requestRows) row.classList.toggle("mine", other === id);
  for (const tile of tiles) tile.classList.toggle("mine", id !== null && tile.dataset.owners.split(" ").includes(String(id)));
}

// --- Numbers ------------------------------------------------------------------------------------

function duration(seconds) {
  if (seconds === null) return "–";
  const [factor, unit] = seconds < 1e-3 ? [1e6, "µs"] : seconds < 1 ? [1e3, "ms"] : [1, "s"];
  return `${(factor * seconds).toPrecision(3)} ${unit}`;
}

function showNumbers(state, frame) {
  const all = [...state.sequences.values()], running = all.filter((s) => s.status === "running");
  let filled = 0;
  for (const [block, owners] of state.owners) {
    const sequence = state.sequences.get(owners[0]);
    filled += rowsOfEntry(sequence, null, sequence.table.indexOf(block)).filled;
  }
  const held = state.owners.size * blockSize;
  const rows = frame.batch.reduce((sum, work) => sum + work.rows, 0);
  const numbers = [
    [running.length, "requests run"],
    [all.filter((s) => s.status === "waiting").length, "wait"],
    [`${rows} of ${log.budget}`, "rows in this step"],
    [`${state.owners.size} of ${log.blocks}`, "blocks in use"],
    [held === 0 ? "0 %" : `${((100 * (held - filled)) / held).toFixed(1)} %`, "of the rows held are empty"],
    [duration(at < log.steps.length ? log.steps[at].seconds : null), "to schedule and to run"],
  ];
  byId("numbers").replaceChildren(...numbers.map(([number, what]) => element("div", {}, element("b", {}, String(number)), element("span", { class: "soft" }, what))));
}

// --- Moving about -------------------------------------------------------------------------------

let at = 0, timer = null;

function draw() {
  const { state, frame } = frameAt(at);
  byId("position").value = at;
  byId("count").textContent = at < log.steps.length ? `step ${at + 1} of ${log.steps.length}` : `after ${counted(log.steps.length, "step")}`;
  showHappened(frame);
  showQueue(state);
  showRequests(state, frame);
  showPool(state, frame);
  showBatch();
  showAll();
  showNumbers(state, frame);
  pin(requestRows.has(pinned) ? pinned : null);
}

function go(n) {
  at = Math.max(0, Math.min(frameCount - 1, n));
  draw();
  try {
    window.history.replaceState(null, "", `#${at + 1}`);
  } catch {
    // Some places do not let a page change its address; the page works all the same.
  }
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => (at + 1 < frameCount ? go(at + 1) : play(false)), 1000 / Number(byId("speed").value)) : null;
  byId("play").textContent = on ? "Pause" : "Play";
  byId("happened").setAttribute("aria-live", on ? "off" : "polite");
}

function togglePlay() {
  if (timer === null && at + 1 === frameCount) go(0);
  play(timer === null);
}

const keys = {
  ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), PageDown: () => go(at + 10), PageUp: () => go(at - 10),
  Home: () => go(0), End: () => go(frameCount - 1), " ": togglePlay,
};

addEventListener("keydown", (event) => {
  const ownKeys = event.target.tagName === "SELECT" || (event.key === " " && event.target.tagName === "BUTTON");
  if (ownKeys || event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});
byId("play").onclick = togglePlay;
byId("previous").onclick = () => go(at - 1);
byId("next").onclick = () => go(at + 1);
byId("position").oninput = (event) => go(Number(event.target.value));
byId("speed").onchange = () => play(timer !== null);

byId("position").max = frameCount - 1;
byId("title").textContent = log.title;
document.title = log.title;
byId("about").textContent = `Engine “${log.engine}”: ${counted(log.blocks, "block")} of ${counted(blockSize, "row")}, at most ${log.budget} rows a step and ${counted(log.max_sequences, "request")} at a time.${log.complete ? "" : " The log ends before the engine did."}`;
byId("idle-note").hidden = !log.feeds_idle;
byId("pool").append(...tiles);
byId("pool").classList.toggle("dense", dense);
if (dense) byId("pool").tabIndex = 0;  // so that it can be scrolled by keys
byId("pool-more").textContent = tileCount < log.blocks ? `The first ${tileCount} blocks are shown.` : "";
go((parseInt(location.hash.slice(1), 10) || 1) - 1);
new ResizeObserver(([card]) => {
  chartWidth = Math.max(280, card.contentRect.width);
  showBatch();
  showAll();
}).observe(byId("batch").parentElement);
