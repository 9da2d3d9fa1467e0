/// \file
/// \brief Chapter 05: what a graphics card can hold, read and compute, by its data sheet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quire {

/// \brief The three numbers of a card that bound inference.
struct Card {
  std::string name;          ///< as it is sold
  std::uint64_t memory = 0;  ///< bytes
  double bandwidth = 0;      ///< bytes a second between memory and processor, at most
  double flops = 0;          ///< BF16 operations a second on dense matrices, at most

  /// \brief The intensity at which arithmetic and reading take equally long, in FLOPs a byte.
  double ridge() const { return flops / bandwidth; }
};

/// \brief The cards that have a name.
const std::vector<Card>& all_cards();

/// \brief A card by its name.
/// \param option  what gave the name, for messages
/// \param name    such as "A100-80" or "rtx 3070"
/// \throws Error that lists the names
const Card& card_named(std::string_view option, std::string_view name);

}  // namespace quire
