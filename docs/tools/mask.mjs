// Which numbers of a program's output may differ from run to run: durations, and rates over time.
//
// Masked are numbers followed by such a unit, whole columns whose heading is one ("tokens/s") or names
// one in parentheses ("time (ms)"), JSON members whose names speak of seconds, and "x faster" or
// "x slower". Runs of spaces and of rules count as one, since a wider number moves its column.

const rate = String.raw`(?:(?:tok|tokens|rows|requests|steps|[kMGT]?i?B|[kMGT]?FLOPs?|[kMGT]?FLOPS?)\/s|tokens per second)`;
const unit = String.raw`(?:ns|µs|us|ms|s|min|seconds?|${rate})`;
const number = String.raw`\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?`;
const measured = new RegExp(String.raw`${number}[kMGT]?( ?)${unit}(?![\w/])`, "g");
const faster = new RegExp(String.raw`${number}( ?)[x×] (?=faster|slower)`, "g");
const member = new RegExp(String.raw`("\w*(?:second)\w*": ?)${number}`, "g");
const heading = new RegExp(String.raw`\(${unit}\)|^ *${rate} *$`);

// The columns of a table, from the rule under its headings: [start, end) in characters.
function columns(rule) {
  return [...rule.matchAll(/[─-]+/g)].map((match) => [match.index, match.index + match[0].length]);
}

function maskColumns(lines) {
  let volatileColumns = [];
  return lines.map((line, i) => {
    const next = lines[i + 1] ?? "";
    if (/^[─-]{2,}(?: +[─-]+)*$/.test(next)) {
      volatileColumns = columns(next).filter(([from, to]) => heading.test(line.slice(from, to)));
      return line;
    }
    if (line.trim() === "") volatileColumns = [];
    if (/^[─-]/.test(line)) return line;
    return volatileColumns.reduceRight((text, [from, to]) =>
      text.length > from ? text.slice(0, from) + " # " + text.slice(to) : text, line);
  });
}

export function mask(text) {
  return maskColumns(text.split("\n")).join("\n")
    .replace(member, "$1#").replace(faster, "#$1x ").replace(measured, "#")
    .replace(/[─-]{2,}/g, "─").replace(/ +/g, " ").replace(/ $/gm, "");
}
