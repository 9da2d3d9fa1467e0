// cuBLASLt's product, the choice on a GPU where a step has many rows. Compiled wherever the toolkit is;
// it runs where there is a GPU, and only there can it be tested: the suite in tests/ops does.
//
// The library's matrices are column-major, so our [rows, inputs] is its [inputs, rows], and the product
// that it computes is out^T = weight * x^T: weight, which it sees as [inputs, outputs], transposed.
// Both factors have one type, and activations are F32; a 16-bit weight is widened first, into memory
// that is kept. That reads 2 bytes and writes and reads 4 for each of its elements, which is little
// beside the product of many rows.
#include <cublasLt.h>

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

class CublasLt final : public LibraryProduct {
 public:
  explicit CublasLt(simt::Stream stream) : stream_(stream) {
    check(cublasLtCreate(&handle_), "it does not start");
    workspace_ = {simt::allocate(kWorkspaceBytes), kWorkspaceBytes, simt::release};
  }
  ~CublasLt() override { cublasLtDestroy(handle_); }

  void multiply(ConstTensor x, ConstTensor weight, Tensor out) override {
    const Index rows = x.extent(0), inputs = x.shape().row_size(), outputs = weight.extent(0);
    if (out.size() == 0) return;
    const float one = 1, zero = 0;
    const Layout weight_layout(inputs, outputs), x_layout(inputs, rows), out_layout(outputs, rows);
    check(cublasLtMatmul(handle_, Product(), &one, in_f32(weight), weight_layout, x.bytes(),
                         x_layout, &zero, out.bytes(), out_layout, out.bytes(), out_layout, nullptr,
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
  cublasLtHandle_t handle_ = nullptr;
  Buffer workspace_, wide_;
};

}  // namespace

std::unique_ptr<LibraryProduct> library_product(simt::Stream stream) {
  return std::make_unique<CublasLt>(stream);
}

}  // namespace quire::kernels
