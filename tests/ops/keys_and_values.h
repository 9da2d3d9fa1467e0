/// \file
/// \brief Sequences whose queries, keys and values are known densely, laid out in blocks as a test
/// likes: what attention must give is independent of the layout.
#pragma once

#include <cstdint>
#include <vector>

#include "src/core/random.h"
#include "src/ops/ops.h"
#include "tests/ops/oracle.h"

namespace quire::test {

/// \brief How heads are arranged.
struct Heads {
  int query = 1;     ///< query heads
  int kv = 1;        ///< key/value heads
  int head_dim = 8;  ///< elements a head
};

/// \brief The queries, keys and values of some sequences, for every position.
struct KeysAndValues {
  /// \brief Random numbers.
  /// \param random   where they come from
  /// \param heads    how heads are arranged
  /// \param dtype    what keys and values are stored as; they hold only numbers of this format
  /// \param lengths  positions of each sequence
  KeysAndValues(Random& random, const Heads& heads, DType dtype, const std::vector<int>& lengths);

  /// \brief The key of a position in one KV head, to be changed by a test.
  /// \param sequence  which sequence
  /// \param position  where in it
  /// \param head      which KV head
  std::span<float> key(int sequence, int position, int head = 0);
  /// \brief The value of a position in one KV head.
  /// \param sequence  which sequence
  /// \param position  where in it
  /// \param head      which KV head
  std::span<float> value(int sequence, int position, int head = 0);
  /// \brief The query of a position in one head.
  /// \param sequence  which sequence
  /// \param position  where in it
  /// \param head      which query head
  std::span<float> query(int sequence, int position, int head = 0);

  Heads heads;                        ///< how heads are arranged
  DType dtype;                        ///< what keys and values are stored as
  std::vector<std::vector<float>> q;  ///< of each sequence: [length, heads, head_dim]
  std::vector<std::vector<float>> k;  ///< of each sequence: [length, kv_heads, head_dim]
  std::vector<std::vector<float>> v;  ///< of each sequence: [length, kv_heads, head_dim]
};

/// \brief Where blocks lie.
struct Layout {
  int block_size = 0;         ///< 0: one block holds the longest sequence
  std::uint64_t shuffle = 0;  ///< 0: sequences one after the other; else a seed of their disorder
};

/// \brief The rows of a call; a span's sequence is an index into KeysAndValues.
/// \param spans  sequence, rows and context of each; first_row is filled in
std::vector<Span> in_row_order(std::vector<Span> spans);

/// \brief Runs Ops::attend. Slots that no row of the call may read hold NaN, table entries that
/// nobody may read are -1.
/// \param ops     the operators under test
/// \param known   what the sequences hold; up to the end of its span each is stored
/// \param spans   in row order
/// \param window  positions that a row sees; 0 means all
/// \param layout  where blocks lie
/// \return [rows, heads, head_dim]
std::vector<float> attend(Ops& ops, const KeysAndValues& known, const std::vector<Span>& spans,
                          int window = 0, const Layout& layout = {});

/// \brief A deliberate mistake, for negative controls.
enum class Mistake {
  none,         ///< the right result
  sees_next,    ///< each row sees one key too many at its end
  misses_self,  ///< each row misses its own key
  wide_window,  ///< a window is one position too wide
  other_heads,  ///< query head h reads KV head h % kv_heads
  no_scale,     ///< scores are not divided by sqrt(head_dim)
};

/// \brief What attend should give.
/// \param known    what the sequences hold
/// \param spans    in row order
/// \param window   positions that a row sees; 0 means all
/// \param unit     the unit roundoff
/// \param mistake  made on purpose
Oracle attend_oracle(const KeysAndValues& known, const std::vector<Span>& spans, int window,
                     double unit, Mistake mistake = Mistake::none);

}  // namespace quire::test
