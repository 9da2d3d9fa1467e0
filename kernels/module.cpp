#include "kernels/module.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "kernels/make_ops.h"
#include "src/core/error.h"

namespace quire {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInstead = "--device emulated runs the same kernels on the processor";

std::string_view file_of(KernelBackend backend) {
  return backend == KernelBackend::gpu ? "quire_cuda.so" : "quire_emulated.so";
}

// $QUIRE_KERNELS, or build/<preset>/lib for a program in build/<preset>/bin.
fs::path modules_folder() {
  const char* folder = std::getenv("QUIRE_KERNELS");
  if (folder != nullptr && *folder != '\0') return folder;
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib";
}

void expect_there(KernelBackend backend, const fs::path& file) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) return;
  if (backend == KernelBackend::gpu) {
    fail("there are no kernels for a GPU: {} is not there, since no CUDA compiler built it; {}",
         file.string(), kInstead);
  }
  fail("the kernels are missing: {} is not there; $QUIRE_KERNELS may name its folder",
       file.string());
}

MakeKernelOps* make_function_of(KernelBackend backend) {
  const fs::path file = modules_folder() / file_of(backend);
  expect_there(backend, file);
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) {
    fail("the kernels cannot be loaded: {}; {}", dlerror(),
         backend == KernelBackend::gpu ? kInstead : "build it anew, with ./learn test");
  }
  void* const function = dlsym(module, kMakeKernelOps);
  require(function != nullptr, "{} is no module of kernels", file.string());
  return reinterpret_cast<MakeKernelOps*>(function);
}

}  // namespace

std::unique_ptr<Ops> load_kernel_ops(KernelBackend backend) {
  std::unique_ptr<Ops> ops;
  make_function_of(backend)(ops);
  return ops;
}

}  // namespace quire
