#include "kernels/ops/kernel_ops.h"

#include "kernels/add/add.h"
#include "kernels/add_bias/add_bias.h"
#include "kernels/copy_blocks/copy_blocks.h"
#include "kernels/embed/embed.h"
#include "kernels/gather_rows/gather_rows.h"
#include "kernels/linear/linear.h"
#include "kernels/ops/stored.h"
#include "kernels/rms_norm/rms_norm.h"
#include "kernels/rope_and_store/rope_and_store.h"
#include "kernels/silu_mul/silu_mul.h"

namespace quire {

using kernels::first_of;
using kernels::with_stored;

KernelOps::KernelOps(std::string_view name, kernels::AttentionKernel attention)
    : name_(name),
      library_(kernels::library_product(stream_)),
      attention_(*this, stream_, attention) {}

void KernelOps::do_embed(const Weight& table, ConstTensor tokens, Tensor out) {
  with_stored(table.tensor, [&](const auto* rows) {
    kernels::embed(first_of<float>(out), rows, first_of<std::int32_t>(tokens), out.extent(0),
                   out.shape().row_size(), stream_);
  });
}

void KernelOps::do_rms_norm(ConstTensor x, const Weight& gain, float epsilon, Tensor out) {
  with_stored(gain.tensor, [&](const auto* gains) {
    kernels::rms_norm(first_of<float>(out), first_of<float>(x), nullptr, nullptr, gains, epsilon,
                      out.extent(0), out.shape().row_size(), stream_);
  });
}

void KernelOps::do_linear(ConstTensor x, const Weight& weight, Tensor out) {
  const kernels::LinearShape shape{
      .rows = out.extent(0), .inputs = x.shape().row_size(), .outputs = out.shape().row_size()};
  const bool are_many = shape.rows > kernels::kFewRows && shape.inputs > 0;
  if (library_ && are_many) return library_->multiply(x, weight.tensor, out);
  with_stored(weight.tensor, [&](const auto* weights) {
    kernels::linear(first_of<float>(out), first_of<float>(x), weights, shape, stream_);
  });
}

void KernelOps::do_add_bias(const Weight& bias, Tensor out) {
  with_stored(bias.tensor, [&](const auto* biases) {
    kernels::add_bias(first_of<float>(out), biases, out.extent(0), out.shape().row_size(), stream_);
  });
}

void KernelOps::do_rope_and_store(Tensor q, ConstTensor k, ConstTensor v, ConstTensor rotation,
                                  const KvSlots& slots) {
  const kernels::RopeShape shape{
      .rows = q.extent(0), .heads = q.extent(1), .kv_heads = k.extent(1), .head_dim = q.extent(2)};
  with_stored(slots.k, [&](auto* keys) {
    using Stored = std::remove_pointer_t<decltype(keys)>;
    kernels::rope_and_store(first_of<float>(q), first_of<float>(k), first_of<float>(v),
                            first_of<float>(rotation), keys, first_of<Stored>(slots.v),
                            first_of<std::int64_t>(slots.of_rows), shape, stream_);
  });
}

void KernelOps::do_attend(ConstTensor q, const KvView& view, const AttentionMask& mask,
                          Tensor out) {
  attention_.run(q, view, mask, out);
}

void KernelOps::do_silu_mul(ConstTensor gate, ConstTensor up, Tensor out) {
  kernels::silu_mul(first_of<float>(out), first_of<float>(gate), first_of<float>(up), out.size(),
                    stream_);
}

void KernelOps::do_add(ConstTensor x, Tensor out) {
  kernels::add(first_of<float>(out), first_of<float>(x), out.size(), stream_);
}

void KernelOps::do_gather_rows(ConstTensor x, ConstTensor rows, Tensor out) {
  kernels::gather_rows(first_of<float>(out), first_of<float>(x), first_of<std::int32_t>(rows),
                       out.extent(0), out.shape().row_size(), stream_);
}

void KernelOps::do_copy_blocks(Tensor storage, ConstTensor pairs, int block_size) {
  const auto row_bytes = storage.shape().row_size() * static_cast<Index>(size_of(storage.dtype()));
  kernels::copy_blocks(storage.bytes(), first_of<std::int32_t>(pairs), pairs.extent(0),
                       block_size * row_bytes, stream_);
}

}  // namespace quire
