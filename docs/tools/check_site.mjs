// Checks a folder of HTML: local links, anchors and images exist, and every formula renders.
// Usage: node check_site.mjs HTML_DIR [KATEX_JS]
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { filesBelow, report } from "./markdown.mjs";

const folder = path.resolve(process.argv[2]);
const katex = process.argv[3] && createRequire(import.meta.url)(path.resolve(process.argv[3]));
const problems = [];
let links = 0, formulas = 0;

const decode = (text) => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"')
  .replace(/&#39;/g, "'").replace(/&#160;|&nbsp;/g, " ").replace(/&amp;/g, "&");
const unescape = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
const withoutScripts = (html) => html.replace(/<script\b[^]*?<\/script>|<style\b[^]*?<\/style>|<!--[^]*?-->/g,
  (part) => part.replace(/[^\n]/g, ""));

const pages = new Map(filesBelow(folder, /\.html$/).map((file) => {
  const html = withoutScripts(fs.readFileSync(file, "utf8"));
  const ids = new Set([...html.matchAll(/\s(?:id|name)="([^"]*)"/g)].map((match) => decode(match[1])));
  return [file, { html, ids }];
}));

function checkLink(file, line, reference) {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(reference)) return;
  ++links;
  const [where, anchor] = reference.split("#");
  const target = where ? path.resolve(path.dirname(file), unescape(where.split("?")[0])) : file;
  const at = `${path.relative(folder, file)}:${line}`;
  if (!fs.existsSync(target)) problems.push(`${at}: no such file: ${reference}`);
  // Doxygen links to the list of nested classes even where all of them are private.
  else if (anchor === "nested-classes") return;
  else if (anchor && pages.has(target) && !pages.get(target).ids.has(unescape(anchor)))
    problems.push(`${at}: no such anchor: ${reference}`);
}

function checkLinks(file, html) {
  html.split("\n").forEach((text, i) => {
    for (const match of text.matchAll(/\s(?:href|src|data|xlink:href)="([^"]+)"/g))
      checkLink(file, i + 1, decode(match[1]));
  });
}

function checkFormulas(file, html) {
  const prose = html.replace(/<pre\b[^]*?<\/pre>|<div class="fragment">[^]*?<\/div><!-- fragment -->|<code>[^]*?<\/code>/g, "");
  const formula = /\\\(([^]*?)\\\)|\\\[([^]*?)\\\]|(\\begin\{align\*\}[^]*?\\end\{align\*\})/g;
  for (const match of prose.matchAll(formula)) {
    ++formulas;
    const tex = decode(match[1] ?? match[2] ?? match[3]);
    try {
      katex.renderToString(tex, { throwOnError: true, strict: "error", displayMode: match[1] === undefined });
    } catch (error) {
      problems.push(`${path.relative(folder, file)}: ${error.message}`);
    }
  }
  // Doxygen leaves a formula that it did not recognise as it was written.
  for (const match of prose.replace(formula, "").matchAll(/(?<![\w$\\])\$[^$\n<]*\\[a-z]+[^$\n<]*\$|```|\\f[$[\]{}]/g))
    problems.push(`${path.relative(folder, file)}: untranslated markup: ${match[0].slice(0, 60)}`);
}

for (const [file, { html }] of pages) {
  checkLinks(file, html);
  // The source browser shows dollars and backslashes as they are in the code.
  if (katex && !file.endsWith("_source.html")) checkFormulas(file, html);
}
report("check_site", problems, `${pages.size} pages, ${links} local links, ${formulas} formulas`);
