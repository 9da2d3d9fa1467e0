// Each check passes on a sound tree and fails on one with exactly one fault.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { mask } from "../../docs/tools/mask.mjs";
import { run, tree } from "./tree.mjs";

const katex = process.env.KATEX_JS ?? "/usr/share/javascript/katex/katex.min.js";

function passes(result) { assert.equal(result.status, 0, result.text); }
function fails(result, message) {
  assert.equal(result.status, 1, result.text);
  assert.match(result.text, message);
}

const chapter = `# Chapter 07: Things

> **Question.** What is
> a thing?

> **Predict.** How many?

## One number
## The idea
See [there](#run-it) and [the glossary](../../docs/concepts/glossary.md#words), \`[not](a-link)\`.
![A thing](thing.svg)
## Code tour

<!-- excerpt src/thing.cpp [loop] -->
[\`src/thing.cpp\`](../../src/thing.cpp)

\`\`\`cpp
for (;;)
  step();
\`\`\`

## Run it

<!-- output echo took 3 ms for 4 tokens -->
\`\`\`console
$ echo took 3 ms for 4 tokens
took 99 ms for 4 tokens
\`\`\`

## Prove it
## What we measured
## Break it
## Exercises
## Names elsewhere
## What is still wasteful
`;
const style = "\n.quire-figure { color: red; }\n";
const sound = {
  "docs/mainpage.md": "# Quire\n\n<!-- chapters -->\n" +
    "- [Chapter 07: Things](../chapters/07_things/README.md): What is a thing?\n",
  "docs/concepts/glossary.md": "# Glossary\n\n## Words\n",
  "docs/theme/figure.css": "/* About. */" + style,
  "chapters/07_things/README.md": chapter,
  "chapters/07_things/thing.svg": `<svg class="quire-figure"><style>${style}</style></svg>\n`,
  "src/thing.cpp": "void f() {\n  // [loop]\n  for (;;)\n    step();\n  // [loop]\n}\n",
};
const page = "chapters/07_things/README.md";
const withPage = (from, to) => {
  assert.ok(chapter.includes(from), from);
  return tree({ ...sound, [page]: chapter.replace(from, to) });
};

