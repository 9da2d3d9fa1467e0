// Runs one kernel of broken.cu under ThreadSanitizer, which prints what it finds. 06_cuda_kernels starts
// this program and reads that.
#include <cstdio>
#include <string_view>
#include <vector>

#include "chapters/06_cuda_kernels/broken.h"
#include "kernels/simt/device_array.h"
#include "src/core/error.h"

// Races are what is asked for, not a failure.
extern "C" const char* __tsan_default_options() {
  return "exitcode=0";
}

int main(int argc, char** argv) {
  for (const quire::BrokenKernel& kernel : quire::broken_kernels()) {
    if (argc != 2 || kernel.name != argv[1]) continue;
    const quire::simt::DeviceArray<float> x(std::vector<float>(quire::kBrokenThreads, 1.0f)),
        out(quire::kBrokenThreads);
    try {
      kernel.launch(out.data(), x.data());
    } catch (const quire::Error& error) {
      std::printf("%s\n", error.what());
    }
    std::printf("ran to its end\n");
    return 0;
  }
  std::fprintf(stderr, "error: which kernel? Give one name of broken.cu\n");
  return 2;
}
