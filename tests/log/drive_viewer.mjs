// Drives the block viewer in a headless Chromium, as a reader would, and compares what it shows with
// what really was.
//
// node drive_viewer.mjs CHROMIUM PAGE EXPECTED [SHOTS]
//
// PAGE is the viewer's file. EXPECTED is JSON: for each frame the tables and stored rows of those who
// run, who waits, and each block's holders. SHOTS is a folder for screenshots, if somebody wants to
// look. Status 1 and a line for each thing that is wrong.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

const [chromium, pageFile, expectedFile, shots] = process.argv.slice(2);
const expected = JSON.parse(readFileSync(expectedFile, "utf8"));
const profile = mkdtempSync(join(tmpdir(), "quire_viewer_"));
const browser = spawn(chromium, [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
  "--disable-background-networking", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });

// --- The DevTools protocol over a pipe: JSON messages that end with a zero byte. ------------------

const waiting = new Map();
const listeners = [];
let received = "", lastId = 0, session;
browser.stdio[4].on("data", (chunk) => {
  received += chunk;
  const messages = received.split("\0");
  received = messages.pop();
  for (const message of messages.map((text) => JSON.parse(text))) {
    if (message.id === undefined) {
      for (const listener of listeners) listener(message);
      continue;
    }
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  }
});
browser.on("exit", () => waiting.forEach(({ reject }) => reject(new Error("Chromium has ended"))));