test("check_pages passes on a sound tree", () => passes(run("check_pages.mjs", tree(sound))));
for (const [fault, from, to, message] of [
  ["an unclosed fence", "step();\n```\n", "step();\n", /never closed/],
  ["a fence without a language", "```cpp", "```", /without a language/],
  ["a dead link", "glossary.md#words", "dictionary.md", /no such file: .*dictionary/],
  ["a dead anchor on another page", "#words", "#wrods", /no such heading/],
  ["a dead anchor on the page", "(#run-it)", "(#runit)", /no such heading/],
  ["a missing image", "thing.svg)", "thong.svg)", /no such file: thong/],
  ["an image without a text", "![A thing]", "![]", /no alternative text/],
  ["a heading twice", "## Prove it", "## Prove it\n## Prove it", /there twice/],
  ["a second title", "## Prove it", "# Prove it", /second # heading/],
  ["a heading without an anchor", "## Prove it", "## Prove it\n## ?!", /without an anchor/],
  ["a heading like a list", "# Chapter 07: Things", "# 7. Things", /begins like a list/],
  ["a missing section", "## Break it\n", "", /no section "## Break it/],
  ["sections out of order", "## Break it\n## Exercises", "## Exercises\n## Break it", /order of the frame/],
  ["no question", "> **Question.**", "> **Query.**", /no box/],
]) test(`check_pages finds ${fault}`, () => fails(run("check_pages.mjs", withPage(from, to)), message));

test("check_pages finds a test that names no section", () => {
  const naming = (section) => tree({ ...sound, "tests/chapters/a_test.cpp": `f("07#${section}");\n` });
  passes(run("check_pages.mjs", naming("run-it")));
  fails(run("check_pages.mjs", naming("walk-it")), /no such section: 07#walk-it/);
});

const sync = (root, ...options) => run("sync.mjs", "--root", root, ...options);

test("sync passes on a sound tree, outputs included", () => passes(sync(tree(sound), "--outputs")));
for (const [fault, from, to, message, ...options] of [
  ["a stale excerpt", "  step();", "  leap();", /out of date/],
  ["a missing tag", "[loop]", "[pool]", /has 0 lines/],
  ["a missing source", "excerpt src/thing.cpp", "excerpt src/thong.cpp", /no file src\/thong/],
  ["an excerpt that was never filled in", /\[`src[^]*?```\n\n## Run/.exec(chapter)[0], "\n## Run", /out of date/],
  ["an output with another count", "99 ms for 4", "99 ms for 5", /out of date/, "--outputs"],
  ["a command that fails", "output echo", "output false; exit 3; echo", /status 3/, "--outputs"],
  ["an error that does not happen", "<!-- output", "<!-- error", /status 0/, "--outputs"],
]) test(`sync finds ${fault}`, () => fails(sync(withPage(from, to), ...options), message));

test("sync leaves the marks of exercises out of an excerpt", () => passes(sync(tree({ ...sound,
  "src/thing.cpp": "void f() {\n  // [loop]\n  for (;;)\n    // exercise 07.1 begin: Go on\n    // for ever.\n" +
    "    step();\n    // exercise 07.1 end\n  // [loop]\n}\n" }))));

test("sync does not run commands unless asked", () => passes(sync(withPage("99 ms for 4", "99 ms for 5"))));
test("sync finds a tag that occurs once", () => fails(sync(tree({ ...sound,
  "src/thing.cpp": "// [loop]\nfor (;;)\n  step();\n" })), /has 1 lines/));
test("sync finds a stale list of chapters", () => fails(sync(tree({ ...sound,
  "docs/mainpage.md": "# Quire\n\n<!-- chapters -->\n- none\n" })), /chapters.*out of date/));
test("sync finds a figure with a style of its own", () => fails(sync(tree({ ...sound,
  "chapters/07_things/thing.svg": '<svg class="quire-figure"><style>x</style></svg>' })), /figure\.css/));

test("sync --fix mends what it finds, and then nothing is left", () => {
  const root = tree({ ...sound, [page]: chapter.replace("  step();", "  leap();").replace("for 4 tokens\n```", "no\n```"),
    "docs/mainpage.md": "# Quire\n\n<!-- chapters -->\n",
    "chapters/07_things/thing.svg": '<svg class="quire-figure"><style></style></svg>\n' });
  passes(sync(root, "--fix", "--outputs"));
  passes(sync(root, "--outputs"));
  assert.equal(fs.readFileSync(path.join(root, "docs/mainpage.md"), "utf8"), sound["docs/mainpage.md"]);
  assert.match(fs.readFileSync(path.join(root, page), "utf8"), /^took 3 ms for 4 tokens$/m);
});
test("sync --fix leaves volatile numbers alone", () => {
  const root = tree(sound);
  passes(sync(root, "--fix", "--outputs"));
  assert.equal(fs.readFileSync(path.join(root, page), "utf8"), chapter);
});
test("sync leaves markers inside fences alone", () => passes(sync(withPage("## Prove it",
  "~~~text\n```cpp\n```\n<!-- excerpt no/such.cpp [tag] -->\n~~~\n## Prove it"))));

test("only volatile numbers are masked", () => {
  const same = (a, b) => assert.equal(mask(a), mask(b));
  const different = (a, b) => assert.notEqual(mask(a), mask(b));
  same("took 1.5 ms", "took 1,200.25 s");
  same("410 tokens/s", "9.1k tokens/s");
  same("3.1x faster", "12x faster");
  same('{"seconds": 0.5, "n": 3}', '{"seconds": 1e-05, "n": 3}');
  same("stage  time (ms)\n─────  ─────────\nslab         1.5", "stage  time (ms)\n─────  ─────────\nslab      1200.5");
  same("stage  tokens/s\n─────  ────────\nslab       15.1", "stage  tokens/s\n─────  ────────\nslab      1,200");
  same('{"seconds_to_first_token": 0.5}', '{"seconds_to_first_token": 0.25}');
  different("stage  FLOPs/token\n─────  ───────────\nslab           15M", "stage  FLOPs/token\n─────  ───────────\nslab           16M");
  different("stage  bytes\n─────  ─────\nslab      15", "stage  bytes\n─────  ─────\nslab      16");
  different("12 tokens", "13 tokens");
  different("5 MiB", "6 MiB");
  different('{"n": 3}', '{"n": 4}');
  different("3 steps", "4 steps");
});

const soundHtml = {
  "index.html": '<html><body id="top"><a href="b.html#x">b</a><img src="i.svg"/><p>\\(x^2\\)</p></body></html>',
  "b.html": '<html><body><p id="x">x</p></body></html>',
  "i.svg": "<svg/>",
};
const site = (files) => run("check_site.mjs", tree({ ...soundHtml, ...files }), katex);
test("check_site passes on sound pages", () => passes(site({})));
for (const [fault, html, message] of [
  ["a dead link", '<a href="c.html">c</a>', /no such file: c\.html/],
  ["a dead anchor", '<a href="b.html#y">b</a>', /no such anchor/],
  ["a missing image", '<img src="j.svg"/>', /no such file: j\.svg/],
  ["a bad formula", "<p>\\(\\frac{1}\\)</p>", /KaTeX parse error/],
  ["a bad display formula", "<p>\\[\\nosuch\\]</p>", /KaTeX parse error/],
  ["a formula that was not translated", "<p>$\\alpha$</p>", /untranslated/],
  ["a command that was not translated", "<p>\\f$x\\f$</p>", /untranslated/],
]) test(`check_site finds ${fault}`, () => fails(site({ "c1.html": html }), message));

const member = (inside) => `<compounddef id="n" kind="namespace"><compoundname>quire</compoundname>
<briefdescription><para>Everything.</para></briefdescription><sectiondef kind="func">${inside}</sectiondef></compounddef>`;
const documented = "<briefdescription><para>Does.</para></briefdescription>";
const location = '<location file="src/a.h" line="3"/>';
const list = (kind, name) => `<parameterlist kind="${kind}"><parameteritem><parameternamelist>` +
  `<parametername>${name}</parametername></parameternamelist></parameteritem></parameterlist>`;
const makeFunction = (params, docs) => member(`<memberdef kind="function" prot="public">
<templateparamlist><param><type>class T</type></param></templateparamlist><name>f</name>${params}
${documented}<detaileddescription><para>${docs}</para></detaileddescription>${location}</memberdef>`);
const makeEnum = (value) => member(`<memberdef kind="enum" prot="public"><name>E</name>
<enumvalue id="v" prot="public"><name>v</name>${value}</enumvalue>${documented}${location}</memberdef>`);
const root = '<compounddef id="indexpage" kind="page"><compoundname>index</compoundname><innerpage refid="a">A</innerpage></compounddef>';
const leaf = '<compounddef id="a" kind="page"><compoundname>a</compoundname></compounddef>';
const api = (xml, header = "/// \\file\n") => {
  const folder = tree({ "xml/one.xml": xml, "src/a.h": header });
  return run("check_api.mjs", path.join(folder, "xml"), folder);
};
const both = list("param", "x") + list("templateparam", "T");
const x = "<param><type>int</type><declname>x</declname></param>";

test("check_api passes on sound sources", () => passes(api(root + leaf + makeFunction(x, both) + makeEnum(documented))));
test("check_api lets an argument describe what is deduced from it", () => passes(api(
  makeFunction("<param><type>T</type><declname>x</declname></param>", list("param", "x")))));
for (const [fault, xml, message] of [
  ["a missing \\param", makeFunction(x, list("templateparam", "T")), /no \\param x/],
  ["a missing \\tparam", makeFunction(x, list("param", "x")), /no \\tparam T/],
  ["an enum value without a comment", makeEnum("<briefdescription></briefdescription>"), /enum value/],
  ["an undocumented namespace", '<compounddef id="n" kind="namespace"><compoundname>quire::x</compoundname>\n' +
    "<briefdescription>\n</briefdescription></compounddef>", /namespace quire::x/],
  ["a page outside the tree", root + leaf.replaceAll('"a"', '"b"'), /page b is in no list/],
]) test(`check_api finds ${fault}`, () => fails(api(xml), message));
test("check_api finds a header without \\file", () => fails(api(root + leaf, "#pragma once\n"), /no \\file/));
