#include "tests/ops/device_tensor.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/close.h"

namespace quire::test {
namespace {

constexpr Index kBand = 256;
constexpr std::byte kGuard{0x5a};

Tensor bytes_at(std::byte* first, Index count) {
  return {first, DType::f16, {count / 2}};
}

void upload_bytes(Ops& ops, std::byte* first, const std::vector<std::byte>& bytes) {
  ops.upload(bytes.data(), bytes_at(first, static_cast<Index>(bytes.size())));
}

std::vector<std::byte> download_bytes(Ops& ops, std::byte* first, Index count) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  ops.download(bytes_at(first, count), bytes.data());
  return bytes;
}

}  // namespace

DeviceTensor::DeviceTensor(Ops& ops, Shape shape, DType dtype)
    : DeviceTensor(ops, TestTensor(shape, dtype).tensor()) {}

DeviceTensor::DeviceTensor(Ops& ops, ConstTensor host) : ops_(ops) {
  const auto band = std::vector<std::byte>(static_cast<std::size_t>(kBand), kGuard);
  memory_ = ops.allocate(2 * kBand + host.byte_count());
  std::byte* const first = memory_.tensor(DType::i32, {0}).bytes();
  tensor_ = {first + kBand, host.dtype(), host.shape()};
  upload_bytes(ops, first, band);
  upload_bytes(ops, tensor_.bytes() + tensor_.byte_count(), band);
  ops.upload(host.bytes(), tensor_);
}

DeviceTensor::DeviceTensor(Ops& ops, Shape shape, DType dtype, std::span<const float> values)
    : DeviceTensor(ops, shape, dtype) {
  const TestTensor host(shape, dtype);
  assign(host, values);
  ops.upload(host.tensor().bytes(), tensor_);
}

DeviceTensor::~DeviceTensor() {
  for (std::byte* band : {tensor_.bytes() - kBand, tensor_.bytes() + tensor_.byte_count()}) {
    const auto bytes = download_bytes(ops_, band, kBand);
    const bool intact =
        std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == kGuard; });
    if (!intact) {
      ADD_FAILURE() << "something was written outside a " << name_of(tensor_.dtype())
                    << " tensor of " << to_string(tensor_.shape());
    }
  }
}

TestTensor DeviceTensor::download() const {
  TestTensor host(tensor_.shape(), tensor_.dtype());
  ops_.download(tensor_, host.tensor().bytes());
  return host;
}

std::vector<float> DeviceTensor::floats() const {
  return floats_of(download());
}

std::vector<std::byte> DeviceTensor::bytes() const {
  const TestTensor host = download();
  return {host.tensor().bytes(), host.tensor().bytes() + host.tensor().byte_count()};
}

std::unique_ptr<DeviceTensor> device_ids(Ops& ops, const std::vector<std::int32_t>& values) {
  const TestTensor host({static_cast<Index>(values.size())}, DType::i32);
  std::copy(values.begin(), values.end(), host.values<std::int32_t>().begin());
  return std::make_unique<DeviceTensor>(ops, host.tensor());
}

Weight prepared(Ops& ops, ConstTensor host) {
  const auto copy = std::make_shared<TestTensor>(host.shape(), host.dtype());
  std::copy_n(host.bytes(), host.byte_count(), copy->tensor().bytes());
  return ops.prepare(copy->tensor(), copy);
}

std::vector<double> numbers_of(ConstTensor host) {
  return Values(host).numbers();
}

std::vector<float> floats_of(ConstTensor host) {
  const std::vector<double> numbers = numbers_of(host);
  return {numbers.begin(), numbers.end()};
}

}  // namespace quire::test