function send(method, params = {}) {
  const id = ++lastId;
  browser.stdio[3].write(`${JSON.stringify({ id, method, params, ...(session ? { sessionId: session } : {}) })}\0`);
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

async function evaluate(expression) {
  const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

async function press(key, text) {
  const codes = { ArrowRight: 39, ArrowLeft: 37, Home: 36, End: 35, PageDown: 34, PageUp: 33, " ": 32 };
  const event = { key, windowsVirtualKeyCode: codes[key], ...(text ? { text } : {}) };
  await send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
  await send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
}

// --- What the page shows --------------------------------------------------------------------------

const problems = [];
function expectEqual(found, right, what) {
  if (isDeepStrictEqual(found, right)) return;
  problems.push(`${what}: the page shows ${JSON.stringify(found)}, but it is ${JSON.stringify(right)}`);
}

// Two functions for the page itself.
const inPage = `
  const visitFrame = (n) => {
    const slider = document.getElementById("position");
    slider.value = n;
    slider.dispatchEvent(new Event("input"));
  };
  const all = (selector, what) => [...document.querySelectorAll(selector)].map(what);
  const shownFrame = () => ({
    requests: Object.fromEntries(all(".request", (row) => [row.dataset.sequence, { table: row.dataset.table, stored: Number(row.dataset.stored) }])),
    boxes: Object.fromEntries(all(".request", (row) => [row.dataset.sequence, [...row.querySelectorAll(".entry")].map((entry) => entry.firstChild.textContent).join(" ")])),
    waiting: document.getElementById("queue").dataset.waiting,
    blocks: all(".tile", (tile) => tile.dataset.owners),
    filled: all(".tile", (tile) => Number(tile.dataset.filled)),
  });
`;

const position = () => evaluate("Number(document.getElementById('position').value)");
const visit = (n) => evaluate(`visitFrame(${n})`);

async function checkFrames() {
  const frames = await evaluate(`Array.from({ length: ${expected.frames.length} }, (_, n) => (visitFrame(n), shownFrame()))`);
  for (const [n, right] of expected.frames.entries()) {
    for (const part of Object.keys(right)) expectEqual(frames[n][part], right[part], `frame ${n}, ${part}`);
    const tables = Object.fromEntries(Object.entries(right.requests).map(([id, request]) => [id, request.table]));
    expectEqual(frames[n].boxes, tables, `frame ${n}, boxes of the tables`);
  }
}

async function checkKeys() {
  const last = expected.frames.length - 1;
  await evaluate("document.activeElement.blur()");
  for (const [key, from, to] of [
    ["Home", 3, 0], ["ArrowRight", 0, 1], ["ArrowLeft", 1, 0], ["ArrowLeft", 0, 0], ["End", 0, last], ["ArrowRight", last, last],
    ["PageDown", 0, Math.min(10, last)], ["PageUp", last, Math.max(0, last - 10)],
  ]) {
    await visit(from);
    await press(key);
    expectEqual(await position(), to, `${key} at frame ${from}`);
  }
  expectEqual(await evaluate("location.hash"), `#${await position() + 1}`, "the address");
}

async function checkPlay() {
  await visit(0);
  await evaluate(`{ const speed = document.getElementById("speed"); speed.value = "20"; speed.dispatchEvent(new Event("change")); }`);
  await press(" ", " ");
  expectEqual(await evaluate("document.getElementById('play').textContent"), "Pause", "the button while playing");
  for (let tries = 0; tries < 200 && (await position()) < 2; ++tries) await new Promise((done) => setTimeout(done, 50));
  if ((await position()) < 2) problems.push("playing does not move on");
  await evaluate("document.getElementById('play').click()");
  expectEqual(await evaluate("document.getElementById('play').textContent"), "Play", "the button after a pause");
  const before = await position();
  await evaluate("document.getElementById('next').click()");
  expectEqual(await position(), before + 1, "the button for the next step");
}

async function checkPointing() {
  const n = expected.frames.findIndex((frame) => Object.keys(frame.requests).length > 1);
  await visit(n);
  const id = Object.keys(expected.frames[n].requests)[0];
  await evaluate(`document.querySelector('.request[data-sequence="${id}"]').focus()`);
  const mine = await evaluate(`[...document.querySelectorAll(".tile.mine")].map((tile) => tile.dataset.block).sort((a, b) => a - b).join(" ")`);
  const right = expected.frames[n].requests[id].table.split(" ").sort((a, b) => a - b).join(" ");
  expectEqual(mine, right, `the blocks of request ${id}, pointed at`);
  await evaluate("document.activeElement.blur()");
  expectEqual(await evaluate("document.querySelector('main').classList.contains('pinned')"), false, "after pointing");
}

async function look(name, width, height, scheme) {
  await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  await visit(expected.look ?? Math.floor(expected.frames.length / 2));
  await evaluate("scrollTo(0, 0), new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  const room = await evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
  if (room[0] > room[1]) problems.push(`${name}: the page is ${room[0]} wide on a screen of ${room[1]}`);
  if (shots) {
    const { data } = await send("Page.captureScreenshot", { captureBeyondViewport: true });
    writeFileSync(join(shots, `${name}.png`), Buffer.from(data, "base64"));
  }
  return evaluate("getComputedStyle(document.body).backgroundColor");
}

async function checkLooks() {
  const light = await look("wide", 1280, 900, "light");
  await look("narrow", 390, 844, "light");
  const dark = await look("dark", 1280, 900, "dark");
  if (light === dark) problems.push(`light and dark have the same background, ${light}`);
}

// --- The run ----------------------------------------------------------------------------------------

async function open() {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  session = (await send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
  listeners.push(({ method, params }) => {
    if (method === "Runtime.exceptionThrown") problems.push(`the page throws: ${params.exceptionDetails.exception?.description}`);
    if (method === "Network.requestWillBeSent" && !params.request.url.startsWith("file:")) problems.push(`the page asks for ${params.request.url}`);
  });
  for (const domain of ["Runtime", "Network", "Page"]) await send(`${domain}.enable`);
  const loaded = new Promise((resolve) => listeners.push(({ method }) => method === "Page.loadEventFired" && resolve()));
  await send("Page.navigate", { url: pathToFileURL(pageFile).href });
  await loaded;
  await send("Page.bringToFront");
}

try {
  await open();
  await evaluate(inPage);
  expectEqual(await evaluate("Number(document.getElementById('position').max) + 1"), expected.frames.length, "frames");
  await checkFrames();
  await checkKeys();
  await checkPlay();
  await checkPointing();
  await checkLooks();
} catch (error) {
  problems.push(error.stack);
} finally {
  const gone = new Promise((resolve) => browser.on("exit", resolve));
  browser.kill("SIGKILL");
  await gone;
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
for (const problem of problems.slice(0, 10)) console.log(problem);
console.log(problems.length === 0 ? `${expected.frames.length} frames are right` : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
