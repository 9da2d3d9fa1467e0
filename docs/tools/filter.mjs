// Doxygen's INPUT_FILTER for Markdown: translates what code hosts understand into what Doxygen does.
// Usage: node filter.mjs ROOT FILE
import fs from "node:fs";
import path from "node:path";
import { anchorId, chaptersOf, headings, inline, pageId, pageUrl, segments } from "./markdown.mjs";

const [root, file] = process.argv.slice(2).map((argument) => path.resolve(argument));
const source = fs.readFileSync(file, "utf8");
const anchors = new Map(headings(source).map((heading) => [heading.line, heading]));
const isMainPage = pageId(file) === "mainpage";

const escapeHtml = (text) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
const isSource = (relative) => /^(src|kernels|chapters|tests)\/.*\.(h|cpp|cuh)$/.test(relative);

function link(label, target) {
  if (/^[a-z]+:/.test(target)) return `[${label}](${target})`;
  const [where, anchor] = target.split("#");
  let to = where ? path.resolve(path.dirname(file), where) : file;
  if (fs.existsSync(path.join(to, "README.md"))) to = path.join(to, "README.md");
  const relative = path.relative(root, to);
  if (to.endsWith(".md")) {
    const hash = anchor ? "#" + anchorId(to, anchor) : "";
    return `<a href="${pageUrl(to)}${hash}">${label}</a>`;
  }
  // Code spans would hide the reference, hence the element.
  if (isSource(relative)) return `<code>\\ref ${relative} "${label.replace(/[`"]/g, "")}"</code>`;
  return label;
}

// A block of HTML that Doxygen passes on as it is.
const raw = (html) => `\n\n\\htmlonly[block]\n${html}\n\\endhtmlonly\n\n`;

function figure(label, target) {
  const svg = path.resolve(path.dirname(file), target);
  if (!svg.endsWith(".svg")) return `![${label}](${target})`;
  return raw(`<figure class="quire">\n${fs.readFileSync(svg, "utf8").trim()}\n</figure>`);
}

// Keeps Doxygen from finding commands and strings in prose: `@` and `#name` begin commands for it, and
// between straight quotes it would not translate formulas.
function plain(text) {
  return text.replace(/<!--(?!\s*(?:pages|chapters))[^]*?-->/g, "").replace(/@/g, "\\@")
    .replace(/(?<![\w&/({])#(?=\w)/g, "\\#")
    .replace(/<[a-z/][^>]*>|\\ref \S+ "[^"]*"|"/g, (part) => (part === '"' ? "&quot;" : part));
}

function translateInline(text) {
  let out = "", end = 0;
  for (const match of text.matchAll(inline)) {
    const { code, display, block, math, tex, bang, label, target } = match.groups;
    out += plain(text.slice(end, match.index));
    if (code) out += code;
    else if (display) out += `\\f[${block}\\f]`;
    else if (math) out += `\\f$${tex}\\f$`;
    else if (bang) out += figure(label, target);
    else out += link(label, target);
    end = match.index + match[0].length;
  }
  return out + plain(text.slice(end));
}

function heading({ level, text, anchor }) {
  // Doxygen would list the main page's sections beside the chapters.
  if (level > 1 && isMainPage) return `\\anchor ${anchorId(file, anchor)}\n<h${level - 1}>${text}</h${level - 1}>`;
  if (level > 1) return `${"#".repeat(level)} ${text} {#${anchorId(file, anchor)}}`;
  return isMainPage ? `# ${text} {#mainpage}` : `# ${text} {#${pageId(file)}}\n\n[TOC]`;
}

// "> **Predict.** ..." becomes a box; any other quotation stays one.
function boxes(text) {
  return text.replace(/(?:^>.*(?:\n|$))+/gm, (quote) => {
    const inner = quote.replace(/^> ?/gm, "").trim();
    const name = inner.match(/^\*\*([\w ]+?)\.?\*\*/)?.[1].toLowerCase().replace(/ /g, "-");
    return name ? `${raw(`<div class="box ${name}">`)}${inner}${raw("</div>")}` : quote;
  });
}

// Doxygen would close an element that spans paragraphs at the end of the first.
function details(text) {
  return text.replace(/^ *<details>\s*<summary>(.*?)<\/summary> *$/gm, (_, summary) =>
    raw(`<details><summary>${summary}</summary>`)).replace(/^ *<\/details> *$/gm, raw("</details>"));
}

// A paragraph of emphasis after a figure is its caption.
function captions(text) {
  return text.replace(/<\/figure>\n\\endhtmlonly\s*\n\*([^*]+)\*(?=\n\s*\n|\s*$)/g,
    "</figure>\n\\endhtmlonly\n\n<div class=\"figure-caption\">$1</div>\n");
}

// The list after <!-- pages --> or <!-- chapters --> is the tree of the site.
function subpages(text) {
  return text.replace(/<!--\s*(?:pages|chapters)\s*-->\n((?:\s*\n)?(?:[-*] .*\n|  .*\n)*)/g, (_, list) =>
    list.replace(/^[-*] <a href="(\w+)\.html">([^]*?)<\/a>/gm, '- \\subpage $1 "$2"'));
}

function translateText(part) {
  const lines = part.lines.map((line, i) => {
    const found = anchors.get(part.line + i);
    return found ? heading(found) : line;
  });
  return subpages(captions(details(boxes(translateInline(lines.join("\n"))))));
}

function translateFence(part) {
  const indent = part.indent;
  const language = part.info.split(/\s/)[0];
  if (language === "math") return `${indent}\\f[\n${part.lines.join("\n")}\n${indent}\\f]`;
  const known = /^(cpp|c\+\+|cuda|cu|c)$/.test(language) ? "{.cpp}" : "{.unparsed}";
  return [`${indent}${part.mark}${known}`, ...part.lines, `${indent}${part.mark}`].join("\n");
}

// The caption that sync.mjs wrote over an excerpt gets the lines' numbers, which would not last.
function excerptCaption(text) {
  const caption = /<!-- excerpt (\S+) \[(\S+)\] -->\n+\[[^\]]*\]\([^)]*\)\s*$/;
  const match = text.match(caption);
  if (!match) return text;
  const lines = fs.readFileSync(path.join(root, match[1]), "utf8").split("\n");
  const marks = lines.flatMap((line, i) => (/^\s*(?:\/\/|#) \[(.*)\]$/.exec(line)?.[1] === match[2] ? [i] : []));
  const [first, last] = [marks[0] + 2, marks[1]];
  const range = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  const name = isSource(match[1]) ? `\\ref ${match[1]} "${match[1]}"` : match[1];
  return text.replace(caption, `<div class="excerpt">${name}, ${range}</div>\n`);
}

function pager() {
  const chapters = chaptersOf(root), at = chapters.findIndex((chapter) => chapter.file === file);
  if (at < 0) return "";
  const side = (chapter, css) => chapter
    ? `<a class="${css}" href="${chapter.id}.html">${escapeHtml(chapter.title)}</a>` : "<span></span>";
  const sides = side(chapters[at - 1], "previous") + side(chapters[at + 1], "next");
  return raw(`<nav class="pager" aria-label="Chapters">${sides}</nav>`);
}

const parts = segments(source);
const pieces = parts.map((part) => {
  if (part.kind === "fence") return translateFence(part);
  const captioned = excerptCaption(part.lines.join("\n"));
  return translateText({ ...part, lines: captioned.split("\n") });
});
process.stdout.write(pieces.join("\n") + pager());
