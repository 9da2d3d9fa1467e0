#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "src/core/error.h"
#include "src/model/config.h"

namespace {

// A folder of this process, gone with it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "quire_fuzz_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

// Whatever a config.json says, it is an Error, or all sizes are positive and fit each other.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  std::ofstream(folder.path() / "config.json", std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const quire::ModelConfig config = quire::load_config(folder.path());
    if (config.layers < 1 || config.hidden < 1 || config.head_dim < 1) std::abort();
    if (config.kv_heads < 1 || config.heads % config.kv_heads != 0) std::abort();
  } catch (const quire::Error&) {
  }
  return 0;
}
