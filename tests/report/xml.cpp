#include "tests/report/xml.h"

#include <cctype>

#include "src/core/error.h"

namespace quire {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view document) : rest_(document), size_(document.size()) {}

  std::vector<XmlElement> run() {
    skip_space();
    parse_element();
    skip_space();
    expect(rest_.empty(), "one root element");
    return std::move(elements_);
  }

 private:
  void expect(bool holds, std::string_view what) const {
    require(holds, "not well-formed at byte {}: expected {}", size_ - rest_.size(), what);
  }
  void take(std::string_view literal) {
    expect(rest_.starts_with(literal), literal);
    rest_.remove_prefix(literal.size());
  }
  void skip_space() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])))
      rest_.remove_prefix(1);
  }
  std::string take_until(std::string_view stops) {
    const std::size_t end = rest_.find_first_of(stops);
    expect(end != std::string_view::npos, "an end");
    std::string out(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return out;
  }
  std::string take_name() {
    std::string name = take_until(" \n\t/>=");
    expect(!name.empty() && std::isalpha(static_cast<unsigned char>(name[0])), "a name");
    return name;
  }
  void check_entities(std::string_view text) const {
    for (std::size_t at = text.find('&'); at != text.npos; at = text.find('&', at + 1))
      expect(text.find(';', at) < at + 8, "an entity");
  }
  void parse_attributes(XmlElement& element) {
    for (skip_space(); !rest_.starts_with('>') && !rest_.starts_with("/>"); skip_space()) {
      const std::string name = take_name();
      take("=\"");
      const std::string value = take_until("\"<");
      check_entities(value);
      take("\"");
      expect(element.attributes.emplace(name, value).second, "each attribute once");
    }
  }
  void parse_element() {
    take("<");
    const std::size_t index = elements_.size();
    elements_.push_back({take_name(), {}, {}});
    parse_attributes(elements_[index]);
    if (rest_.starts_with("/>")) return take("/>");
    take(">");
    parse_content(index);
    take("</" + elements_[index].name + ">");
  }
  void parse_content(std::size_t index) {
    while (!rest_.starts_with("</")) {
      if (rest_.starts_with('<')) {
        parse_element();
        continue;
      }
      const std::string text = take_until("<");
      check_entities(text);
      elements_[index].text += text;
    }
  }

  std::string_view rest_;
  std::size_t size_;
  std::vector<XmlElement> elements_;
};

}  // namespace

std::vector<XmlElement> parse_xml(std::string_view document) {
  return Parser(document).run();
}

}  // namespace quire
