#include "src/report/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "src/core/error.h"
#include "src/report/markup.h"

namespace quire {
namespace {

constexpr std::string_view kGap = "  ";
constexpr std::string_view kRule = "─";

std::string heading(const Column& column) {
  return column.unit.empty() ? column.title : fmt::format("{} ({})", column.title, column.unit);
}

std::vector<std::string> shown(const std::vector<Cell>& cells) {
  std::vector<std::string> out;
  for (const Cell& cell : cells) out.push_back(cell.shown());
  return out;
}

std::string repeat(std::string_view unit, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += unit;
  return out;
}

std::string quoted_for_csv(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (char c : field) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::vector<std::string> quoted;
  for (const auto& field : fields) quoted.push_back(quoted_for_csv(field));
  return fmt::format("{}\n", fmt::join(quoted, ","));
}

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const auto& cell : cells) {
    out += ' ';
    for (char c : cell) out += c == '|' ? "\\|" : std::string(1, c);
    out += " |";
  }
  return out + '\n';
}

// The rest of a `<td class="left` element up to its end.
std::string look_and_text(const Cell& cell) {
  const std::string text = escape_markup(cell.shown());
  switch (cell.tone()) {
    case Tone::plain:
      return "\">" + text;
    case Tone::bad:
      return " bad\">" + text;
    case Tone::absent:
      return " absent\">" + text;
    case Tone::filled:
      return fmt::format(" filled\" style=\"--strength: {:.0f}%\">{}", 100 * cell.strength(), text);
  }
  return {};
}

}  // namespace

Cell::Cell(std::string shown, double exact)
    : shown_(std::move(shown)), exact_(fmt::format("{}", exact)) {}

Cell Cell::toned(Tone tone, double strength) const {
  Cell cell = *this;
  cell.tone_ = tone;
  cell.strength_ = std::clamp(strength, 0.0, 1.0);
  return cell;
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  require(!columns_.empty(), "table: no columns, at least one is needed");
}

Table& Table::row(std::vector<Cell> cells) {
  require(cells.size() == columns_.size(), "table: a row of {} cells under {} columns",
          cells.size(), columns_.size());
  for (const Cell& cell : cells)
    require(cell.shown().find_first_of("\r\n") == std::string::npos,
            "table: a line break in cell '{}', cells are one line", cell.shown());
  rows_.push_back(std::move(cells));
  return *this;
}

std::vector<int> Table::widths() const {
  std::vector<int> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(display_width(heading(columns_[c])));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], display_width(row[c].shown()));
  }
  return widths;
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<int>& widths) const {
  std::string out;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::string padding(static_cast<std::size_t>(widths[c] - display_width(cells[c])), ' ');
    if (c > 0) out += kGap;
    out += columns_[c].align == Align::left ? cells[c] + padding : padding + cells[c];
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + '\n';
}

std::string Table::text() const {
  const std::vector<int> width = widths();
  std::vector<std::string> headings, rules;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    headings.push_back(heading(columns_[c]));
    rules.push_back(repeat(kRule, width[c]));
  }
  std::string out = line(headings, width) + line(rules, width);
  for (const auto& row : rows_) out += line(shown(row), width);
  return out;
}

std::string Table::csv() const {
  std::vector<std::string> fields;
  for (const Column& column : columns_) fields.push_back(heading(column));
  std::string out = csv_line(fields);
  for (const auto& row : rows_) {
    fields.clear();
    for (const Cell& cell : row) fields.push_back(cell.exact());
    out += csv_line(fields);
  }
  return out;
}

std::string Table::markdown() const {
  std::vector<std::string> headings, rules;
  for (const Column& column : columns_) {
    headings.push_back(heading(column));
    rules.push_back(column.align == Align::left ? ":--" : "--:");
  }
  std::string out = markdown_line(headings) + markdown_line(rules);
  for (const auto& row : rows_) out += markdown_line(shown(row));
  return out;
}

std::string Table::html() const {
  const auto side = [](const Column& column) {
    return column.align == Align::left ? "left" : "right";
  };
  std::string out = "<table>\n<thead><tr>";
  for (const Column& column : columns_)
    out += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", side(column),
                       escape_markup(heading(column)));
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows_) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      out += fmt::format("<td class=\"{}{}</td>", side(columns_[c]), look_and_text(row[c]));
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

}  // namespace quire
