/// \file
/// \brief A small config.json that is right, and what becomes of it when it is changed.
#pragma once

#include <functional>
#include <initializer_list>
#include <string_view>

#include "src/core/json.h"
#include "src/model/config.h"

namespace quire::test {

/// \brief Changes a config.json before it is read.
using Change = std::function<void(Json&)>;

/// \brief Changes nothing.
inline void nothing(Json&) {}

/// \brief A change, and what the message of the error must name.
struct Refusal {
  Change change;                                  ///< what is done to small_config()
  std::initializer_list<std::string_view> words;  ///< parts of the message
};

/// \brief Three layers of a Llama.
Json small_config();

/// \brief Reads small_config() after a change.
/// \param change      what is done to it
/// \param generation  generation_config.json, if there shall be one
ModelConfig load(const Change& change, const Json& generation = nullptr);

}  // namespace quire::test
