// Checks what Doxygen lets pass: headers without \file, undocumented namespaces and enum values,
// missing \param and \tparam, pages that no page lists.
// Usage: node check_api.mjs XML_DIR ROOT
import fs from "node:fs";
import path from "node:path";
import { filesBelow, report } from "./markdown.mjs";

const [xml, root] = process.argv.slice(2).map((argument) => path.resolve(argument));
const problems = [];
let entities = 0;

const inner = (text, tag) => [...text.matchAll(new RegExp(`<${tag}(?: [^>]*)?>([^]*?)</${tag}>`, "g"))].map((m) => m[1]);
const strip = (text) => text.replace(/<[^>]*>/g, "").trim();
const described = (text) => /<(brief|detailed)description>\s*<(para|sect)/.test(text);
const place = (text) => text.match(/<location file="([^"]*)" line="(\d+)"/)?.slice(1, 3).join(":") ?? "?";

function checkParameters(member, name) {
  const documented = (kind) => new Set([...member.matchAll(
    new RegExp(`<parameterlist kind="${kind}">([^]*?)</parameterlist>`, "g"))]
    .flatMap((list) => inner(list[1], "parametername").map(strip)));
  const templates = inner(member.match(/<templateparamlist>[^]*?<\/templateparamlist>/)?.[0] ?? "", "param");
  const tparams = documented("templateparam");
  const body = member.replace(/<templateparamlist>[^]*?<\/templateparamlist>/, "");
  // What is deduced from an argument is described with that argument.
  const deducible = inner(body, "param").map((text) => strip(inner(text, "type")[0] ?? "")).join(" ");
  for (const text of templates) {
    const id = strip(inner(text, "declname")[0] ?? "") ||
      strip(inner(text, "type")[0] ?? "").replace(/^(?:class|typename)\W*/, "");
    const deduced = new RegExp(`\\b${id}\\b`).test(deducible);
    if (id && !deduced && !tparams.has(id)) problems.push(`${place(member)}: ${name}: no \\tparam ${id}`);
  }
  const params = documented("param");
  for (const text of inner(body, "param")) {
    const id = strip(inner(text, "declname")[0] ?? "");
    if (id && !params.has(id)) problems.push(`${place(member)}: ${name}: no \\param ${id}`);
  }
}

function checkMember(member, scope) {
  const name = `${scope}::${strip(inner(member, "name")[0] ?? "")}`;
  if (!/ prot="(public|protected)"/.test(member) || !/file="[^"]*\.(h|cuh)"/.test(member)) return;
  ++entities;
  const function_ = /<memberdef kind="function"/.test(member);
  // An override keeps the contract of what it overrides; deleted and defaulted ones have none.
  const inherits = /<reimplements /.test(member) || /=\s*(default|delete)/.test(member);
  if (function_ && described(member) && !inherits) checkParameters(member, name);
  for (const value of inner(member, "enumvalue"))
    if (!described(value)) problems.push(`${place(member)}: ${name}::${strip(inner(value, "name")[0])}: enum value without a comment`);
}

function checkCompound(text) {
  const kind = text.match(/<compounddef [^>]*kind="(\w+)"/)?.[1];
  const name = strip(inner(text, "compoundname")[0] ?? "");
  if (/^(class|struct|namespace|union)$/.test(kind))
    for (const member of text.match(/<memberdef [^]*?<\/memberdef>/g) ?? []) checkMember(member, name);
  const own = text.replace(/<sectiondef[^]*?<\/sectiondef>/g, "");
  if (kind === "namespace" && /^quire/.test(name) && !name.includes("@") && !described(own))
    problems.push(`namespace ${name} has no comment, so nothing in it is published`);
  if (/^(class|struct)$/.test(kind) && text.includes("<templateparamlist>") && described(own) && !/</.test(name.replace(/&lt;/g, "<")))
    checkParameters(own.replace(/<basecompoundref[^]*?<\/basecompoundref>/g, ""), name);
}

function checkHeaders() {
  for (const folder of ["src", "kernels", "chapters"])
    for (const file of filesBelow(path.join(root, folder), /\.(h|cuh)$/))
      if (!/[\\@]file\b/.test(fs.readFileSync(file, "utf8")))
        problems.push(`${path.relative(root, file)}: no \\file comment`);
}

function checkTree(pages) {
  const listed = new Set(pages.flatMap((text) => [...text.matchAll(/<innerpage refid="(\w[\w-]*)"/g)].map((m) => m[1])));
  for (const text of pages) {
    const id = text.match(/<compounddef id="([^"]+)"/)?.[1];
    if (id !== "indexpage" && !listed.has(id))
      problems.push(`page ${id} is in no list after <!-- pages --> or <!-- chapters -->`);
  }
}

const documents = filesBelow(xml, /\.xml$/).filter((file) => !/(?:index|Doxyfile)\.xml$/.test(file))
  .map((file) => fs.readFileSync(file, "utf8"));
const compounds = documents.flatMap((text) => text.match(/<compounddef [^]*?<\/compounddef>/g) ?? []);
for (const text of compounds) checkCompound(text);
checkTree(compounds.filter((text) => /kind="page"/.test(text.slice(0, 200))));
checkHeaders();
report("check_api", problems, `${compounds.length} compounds, ${entities} members in headers`);
