/// \file
/// \brief A decoder of any family in plain loops over doubles: what the chapters' decoder is held against.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "src/core/ids.h"
#include "src/model/config.h"
#include "src/model/safetensors.h"

namespace quire::test {

/// \brief Rows of numbers, one row a token.
using Rows = std::vector<std::vector<double>>;

/// \brief Computes everything in double precision, written from the architecture's description and
/// sharing no code with the decoder under test.
class PlainDecoder {
 public:
  /// \brief Opens a model folder.
  /// \param folder  config.json and model.safetensors
  explicit PlainDecoder(const std::filesystem::path& folder);

  /// \brief Every intermediate value of a whole sequence, by the observer's name and the layer:
  /// "q 0", "attention 1", "logits -1". Q and K are taken after their norm, before the rotation.
  /// \param tokens  from position 0 on
  std::map<std::string, Rows> run(const std::vector<TokenId>& tokens) const;

  /// \brief The architecture.
  const ModelConfig& config() const { return config_; }

 private:
  Rows numbers(const std::string& name) const;
  Rows weight(const std::string& name) const;
  Rows linear(const Rows& x, const std::string& name) const;
  Rows norm(const Rows& x, const std::string& name) const;
  Rows norm_heads(Rows x, const std::string& name) const;
  double frequency(std::size_t pair) const;
  Rows attention(const Rows& q, const Rows& k, const Rows& v) const;
  void rotate(Rows& rows) const;

  ModelConfig config_;
  std::shared_ptr<const SafeTensors> checkpoint_;
};

}  // namespace quire::test
