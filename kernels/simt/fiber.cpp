#include "kernels/simt/fiber.h"

#include <boost/context/preallocated.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstdlib>
#include <utility>

#include "kernels/simt/sanitizer.h"

namespace quire::simt::detail {
namespace {

// Sanitizers make the frames of functions larger.
constexpr std::size_t kStackBytes = (QUIRE_ADDRESS_SANITIZER || QUIRE_RACES ? 256 : 64) * 1024;

}  // namespace

Fiber::Fiber(const std::string& name, std::function<void()> body) : body_(std::move(body)) {
  boost::context::protected_fixedsize_stack allocator(kStackBytes);
  const auto memory = allocator.allocate();
  inside_stack_.bottom = static_cast<char*>(memory.sp) - memory.size;
  inside_stack_.bytes = memory.size;
  inside_stack_.thread_state = sanitizer::new_stack(name.c_str());
  inside_ = boost::context::fiber(
      std::allocator_arg, boost::context::preallocated(memory.sp, memory.size, memory), allocator,
      [this](boost::context::fiber&& outside) -> boost::context::fiber {
        sanitizer::switched(nullptr, &outside_stack_.bottom, &outside_stack_.bytes);
        outside_ = std::move(outside);
        body_();
        std::abort();
      });
}

void Fiber::resume() {
  outside_stack_.thread_state = sanitizer::this_stack();
  sanitizer::about_to_switch(&outside_stack_.address_state, inside_stack_.bottom,
                             inside_stack_.bytes, inside_stack_.thread_state);
  inside_ = std::move(inside_).resume();
  sanitizer::switched(outside_stack_.address_state, nullptr, nullptr);
}

void Fiber::suspend() {
  sanitizer::about_to_switch(&inside_stack_.address_state, outside_stack_.bottom,
                             outside_stack_.bytes, outside_stack_.thread_state);
  outside_ = std::move(outside_).resume();
  sanitizer::switched(inside_stack_.address_state, &outside_stack_.bottom, &outside_stack_.bytes);
}

}  // namespace quire::simt::detail
