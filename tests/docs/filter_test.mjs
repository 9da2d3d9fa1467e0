// The filter: what a code host understands becomes what Doxygen understands.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { headings, links, pageId, segments, slug } from "../../docs/tools/markdown.mjs";
import { run, tree } from "./tree.mjs";

const others = {
  "docs/concepts/glossary.md": "# Glossary\n",
  "src/ops/ops.h": "/// \\file\n",
  "src/a.cpp": "int a;\n// [t]\nint b;\n// [t]\n",
  "chapters/02_decoder/README.md": "# Chapter 02: Before\n",
  "chapters/07_things/thing.svg": "<svg/>\n",
};
const translate = (text, file = "chapters/07_things/README.md") => {
  const root = tree({ ...others, [file]: text });
  const result = run("filter.mjs", root, path.join(root, file));
  assert.equal(result.status, 0, result.text);
  return result.text;
};
const contains = (text, ...wanted) => {
  const out = translate("# T\n\n" + text + "\n");
  for (const part of wanted) assert.ok(out.includes(part), `${part}\n--- is not in\n${out}`);
};

test("titles and headings get ids", () => {
  const out = translate("# Chapter 07: Things\n\n## Run it, now\n");
  assert.match(out, /^# Chapter 07: Things \{#ch07_things\}\n\n\[TOC\]/);
  assert.match(out, /^## Run it, now \{#ch07_things-run-it-now\}$/m);
});
test("the main page is the main page", () =>
  assert.match(translate("# Quire\n\n## Go\n", "docs/mainpage.md"), /\{#mainpage\}\n\n\\anchor mainpage-go\n<h1>Go<\/h1>/));
test("links between pages", () => contains("[w](../../docs/concepts/glossary.md#a-word) [h](#here) [c](../02_decoder)",
  '<a href="glossary.html#glossary-a-word">w</a>', '<a href="ch07_things.html#ch07_things-here">h</a>',
  '<a href="ch02_decoder.html">c</a>'));
test("links to sources", () => contains("[`ops.h`](../../src/ops/ops.h)", '<code>\\ref src/ops/ops.h "ops.h"</code>'));
test("links over a line break", () => contains("[a\nb](#x)", '#ch07_things-x">a\nb</a>'));
test("formulas", () => contains("$x_1$ and $$y$$\n\n```math\nz\n```", "\\f$x_1\\f$", "\\f[y\\f]", "\\f[\nz\n\\f]"));
test("money is not a formula", () => contains("It costs $5 or $6.", "It costs $5 or $6."));
test("code spans are left alone", () => contains("`$x$ [a](b) @c`", "`$x$ [a](b) @c`"));
test("fences are left alone", () => contains("```text\n$x$ @c <!-- a -->\n# not a heading\n```",
  "```{.unparsed}\n$x$ @c <!-- a -->\n# not a heading\n```"));
test("what begins commands is escaped", () => contains('me@there, #include and "$x$"', "me\\@there, \\#include", "&quot;\\f$x\\f$&quot;"));
test("boxes", () => contains("> **Watch out.** Two\n> lines.", '<div class="box watch-out">', "**Watch out.** Two\nlines."));
test("other quotations stay", () => contains("> Just said.", "> Just said."));
test("figures are inlined and captioned", () => contains("![A thing](thing.svg)\n\n*Look\nhere.*",
  '<figure class="quire">\n<svg/>\n</figure>', '<div class="figure-caption">Look\nhere.</div>'));
test("folds", () => contains("<details>\n<summary>Hint</summary>\n\nx\n\n</details>", "<details><summary>Hint</summary>", "\n</details>\n"));
test("excerpts tell their lines", () => contains("<!-- excerpt src/a.cpp [t] -->\n[`src/a.cpp`](../../src/a.cpp)\n\n```cpp\nint b;\n```",
  '\\ref src/a.cpp "src/a.cpp", line 3', "```{.cpp}\nint b;"));
test("lists of pages become the tree", () => {
  const out = translate("# Quire\n\n<!-- chapters -->\n- [C](../chapters/02_decoder/README.md): What?\n", "docs/mainpage.md");
  assert.match(out, /^- \\subpage ch02_decoder "C": What\?$/m);
});
test("chapters lead to their neighbours", () => {
  const out = translate("# Chapter 07: Things\n");
  assert.match(out, /<a class="previous" href="ch02_decoder.html">Chapter 02: Before<\/a><span><\/span>/);
});

test("anchors are made as code hosts make them", () => {
  assert.equal(slug("Run it, in `C++` & [more](x)!"), "run-it-in-c--more");
  assert.deepEqual(headings("# A\n## B\n## B\n```\n# no\n```\n").map(({ anchor }) => anchor), ["a", "b", "b-1"]);
});
test("page ids follow from files", () => {
  assert.equal(pageId("/x/chapters/04_kv_cache/README.md"), "ch04_kv_cache");
  assert.equal(pageId("docs/concepts/README.md"), "concepts");
  assert.equal(pageId("docs/writing.md"), "writing");
});
test("fences close only with their own mark", () => {
  const parts = segments("~~~~text\n```\n~~~\n~~~~\nafter\n```cpp\n");
  assert.deepEqual(parts.map(({ kind }) => kind), ["fence", "text", "fence"]);
  assert.deepEqual(parts.map(({ closed }) => closed), [true, undefined, false]);
});
test("links carry their lines", () =>
  assert.deepEqual(links("a\n\n[x](y) ![z](w)\n").map(({ line, image, target }) => [line, image, target]),
    [[3, false, "y"], [3, true, "w"]]));
