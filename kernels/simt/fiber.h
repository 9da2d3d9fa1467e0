/// \file
/// \brief A function with a stack of its own, which can stop in the middle and go on later.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>
#include <string>

namespace quire::simt::detail {

/// \brief Plays one CUDA thread. A switch saves the registers that a call must keep and nothing else;
/// below each stack lies a page that may not be touched.
class Fiber {
 public:
  /// \brief Makes the stack; runs nothing yet.
  /// \param name  what reports of ThreadSanitizer call it
  /// \param body  must neither return nor throw
  Fiber(const std::string& name, std::function<void()> body);
  Fiber(const Fiber&) = delete;             ///< A stack is not copied.
  Fiber& operator=(const Fiber&) = delete;  ///< A stack is not copied.

  /// \brief Called from outside: runs the body until it suspends.
  void resume();
  /// \brief Called by the body: returns from resume().
  void suspend();

 private:
  // What AddressSanitizer and ThreadSanitizer keep for each stack; unused without them.
  struct Stack {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    void* address_state = nullptr;
    void* thread_state = nullptr;
  };

  std::function<void()> body_;
  boost::context::fiber inside_;   // where resume() goes on
  boost::context::fiber outside_;  // where suspend() goes on
  Stack inside_stack_, outside_stack_;
};

}  // namespace quire::simt::detail
