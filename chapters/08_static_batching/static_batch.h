/// \file
/// \brief Chapter 08: a batch whose members begin together and leave together.
#pragma once

#include <span>
#include <vector>

#include "src/kv/kv_manager.h"

namespace quire {

/// \brief The limits of a batch.
struct BatchLimits {
  int budget = 512;        ///< the most rows of a step, at least 1
  int max_sequences = 16;  ///< the most members, at least 1
};

/// \brief One member of a batch, as bookkeeping sees it: numbers of tokens, no tokens.
struct BatchMember {
  SequenceId sequence{};  ///< its name
  int prompt = 0;         ///< tokens that it came with
  int limit = 0;          ///< the most tokens that it may generate
  int generated = 0;      ///< tokens that it has generated
  bool finished = false;  ///< its text has ended, and it waits for the others

  /// \brief Tokens that it knows.
  int known() const { return prompt + generated; }
};

/// \brief How many rows of a member a step feeds.
struct BatchShare {
  std::size_t member = 0;  ///< which, in the order of StaticBatch::members()
  int rows = 0;            ///< at least 1
  bool idle = false;       ///< its text has ended: the row is fed because it is there
};

/// \brief Says what a static batch feeds, step by step, over any manager.
///
/// First all prompts are stored, a budget of rows at a time; then every step feeds one row for every
/// member. Nobody joins and nobody leaves until all texts have ended: a member whose text has ended
/// is fed its last stored token again, in its place, and what comes of it is thrown away. A step is:
/// next(), the work, commit(), and know() for each share that gives a token.
class StaticBatch {
 public:
  /// \brief A batch without members.
  /// \param manager  bookkeeping of the cache; must outlive the batch
  /// \param limits   of the batch and its steps
  /// \throws Error if a limit is less than 1
  StaticBatch(KvManager& manager, const BatchLimits& limits);
  /// \brief All members leave.
  ~StaticBatch();
  StaticBatch(const StaticBatch&) = delete;             ///< One owner of the sequences.
  StaticBatch& operator=(const StaticBatch&) = delete;  ///< One owner of the sequences.

  /// \brief A member comes in, before the first step.
  /// \param sequence  a name that is not open
  /// \param prompt    at least one token
  /// \param limit     the most tokens that it may generate, at least 1
  /// \return false if the batch is full: the limit of members or the budget is reached, or the
  ///         manager has no room
  /// \throws Error as KvManager::open, or if a number is less than 1
  bool add(SequenceId sequence, std::span<const TokenId> prompt, int limit);

  /// \brief Plans the next step, and reserves its rows.
  /// \return at most `budget` rows; none once all texts have ended
  std::vector<BatchShare> next();
  /// \brief The step ran: its rows are stored.
  /// \param shares  what next() returned last
  void commit(std::span<const BatchShare> shares);
  /// \brief Whether the last row of a share gives its member a new token. Asked after commit().
  /// \param share  of the step that was committed last
  bool gives_token(const BatchShare& share) const;
  /// \brief A member has one token more.
  /// \param member  which
  /// \param ends    whether its text ends with it; it does at the member's limit in any case
  void know(std::size_t member, bool ends = false);

  /// \brief All members, in the order in which they came.
  const std::vector<BatchMember>& members() const { return members_; }
  /// \brief Whether every text has ended; there is no next step then.
  bool all_finished() const;
  /// \brief The names of those whose text has ended.
  std::vector<SequenceId> finished() const;

 private:
  std::vector<BatchShare> prompt_shares() const;
  std::vector<BatchShare> decode_shares() const;
  KvManager& manager_;
  BatchLimits limits_;
  std::vector<BatchMember> members_;
};

}  // namespace quire
