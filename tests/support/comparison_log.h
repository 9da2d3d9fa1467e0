/// \file
/// \brief What comparisons found, by operator, implementation and dtype: the record behind
/// `./learn compare`.
///
/// Every call of close() is noted, and where the environment variable QUIRE_COMPARE names a file,
/// it holds all of them as JSON at the end of the test program. Nothing is to be done for that but
/// to say what is being compared, which fixtures do.
///
/// A comparison beyond its bound is a failure if its test fails. In a test that passes, it is a
/// mistake made on purpose that was noticed, since nothing else lets such a test pass.
#pragma once

#include <string>

#include "src/core/dtype.h"

namespace quire::test {

/// \brief Whose numbers a test compares.
struct Compared {
  std::string implementation;  ///< what a reader calls it: "eigen"
  std::string variant = {};    ///< in which way it ran: "3 threads", "descending"
  std::string version = {};    ///< which of several versions of the operator, if there are several

  /// \brief In any order.
  auto operator<=>(const Compared&) const = default;
};

/// \brief Says whose numbers are compared from here to the next call or the end of the running test.
/// The operator is the one that the test's suite is named after: `RmsNorm`, `AttendExact`.
/// \param compared  whose
void comparing(const Compared& compared);

/// \brief While it lives, comparisons are of weights, or keys and values, that are stored in a
/// format. Without it they are of F32.
class StoredAs {
 public:
  /// \brief Says so.
  /// \param dtype  the format
  explicit StoredAs(DType dtype);
  ~StoredAs();
  StoredAs(const StoredAs&) = delete;             ///< It puts back what was said before.
  StoredAs& operator=(const StoredAs&) = delete;  ///< It puts back what was said before.

 private:
  DType before_;
};

/// \brief How much of a bound an error takes: 1 is all of it. A bound of 0 leaves no room for any.
/// \param error  0 or more
/// \param bound  0 or more
double share_of_bound(double error, double bound);

/// \brief Notes a comparison; close() does, and others that hold results against bounds.
/// \param error  the normalised error, infinite if the numbers cannot be compared
/// \param bound  the largest error that is right
void note_comparison(double error, double bound);

}  // namespace quire::test
