/// \file
/// \brief The tokens of a model: their ids, how the file spells them, and the bytes they stand for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/core/ids.h"

namespace quire {

/// \brief How tokenizer.json writes the bytes of tokens.
enum class Alphabet {
  byte_level,     ///< a character for each byte: "Ġthe"
  byte_fallback,  ///< text, U+2581 for a space, some bytes by number: "▁the", "<0x0A>"
};

/// \brief The tokens of a model.
///
/// A model may know more ids than its tokenizer: the table of its embeddings is often padded to a
/// round number of rows. Ids beyond the highest are such padding rows and stand for no bytes.
class Vocabulary {
 public:
  /// \brief A vocabulary without tokens.
  /// \param alphabet  how tokens are written
  explicit Vocabulary(Alphabet alphabet) : alphabet_(alphabet) {}

  /// \brief Adds a token. Its bytes are its spelling read in the alphabet, or the spelling itself
  /// where that is not written in the byte-level alphabet.
  /// \param spelling  as tokenizer.json has it, not empty
  /// \param id        0 <= id < 2^24; the table of tokens is as long as the highest id
  /// \param where     what to call the source in messages
  /// \throws Error if the spelling or the id is already there, or if it is a malformed byte piece
  void add(const std::string& spelling, TokenId id, std::string_view where);
  /// \brief Marks a token as special: it steers the model and is no part of the text.
  /// \param id  a token
  void mark_special(TokenId id);

  /// \brief One more than the highest id.
  int size() const { return static_cast<int>(entries_.size()); }
  /// \brief The id of a token.
  /// \param spelling  as tokenizer.json has it
  /// \return none if there is no such token
  std::optional<TokenId> id_of(const std::string& spelling) const;
  /// \brief The bytes that a token stands for; none for an id that the file leaves out, and none
  /// for a padding row.
  /// \param id  at least 0
  /// \throws Error if it is negative
  std::string_view bytes(TokenId id) const { return entry(id).bytes; }
  /// \brief Whether a token is special.
  /// \param id  at least 0
  /// \throws Error if it is negative
  bool is_special(TokenId id) const { return entry(id).special; }

 private:
  struct Entry {
    std::string bytes;
    bool taken = false;
    bool special = false;
  };

  const Entry& entry(TokenId id) const;
  std::string_view spelling_of(TokenId id) const;  // slow: for messages

  Alphabet alphabet_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, TokenId> ids_;
};

}  // namespace quire
