// What the tests of the documentation's tools share: small source trees, and running a tool over one.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";

const tools = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../../docs/tools");
const made = [];
after(() => made.forEach((folder) => fs.rmSync(folder, { recursive: true })));

// A folder with the given files: { "docs/mainpage.md": "# Quire\n" }.
export function tree(files) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "quire-docs-"));
  made.push(root);
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
  return root;
}

export function run(tool, ...args) {
  const result = spawnSync(process.execPath, [path.join(tools, tool), ...args], { encoding: "utf8" });
  return { status: result.status, text: result.stdout + result.stderr };
}
