#include "src/model/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "src/core/error.h"

namespace quire {
namespace {

class Descriptor {
 public:
  // Opening a pipe would otherwise wait for somebody to write into it.
  explicit Descriptor(const std::filesystem::path& file)
      : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

std::string reason() {
  return std::generic_category().message(errno);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& file) {
  const Descriptor descriptor(file);
  require(descriptor.number() >= 0, "{} cannot be opened: {}", file.string(), reason());
  struct stat status {};
  require(::fstat(descriptor.number(), &status) == 0, "{} cannot be read: {}", file.string(),
          reason());
  require(S_ISREG(status.st_mode), "{} is not a regular file", file.string());
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number(), 0);
  require(data != MAP_FAILED, "{} cannot be mapped: {}", file.string(), reason());
  bytes_ = {static_cast<const std::byte*>(data), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void MappedFile::let_go(std::span<const std::byte> part) const {
  const auto address = [](const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); };
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t file = address(bytes_.data()), begin = address(part.data());
  if (part.empty() || begin < file || begin + part.size() > file + bytes_.size()) return;
  // Whole pages only; those at the ends belong to a neighbour too.
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + part.size()) / page * page;
  // Advice: if the system does not take it, the pages stay.
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace quire
