// cuBLASLt's product, the choice on a GPU where a step has many rows. Compiled wherever the toolkit is;
// it runs where there is a GPU, and only there can it be tested: the suite in tests/ops does.
//
// The library's matrices are column-major, so our [rows, inputs] is its [inputs, rows], and the product
// that it computes is out^T = weight * x^T: weight, which it sees as [inputs, outputs], transposed.
// Both factors have one type, and activations are F32; a 16-bit weight is widened first, into memory
// that is kept. That reads 2 bytes and writes and reads 4 for each of its elements, which is little
// beside the product of many rows.
#include <cublasLt.h>

#include <algorithm>
#include <cstdint>

#include "kernels/linear/library_product.h"
#include "kernels/linear/widen.h"
#include "src/core/error.h"

namespace quire::kernels {
namespace {

constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;

void check(cublasStatus_t status, const char* what) {
  require(status == CUBLAS_STATUS_SUCCESS, "cuBLASLt: {}: {}", what,
          cublasLtGetStatusString(status));
}

// A column-major matrix without padding.
class Layout {
 public:
  Layout(std::int64_t rows, std::int64_t columns) {
    check(cublasLtMatrixLayoutCreate(&layout_, CUDA_R_32F, static_cast<std::uint64_t>(rows),
                                     static_cast<std::uint64_t>(columns), rows),
          "a matrix layout");
  }
  ~Layout() { cublasLtMatrixLayoutDestroy(layout_); }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  operator cublasLtMatrixLayout_t() const { return layout_; }

 private:
  cublasLtMatrixLayout_t layout_ = nullptr;
};

// F32 arithmetic, not TF32; the first factor transposed.
class Product {
 public:
  Product() {
    check(cublasLtMatmulDescCreate(&product_, CUBLAS_COMPUTE_32F, CUDA_R_32F), "a product");
    const cublasOperation_t transposed = CUBLAS_OP_T;
    check(cublasLtMatmulDescSetAttribute(product_, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                         sizeof transposed),
          "a transposed factor");
  }
  ~Product() { cublasLtMatmulDescDestroy(product_); }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  operator cublasLtMatmulDesc_t() const { return product_; }

 private:
  cublasLtMatmulDesc_t product_ = nullptr;
};

// At how large a power of two an address is, up to the 256 bytes of allocated memory.
std::uint32_t alignment_of(const void* address) {
  const auto bits = reinterpret_cast<std::uintptr_t>(address);
  return static_cast<std::uint32_t>(std::min<std::uintptr_t>(bits & (~bits + 1), 256));
}

// What an algorithm may rely on. Unless told, the library takes it that there is no workspace and that
// every matrix begins at a boundary of 256 bytes; tensors of a step begin at boundaries of 64.
class Preference {
 public:
  Preference(const void* a, const void* b, const void* c) {
    check(cublasLtMatmulPreferenceCreate(&preference_), "a preference");
    set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{kWorkspaceBytes});
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of(a));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_of(b));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_of(c));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_of(c));
  }
  ~Preference() { cublasLtMatmulPreferenceDestroy(preference_); }
  Preference(const Preference&) = delete;
  Preference& operator=(const Preference&) = delete;
  operator cublasLtMatmulPreference_t() const { return preference_; }

 private:
  template <class Value>
  void set(cublasLtMatmulPreferenceAttributes_t attribute, Value value) {
    check(cublasLtMatmulPreferenceSetAttribute(preference_, attribute, &value, sizeof value),
          "a preference");
  }

  cublasLtMatmulPreference_t preference_ = nullptr;
};

class CublasLt final : public LibraryProduct {
 public:
  explicit CublasLt(simt::Stream stream) : stream_(stream) {
    check(cublasLtCreate(&handle_), "it does not start");
  }
  ~CublasLt() override { cublasLtDestroy(handle_); }

  void multiply(ConstTensor x, ConstTensor weight, Tensor out) override {
    const Index rows = x.extent(0), inputs = x.shape().row_size(), outputs = weight.extent(0);
    if (out.size() == 0) return;
    const float one = 1, zero = 0;
    const void* const wide = in_f32(weight);
    const Product product;
    const Layout weight_layout(inputs, outputs), x_layout(inputs, rows), out_layout(outputs, rows);
    const Preference preference(wide, x.bytes(), out.bytes());
    cublasLtMatmulHeuristicResult_t best{};
    int found = 0;
    check(cublasLtMatmulAlgoGetHeuristic(handle_, product, weight_layout, x_layout, out_layout,
                                         out_layout, preference, 1, &best, &found),
          "an algorithm");
    require(found > 0, "cuBLASLt: it has no product of [{}, {}] and [{}, {}]", rows, inputs, inputs,
            outputs);
    check(cublasLtMatmul(handle_, product, &one, wide, weight_layout, x.bytes(), x_layout, &zero,
                         out.bytes(), out_layout, out.bytes(), out_layout, &best.algo,
                         workspace_.tensor(DType::i32, {0}).bytes(), kWorkspaceBytes, stream_),
          "a product");
  }

 private:
  const void* in_f32(ConstTensor weight) {
    if (weight.dtype() == DType::f32) return weight.bytes();
    const std::size_t bytes = static_cast<std::size_t>(weight.size()) * sizeof(float);
    if (wide_.bytes() < bytes) wide_ = {simt::allocate(bytes), bytes, simt::release};
    float* const wide = wide_.tensor(DType::f32, {0}).values<float>().data();
    if (weight.dtype() == DType::f16) {
      widen(wide, weight.values<Float16>().data(), weight.size(), stream_);
    } else {
      widen(wide, weight.values<BFloat16>().data(), weight.size(), stream_);
    }
    return wide;
  }

  simt::Stream stream_;
  Buffer workspace_{simt::allocate(kWorkspaceBytes), kWorkspaceBytes, simt::release}, wide_;
  cublasLtHandle_t handle_ = nullptr;
};

}  // namespace

std::unique_ptr<LibraryProduct> library_product(simt::Stream stream) {
  return std::make_unique<CublasLt>(stream);
}

}  // namespace quire::kernels
