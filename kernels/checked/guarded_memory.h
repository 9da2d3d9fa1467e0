/// \file
/// \brief Memory that faults wherever and whenever nobody may touch it.
#pragma once

#include <cstddef>
#include <map>
#include <span>

namespace quire::simt {

/// \brief Pieces of one reserved range of addresses. Closed, all of it faults; open, what lies between
/// the pieces and what was given back still does.
///
/// A piece has pages of its own and ends where they end, as far as its alignment of 256 bytes allows;
/// behind it is a page that is never open. No address is given out twice.
class GuardedMemory {
 public:
  /// \brief Who may touch the pieces.
  enum class Access {
    closed,  ///< nobody
    open,    ///< everybody
  };

  /// \brief No pieces yet.
  /// \param access  of those to come
  /// \throws Error if the system has no such range of addresses
  explicit GuardedMemory(Access access);
  GuardedMemory(const GuardedMemory&) = delete;             ///< The range has one owner.
  GuardedMemory& operator=(const GuardedMemory&) = delete;  ///< The range has one owner.
  ~GuardedMemory();

  /// \brief A new piece, filled with NaN.
  /// \param bytes  its size, more than 0
  /// \throws Error if there is not so much
  void* take(std::size_t bytes);
  /// \brief Whoever touches this piece from now on faults.
  /// \param memory  from take(); anything else ends the program
  void give_back(void* memory) noexcept;
  /// \brief Whether an address is in a piece, or right behind its last byte.
  /// \param address  any
  bool has(const void* address) const;

  /// \brief Opens or closes all pieces.
  /// \param access  from now on
  void set(Access access) noexcept;

 private:
  using Pages = std::span<std::byte>;
  void protect(Pages pages, Access access) const noexcept;

  Access access_;
  Pages range_, unused_;
  std::map<const std::byte*, Pages> pieces_;  // by their first byte
};

}  // namespace quire::simt
