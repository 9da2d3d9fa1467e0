// Keeps generated parts of pages equal to what they come from; docs/writing.md says how to mark them.
// Usage: node docs/tools/sync.mjs [--fix] [--outputs] [--root DIR] [FILE...]
//   without options  checks excerpts, the list of chapters, and the style of figures
//   --outputs        also runs the commands of outputs, from the root, and compares
//   --fix            rewrites what differs
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { chaptersOf, filesBelow, pagesOf, report } from "./markdown.mjs";
import { mask } from "./mask.mjs";

const marker = /^<!-- (excerpt|output|error|chapters)\b ?(.*?) ?-->$/;

function options(argv) {
  const chosen = { fix: false, outputs: false, root: ".", files: [] };
  for (let i = 0; i < argv.length; ++i) {
    if (argv[i] === "--fix") chosen.fix = true;
    else if (argv[i] === "--outputs") chosen.outputs = true;
    else if (argv[i] === "--root") chosen.root = argv[++i];
    else chosen.files.push(path.resolve(argv[i]));
  }
  chosen.root = path.resolve(chosen.root);
  return chosen;
}

const { fix, outputs, root, files } = options(process.argv.slice(2));
const problems = [];
let checked = 0;

const relative = (file) => path.relative(root, file);

// Lines without other tags and without the marks of exercises, whose task may take several lines.
function withoutMarks(lines) {
  let inTask = false;
  return lines.filter((line) => {
    const begins = /^\s*\/\/ exercise \d\d\.\d+ begin: /.test(line);
    const dropped = begins || inTask || /^\s*(\/\/|#) \[\w+\]$/.test(line) || /^\s*\/\/ exercise \d\d\.\d+ end$/.test(line);
    if (begins || inTask) inTask = !line.endsWith(".");
    return !dropped;
  });
}

// The lines between the two `// [tag]` lines, without the indentation that all of them share.
function excerpt(file, tag) {
  const full = path.join(root, file);
  if (!fs.existsSync(full)) throw new Error(`no file ${file}`);
  const lines = fs.readFileSync(full, "utf8").split("\n");
  const marks = lines.flatMap((line, i) => (/^\s*(\/\/|#) \[(.*)\]$/.exec(line)?.[2] === tag ? [i] : []));
  if (marks.length !== 2) throw new Error(`${file} has ${marks.length} lines "// [${tag}]", not 2`);
  const body = withoutMarks(lines.slice(marks[0] + 1, marks[1]));
  if (!body.some((line) => line.trim())) throw new Error(`${file} [${tag}] is empty`);
  const indents = body.filter((line) => line.trim()).map((line) => line.match(/^ */)[0].length);
  return body.map((line) => line.slice(Math.min(...indents)));
}

function excerptBlock(page, argument) {
  const [, file, tag] = argument.match(/^(\S+) \[(\S+)\]$/) ?? [];
  if (!file) throw new Error("write <!-- excerpt FILE [TAG] -->");
  const language = /\.(h|cpp|cuh?)$/.test(file) ? "cpp" : "text";
  const link = path.relative(path.dirname(page), path.join(root, file));
  return [`[\`${file}\`](${link})`, "", "```" + language, ...excerpt(file, tag), "```"];
}

function outputBlock(kind, command) {
  const run = spawnSync("bash", ["-c", command], { cwd: root, encoding: "utf8", timeout: 300_000 });
  const failed = run.status !== 0;
  if (failed !== (kind === "error"))
    throw new Error(`"${command}" ended with status ${run.status}\n${run.stderr ?? ""}`.trim());
  const text = (kind === "error" ? run.stderr : run.stdout).replace(/\x1b\[[0-9;]*m/g, "").trimEnd();
  return ["```console", `$ ${command}`, ...text.split("\n").map((line) => line.trimEnd()), "```"];
}

function chapterBlock(page) {
  return chaptersOf(root).map(({ file, title, question }) =>
    `- [${title}](${path.relative(path.dirname(page), file)})${question ? ": " + question : ""}`);
}

// The lines of a page that a marker owns: a caption and a fence, or a list.
function ownedLines(lines, start, kind) {
  let end = start;
  const skip = (pattern) => { while (end < lines.length && pattern.test(lines[end])) ++end; };
  if (kind === "chapters") {
    skip(/^(- |  \S)/);
    return end;
  }
  if (/^\[`/.test(lines[end] ?? "")) ++end;
  skip(/^$/);
  if (!/^```/.test(lines[end] ?? "")) return start;
  ++end;
  skip(/^(?!```$)/);
  return end + 1;
}

function syncPage(page) {
  const lines = fs.readFileSync(page, "utf8").split("\n");
  let fence = "", changed = false;
  for (let i = 0; i < lines.length; ++i) {
    const mark = lines[i].match(/^\s*(```+|~~~+)\s*(.*)$/);
    if (mark && !fence) fence = mark[1];
    else if (mark && mark[1].startsWith(fence) && !mark[2]) fence = "";
    const [, kind, argument] = (!fence && lines[i].match(marker)) || [];
    if (!kind || ((kind === "output" || kind === "error") && !outputs)) continue;
    ++checked;
    try {
      changed = syncMarker(page, lines, i, kind, argument) || changed;
    } catch (error) {
      problems.push(`${relative(page)}:${i + 1}: ${error.message}`);
    }
  }
  if (changed) fs.writeFileSync(page, lines.join("\n"));
}

// Brings one marker up to date; true if that changed the page.
function syncMarker(page, lines, at, kind, argument) {
  const wanted = kind === "excerpt" ? excerptBlock(page, argument)
    : kind === "chapters" ? chapterBlock(page) : outputBlock(kind, argument);
  const end = ownedLines(lines, at + 1, kind);
  const same = kind === "output" || kind === "error"
    ? mask(lines.slice(at + 1, end).join("\n")) === mask(wanted.join("\n"))
    : lines.slice(at + 1, end).join("\n") === wanted.join("\n");
  if (same) return false;
  if (!fix) throw new Error(`${kind} ${argument} is out of date; node docs/tools/sync.mjs --fix` +
    (outputs ? " --outputs" : "") + firstDifference(lines.slice(at + 1, end), wanted));
  lines.splice(at + 1, end - at - 1, ...wanted);
  return true;
}

function firstDifference(had, wanted) {
  const masked = (list) => mask(list.join("\n")).split("\n");
  const [a, b] = [masked(had), masked(wanted)];
  const i = b.findIndex((line, k) => line !== a[k]);
  return i < 0 ? "" : `\n  page:   ${had[i] ?? "(nothing)"}\n  source: ${wanted[i]}`;
}

function syncFigure(svg, style) {
  const text = fs.readFileSync(svg, "utf8");
  if (!text.includes('class="quire-figure"')) return;
  ++checked;
  const updated = text.replace(/<style>[^]*?<\/style>/, () => `<style>${style}</style>`);
  if (updated === text && text.includes("<style>")) return;
  if (fix && updated !== text) return fs.writeFileSync(svg, updated);
  problems.push(`${relative(svg)}: its <style> is not docs/theme/figure.css; node docs/tools/sync.mjs --fix`);
}

const sheet = path.join(root, "docs/theme/figure.css");
if (files.length === 0 && fs.existsSync(sheet)) {
  const style = fs.readFileSync(sheet, "utf8").replace(/^\/\*[^]*?\*\//, "");
  for (const folder of ["chapters", "docs"])
    for (const svg of filesBelow(path.join(root, folder), /\.svg$/)) syncFigure(svg, style);
}
for (const page of files.length ? files : pagesOf(root)) syncPage(page);
report("sync", problems, `${checked} generated parts`);
