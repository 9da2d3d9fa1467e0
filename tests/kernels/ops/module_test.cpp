#include "kernels/module.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "src/core/error.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

namespace quire::test {
namespace {

// $QUIRE_KERNELS, as long as this lives.
class ModulesIn {
 public:
  explicit ModulesIn(const std::filesystem::path& folder) {
    if (const char* before = std::getenv("QUIRE_KERNELS")) before_ = before;
    setenv("QUIRE_KERNELS", folder.c_str(), 1);
  }
  // An empty name is as good as none.
  ~ModulesIn() { setenv("QUIRE_KERNELS", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST(KernelModule, BesideTheProgramGivesOperators) {
  EXPECT_EQ(load_kernel_ops(KernelBackend::emulated)->name(), "emulated");
}

TEST(KernelModule, ErrorsInsideItAreErrorsOutside) {
  const auto ops = load_kernel_ops(KernelBackend::emulated);
  // More elements than the kernels take, which they alone know.
  const Buffer memory = ops->allocate(4096);
  const Tensor heads = memory.tensor(DType::f32, {1, 1, 258});
  const Tensor table = memory.tensor(DType::i32, {1, 1});
  const std::vector<Span> spans = {{.sequence = {}, .first_row = 0, .rows = 1, .context = 0}};
  const KvView view{heads, heads, 1, table, spans};
  expect_error([&] { ops->attend(heads, view, {}, heads); }, {"attend", "258", "256"});
}

TEST(KernelModule, AFolderWithoutItIsNamed) {
  const TemporaryFolder folder;
  const ModulesIn here(folder.path());
  expect_error([] { load_kernel_ops(KernelBackend::emulated); },
               {folder.path().string(), "quire_emulated.so", "QUIRE_KERNELS"});
  expect_error([] { load_kernel_ops(KernelBackend::gpu); },
               {folder.path().string(), "quire_cuda.so", "--device emulated"});
}

TEST(KernelModule, AFileThatIsNoneIsRefused) {
  const TemporaryFolder folder;
  const ModulesIn here(folder.path());
  std::ofstream(folder.path() / "quire_emulated.so") << "no module\n";
  expect_error([] { load_kernel_ops(KernelBackend::emulated); },
               {"cannot be loaded", "quire_emulated.so"});
}

}  // namespace
}  // namespace quire::test
