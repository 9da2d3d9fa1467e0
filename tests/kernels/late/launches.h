/// \file
/// \brief Launches that show what a late device does.
#pragma once

namespace quire::test {

/// \brief A struct among a kernel's arguments: nobody sees the pointer in it before the kernel does.
struct Holder {
  const float* number;  ///< one, in device memory
};

/// \brief *out = *holder.number.
/// \param out      one number
/// \param holder   where it is
/// \param threads  of the one block; all do the same
void read_through(float* out, Holder holder, unsigned threads = 1);

/// \brief Shuffles from a lane that is not there, which is an error in the kernel.
/// \param out  one number
void shuffle_from_nobody(float* out);

}  // namespace quire::test
