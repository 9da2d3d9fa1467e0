#include "src/report/html.h"

#include <fmt/format.h>

#include "src/report/markup.h"

namespace quire {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1c2330; --soft: #566073; --paper: #ffffff; --line: #d9dee7; --code: #f4f6f9;
  --s1: #c2410c; --s2: #2563eb; --s3: #0f766e; --s4: #7c3aed; --figure-ink: var(--ink); --figure-paper: transparent; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #a3adbd; --paper: #161a22; --line: #333b49; --code: #1e242e;
  --s1: #fb923c; --s2: #60a5fa; --s3: #2dd4bf; --s4: #c4b5fd; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 860px; margin: 0 auto; padding: 28px 18px 64px; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4em; text-wrap: balance; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 2em 0 .5em; }
p { max-width: 72ch; }
p.lead { font-size: 1.1rem; color: var(--soft); margin: 0 0 1.5em; }
figure { margin: 1.5em 0; }
figure svg { display: block; width: 100%; max-width: 640px; height: auto; }
figcaption { color: var(--soft); font-size: .9rem; max-width: 72ch; margin-top: .4em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
.left { text-align: left; } .right { text-align: right; }
td.filled, td.bad { padding-left: 14px; border-bottom-color: var(--paper); }
td.filled { background: color-mix(in srgb, var(--s3) calc(8% + var(--strength) * .5), transparent); }
td.bad { background: color-mix(in srgb, var(--s1) 55%, transparent); font-weight: 700; }
td.absent { color: var(--soft); }
pre { overflow-x: auto; background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px;
  font: 13.5px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-variant-ligatures: none; }
@media (max-width: 600px) { h1 { font-size: 1.5rem; } main { padding: 18px 14px 48px; } }
)";

std::string caption_element(std::string_view caption) {
  return caption.empty() ? ""
                         : fmt::format("<figcaption>{}</figcaption>\n", escape_markup(caption));
}

}  // namespace

HtmlPage::HtmlPage(std::string_view title, std::string_view lead) : title_(escape_markup(title)) {
  body_ = fmt::format("<h1>{}</h1>\n", title_);
  if (!lead.empty()) body_ += fmt::format("<p class=\"lead\">{}</p>\n", escape_markup(lead));
}

HtmlPage& HtmlPage::section(std::string_view heading) {
  body_ += fmt::format("<h2>{}</h2>\n", escape_markup(heading));
  return *this;
}

HtmlPage& HtmlPage::text(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", escape_markup(text));
  return *this;
}

HtmlPage& HtmlPage::table(const Table& table, std::string_view caption) {
  // A region that scrolls must be reachable by keyboard.
  body_ += fmt::format("<figure>\n<div class=\"scroll\" tabindex=\"0\">\n{}</div>\n{}</figure>\n",
                       table.html(), caption_element(caption));
  return *this;
}

HtmlPage& HtmlPage::figure(std::string_view svg, std::string_view caption) {
  body_ += fmt::format("<figure>\n{}{}</figure>\n", svg, caption_element(caption));
  return *this;
}

HtmlPage& HtmlPage::preformatted(std::string_view text) {
  body_ += fmt::format("<pre tabindex=\"0\">{}</pre>\n", escape_markup(text));
  return *this;
}

std::string HtmlPage::str() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</"
      "html>\n",
      title_, kStyle, body_);
}

}  // namespace quire
