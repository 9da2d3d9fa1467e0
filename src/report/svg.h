/// \file
/// \brief The few SVG elements that Quire's figures are made of, in the house's one style.
#pragma once

#include <string>
#include <string_view>

namespace quire {

/// \brief The style sheet of every figure; docs/theme/figure.css explains its classes.
///
/// All rules are confined to `.quire-figure`. Colours come from the page's variables (`--s1` to
/// `--s4`, `--figure-ink`, `--figure-paper`) and, where a figure stands alone, from fallbacks that
/// follow the reader's light or dark preference.
std::string_view figure_style();

/// \brief What the end of a text is fixed to.
enum class Anchor {
  start,   ///< the text begins at its x
  middle,  ///< the text is centred on its x
  end,     ///< the text ends at its x
};

/// \brief A drawing that grows element by element. Coordinates are in user units, y downwards.
class Svg {
 public:
  /// \brief An empty drawing on the figure's paper.
  /// \param title        its name, read aloud and shown on hovering
  /// \param description  what it shows, for those who cannot see it
  /// \param width        user units; 560 reads well on a phone
  /// \param height       user units
  Svg(std::string_view title, std::string_view description, double width, double height);

  /// \brief Begins a group.
  /// \param css  its classes, `s2` for the second colour
  Svg& open_group(std::string_view css);
  /// \brief Ends the group begun last.
  Svg& close_group();
  /// \brief A line of text.
  /// \param x       where it is fixed
  /// \param y       its baseline
  /// \param text    escaped here
  /// \param css     its classes
  /// \param anchor  what of it is fixed at x
  Svg& text(double x, double y, std::string_view text, std::string_view css = "",
            Anchor anchor = Anchor::start);
  /// \brief A path.
  /// \param data  path commands
  /// \param css   its classes
  Svg& path(std::string_view data, std::string_view css);
  /// \brief A rectangle, with a text to hover over.
  /// \param x       left
  /// \param y       top
  /// \param width   at least 0
  /// \param height  at least 0
  /// \param css     its classes
  /// \param hover   shown on hovering, none if empty
  Svg& rectangle(double x, double y, double width, double height, std::string_view css,
                 std::string_view hover = "");
  /// \brief A circle, with a text to hover over.
  /// \param x       centre
  /// \param y       centre
  /// \param radius  at least 0
  /// \param css     its classes
  /// \param hover   shown on hovering, none if empty
  Svg& circle(double x, double y, double radius, std::string_view css, std::string_view hover = "");

  /// \brief The document so far, all groups closed by the caller: one `<svg>` element.
  std::string str() const { return body_ + "</svg>\n"; }

 private:
  std::string body_;
};

/// \brief About how wide a text of 15 units is set; generous, since fonts differ.
/// \param text  UTF-8
double text_width(std::string_view text);

}  // namespace quire
