// What the tools know about the Markdown of Quire's pages: fences, headings, links, page names.
import fs from "node:fs";
import path from "node:path";

// A page's name in the site: chapters/04_kv_cache/README.md is ch04_kv_cache.
export function pageId(file) {
  const chapter = file.match(/(?:^|\/)chapters\/(\d\d_\w+)\/README\.md$/);
  if (chapter) return "ch" + chapter[1];
  const base = path.basename(file, ".md");
  return base === "README" ? path.basename(path.dirname(file)) : base;
}

export const pageUrl = (file) => (pageId(file) === "mainpage" ? "index" : pageId(file)) + ".html";

// Anchors as code hosts make them: lower case, no punctuation, hyphens for spaces.
export function slug(heading) {
  const text = heading.replace(/[`*$\\]/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return text.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replace(/ /g, "-");
}

export const anchorId = (file, anchor) => `${pageId(file)}-${anchor}`;

// Splits a page into text and fenced code: [{ kind: "text" | "fence", line, lines, info, closed }].
export function segments(source) {
  const parts = [];
  let text = { kind: "text", line: 1, lines: [] }, fence = null;
  source.split("\n").forEach((line, index) => {
    const mark = line.match(/^(\s*(?:> ?)*)(```+|~~~+)\s*(.*)$/);
    if (fence) {
      const closes = mark && mark[3] === "" && mark[2].startsWith(fence.mark);
      if (!closes) return void fence.lines.push(line);
      fence.closed = true;
      fence = null;
      text = { kind: "text", line: index + 2, lines: [] };
    } else if (mark) {
      fence = { kind: "fence", line: index + 1, lines: [], indent: mark[1], mark: mark[2],
                info: mark[3], closed: false };
      parts.push(fence);
      text = { kind: "text", line: index + 2, lines: [] };
    } else {
      if (!text.lines.length) parts.push(text);
      text.lines.push(line);
    }
  });
  return parts;
}

// Every heading outside fences: [{ line, level, text, anchor }]; equal ones count up, as on hosts.
export function headings(source) {
  const seen = new Map();
  return segments(source).filter((part) => part.kind === "text").flatMap((part) =>
    part.lines.flatMap((line, i) => {
      const match = line.match(/^(#{1,6})\s+(.*?)\s*#*$/);
      if (!match) return [];
      const base = slug(match[2]), count = seen.get(base) ?? 0;
      seen.set(base, count + 1);
      return [{ line: part.line + i, level: match[1].length, text: match[2],
                anchor: count ? `${base}-${count}` : base, repeated: count > 0 }];
    }));
}

// One pattern for what must not be looked into (code spans), formulas, and links or images.
export const inline =
  /(?<code>(?<ticks>`+)(?:[^`]|(?!\k<ticks>)`)*?\k<ticks>(?!`))|(?<display>\$\$(?<block>[^$]+)\$\$)|(?<math>\$(?=\S)(?<tex>(?:[^$\\]|\\.)*?[^\s$\\])\$(?!\d))|(?<link>(?<bang>!?)\[(?<label>(?:`[^`]*`|!\[[^\]]*\]\([^)]*\)|[^[\]])*)\]\((?<target>[^()\s]+)(?:\s+"[^"]*")?\))/gu;

// Every link and image outside code: [{ line, image, label, target }].
export function links(source) {
  return segments(source).filter((part) => part.kind === "text").flatMap((part) => {
    const text = part.lines.join("\n");
    return [...text.matchAll(inline)].filter((m) => m.groups.link).map((m) => ({
      line: part.line + text.slice(0, m.index).split("\n").length - 1,
      image: m.groups.bang === "!", label: m.groups.label, target: m.groups.target }));
  });
}

// All files below a folder whose names match, sorted, as paths with "/".
export function filesBelow(folder, pattern) {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(full, pattern);
    return pattern.test(entry.name) ? [full] : [];
  }).sort();
}

// The pages of the site, in reading order.
export function pagesOf(root) {
  const chapters = filesBelow(path.join(root, "chapters"), /^README\.md$/);
  const concepts = filesBelow(path.join(root, "docs", "concepts"), /\.md$/);
  const single = ["mainpage.md", "writing.md"].map((name) => path.join(root, "docs", name));
  return [...single, ...chapters, ...concepts].filter((file) => fs.existsSync(file));
}

// The chapters that have a page: [{ file, id, title, question }], in order.
export function chaptersOf(root) {
  return pagesOf(root).filter((file) => /\/chapters\/\d\d_\w+\/README\.md$/.test(file))
    .map((file) => {
      const source = fs.readFileSync(file, "utf8");
      const quote = source.match(/^> \*\*Question\.\*\*\s*((?:.*\n)(?:> ?\S.*\n)*)/m);
      return { file, id: pageId(file), title: headings(source)[0]?.text ?? pageId(file),
               question: (quote?.[1] ?? "").replace(/\n> ?/g, " ").trim() };
    });
}

// Prints the problems of a checker and ends the program with status 1 if there are any.
export function report(name, problems, summary) {
  for (const problem of problems) console.log(problem);
  console.log(`${name}: ${summary}, ${problems.length} problem${problems.length === 1 ? "" : "s"}`);
  process.exitCode = problems.length ? 1 : 0;
}
