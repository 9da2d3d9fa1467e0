// Checks the Markdown pages themselves, as a code host shows them.
// Usage: node check_pages.mjs ROOT
import fs from "node:fs";
import path from "node:path";
import { chaptersOf, filesBelow, headings, links, pagesOf, report, segments } from "./markdown.mjs";

const root = path.resolve(process.argv[2]);
const problems = [];
let checked = 0;

// The sections of a chapter, in this order; docs/writing.md says what each is for.
const frame = ["One number", "The idea", "Code tour", "Run it", "Prove it", "What we measured",
               "Break it", "Exercises", "Names", "What is still wasteful"];
const boxes = ["Question", "Predict"];
const tour = "00_tour";

function checkFences(at, source) {
  for (const part of segments(source).filter((part) => part.kind === "fence")) {
    if (!part.closed) problems.push(at(part.line, "code fence is never closed"));
    // The next fence closes an open one, unless it names its language.
    const inside = part.lines.findIndex((line) => line.trim().startsWith(part.mark));
    if (inside >= 0) problems.push(at(part.line + 1 + inside, "a fence opens inside one that was never closed"));
    if (!part.info) problems.push(at(part.line, "code fence without a language (cpp, sh, console, text)"));
  }
}

function checkHeadings(at, source) {
  const all = headings(source);
  if (all[0]?.level !== 1) problems.push(at(1, "a page begins with one # heading"));
  for (const heading of all.slice(1)) {
    if (heading.level === 1) problems.push(at(heading.line, "a second # heading"));
    if (!heading.anchor) problems.push(at(heading.line, "heading without an anchor: it has no letters"));
    if (heading.repeated) problems.push(at(heading.line, `heading "${heading.text}" is there twice`));
  }
  // Doxygen takes "# 2. Title" for a list.
  for (const { line, text } of all)
    if (/^\d+\./.test(text)) problems.push(at(line, `heading "${text}" begins like a list item`));
}

function checkLinks(at, source, file) {
  for (const { line, target, image, label } of links(source)) {
    if (image && !label.trim()) problems.push(at(line, `image ${target} has no alternative text`));
    if (/^[a-z]+:/.test(target)) continue;
    ++checked;
    const [where, anchor] = target.split("#");
    const to = where ? path.resolve(path.dirname(file), where) : file;
    if (!fs.existsSync(to)) problems.push(at(line, `no such file: ${target}`));
    else if (anchor && to.endsWith(".md") &&
             !headings(fs.readFileSync(to, "utf8")).some((heading) => heading.anchor === anchor))
      problems.push(at(line, `no such heading: ${target}`));
  }
}

function checkFrame(at, source, file) {
  const name = file.match(/\/chapters\/(\d\d_\w+)\/README\.md$/)?.[1];
  if (!name) return;
  for (const box of boxes)
    if (!source.includes(`\n> **${box}.**`)) problems.push(at(1, `no box "> **${box}.** ..."`));
  if (name === tour) return;
  const sections = headings(source).filter((heading) => heading.level === 2).map(({ text }) => text);
  const present = frame.filter((title) => sections.some((text) => text.startsWith(title)));
  for (const title of frame.filter((title) => !present.includes(title)))
    problems.push(at(1, `no section "## ${title} ..."`));
  const order = sections.filter((text) => frame.some((title) => text.startsWith(title)))
    .map((text) => frame.findIndex((title) => text.startsWith(title)));
  if (order.some((place, i) => i > 0 && place < order[i - 1]))
    problems.push(at(1, `sections are not in the order of the frame: ${frame.join(" · ")}`));
}

// A failing test of a chapter names the section that explains it: "04#known-and-stored".
function checkSections() {
  for (const file of filesBelow(path.join(root, "tests", "chapters"), /\.cpp$/)) {
    for (const [, number, anchor] of fs.readFileSync(file, "utf8").matchAll(/"(\d\d)#([\w-]+)"/g)) {
      const chapter = chaptersOf(root).find(({ file }) => file.includes(`/${number}_`));
      if (!chapter || !headings(fs.readFileSync(chapter.file, "utf8")).some((heading) => heading.anchor === anchor))
        problems.push(`${path.relative(root, file)}: no such section: ${number}#${anchor}`);
    }
  }
}

const pages = pagesOf(root);
for (const file of pages) {
  const source = fs.readFileSync(file, "utf8");
  const at = (line, text) => `${path.relative(root, file)}:${line}: ${text}`;
  checkFences(at, source);
  checkHeadings(at, source);
  checkLinks(at, source, file);
  checkFrame(at, source, file);
}
checkSections();
report("check_pages", problems, `${pages.length} pages, ${checked} local links`);
