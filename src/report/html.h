/// \file
/// \brief A report as one HTML file: no script, no other file, light and dark.
#pragma once

#include <string>
#include <string_view>

#include "src/report/table.h"

namespace quire {

/// \brief A page that grows from top to bottom. Everything but SVG is escaped here.
class HtmlPage {
 public:
  /// \brief A page with a title and a lead.
  /// \param title  the heading, and the name of the window
  /// \param lead   what the page says, in a sentence or two
  HtmlPage(std::string_view title, std::string_view lead);

  /// \brief Begins a section.
  /// \param heading  its heading
  /// \return this page
  HtmlPage& section(std::string_view heading);
  /// \brief A paragraph.
  /// \param text  its text
  /// \return this page
  HtmlPage& text(std::string_view text);
  /// \brief A table; on a narrow screen it scrolls by itself.
  /// \param table    what it holds
  /// \param caption  stands under it, none if empty
  /// \return this page
  HtmlPage& table(const Table& table, std::string_view caption = "");
  /// \brief A drawing.
  /// \param svg      what Chart::svg or BarChart::svg gave; goes in as it is
  /// \param caption  stands under it, none if empty
  /// \return this page
  HtmlPage& figure(std::string_view svg, std::string_view caption = "");
  /// \brief Text whose spaces and line breaks matter: what a program printed.
  /// \param text  its text
  /// \return this page
  HtmlPage& preformatted(std::string_view text);

  /// \brief The whole document.
  std::string str() const;

 private:
  std::string title_, body_;
};

}  // namespace quire
