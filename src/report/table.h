/// \file
/// \brief A table that is printed for a terminal, as CSV, as Markdown or as HTML.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quire {

/// \brief Which edge the cells of a column share.
enum class Align {
  left,   ///< for names
  right,  ///< for numbers
};

/// \brief One column.
struct Column {
  std::string title;           ///< what the cells are, in one or two words
  std::string unit = {};       ///< what numbers are counted in, empty if cells carry their own
  Align align = Align::right;  ///< where cells stand
};

/// \brief How a cell stands out on a page; text, CSV and Markdown are the same for all.
enum class Tone {
  plain,   ///< not at all
  filled,  ///< in a colour, more or less strong
  bad,     ///< as something that is wrong
  absent,  ///< as something that is not there
};

/// \brief One cell: what people read and, where that is rounded, the exact number behind it.
class Cell {
 public:
  /// \brief A cell of text.
  /// \param text  one line of UTF-8
  Cell(std::string text) : shown_(std::move(text)) {}
  /// \brief A cell of text.
  /// \param text  one line of UTF-8
  Cell(const char* text) : shown_(text) {}
  /// \brief A number that people read rounded and programs read whole.
  /// \param shown  as people read it: `format_bytes(n)`
  /// \param exact  what goes into CSV: `n`
  Cell(std::string shown, double exact);

  /// \brief The same cell, standing out on a page.
  /// \param tone      how
  /// \param strength  of a colour, 0 to 1
  Cell toned(Tone tone, double strength = 1) const;

  /// \brief What people read.
  const std::string& shown() const { return shown_; }
  /// \brief What programs read.
  const std::string& exact() const { return exact_.empty() ? shown_ : exact_; }

  /// \brief How it stands out on a page.
  Tone tone() const { return tone_; }
  /// \brief How strong its colour is, 0 to 1.
  double strength() const { return strength_; }

 private:
  std::string shown_, exact_;
  Tone tone_ = Tone::plain;
  double strength_ = 1;
};

/// \brief Rows of cells under titled columns.
class Table {
 public:
  /// \brief A table without rows.
  /// \param columns  at least one
  /// \throws Error if there is none
  explicit Table(std::vector<Column> columns);

  /// \brief Adds a row at the end.
  /// \param cells  one for each column
  /// \return this table
  /// \throws Error if the number of cells is wrong, or if a cell holds a line break
  Table& row(std::vector<Cell> cells);

  /// \brief The number of rows.
  std::size_t rows() const { return rows_.size(); }

  /// \brief Columns padded to one width each, a rule under the titles, no space at line ends.
  std::string text() const;
  /// \brief RFC 4180 fields, exact numbers, lines that end with LF; units go into the titles.
  std::string csv() const;
  /// \brief A pipe table as code hosts render it.
  std::string markdown() const;
  /// \brief A `<table>` element, escaped.
  std::string html() const;

 private:
  std::vector<int> widths() const;
  std::string line(const std::vector<std::string>& cells, const std::vector<int>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace quire
