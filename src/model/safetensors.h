/// \file
/// \brief Reading safetensors files: a JSON header with names, shapes and places, then the numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "src/core/tensor.h"
#include "src/model/checkpoint.h"
#include "src/model/mapped_file.h"
#include "src/model/safetensors_header.h"

namespace quire {

/// \brief A safetensors file, mapped into memory and never written.
///
/// The file is taken to be hostile: the whole header is checked before any number is looked at, so
/// no view reaches outside the file, and no two overlap. Tensors are views into the file, except
/// that one whose place is not a multiple of its element size is a copy. Format: little-endian
/// 64-bit header length, header (JSON: name, dtype, shape, data_offsets), data without gaps.
class SafeTensors : public Checkpoint {
 public:
  /// \brief Maps and checks a file. Reads the header, and the tensors that need a copy.
  /// \param file  a safetensors file, which must not be cut while it is open
  /// \throws Error if it is missing, cut short, or breaks a rule of the format
  static std::shared_ptr<const SafeTensors> open(const std::filesystem::path& file);

  const std::filesystem::path& path() const override { return path_; }
  std::vector<std::string> names() const override;
  bool contains(const std::string& name) const override { return entries_.contains(name); }
  std::uint64_t data_bytes() const override;
  ConstTensor tensor(const std::string& name) const override;
  void let_go(ConstTensor tensor) const override {
    file_.let_go({tensor.bytes(), tensor.byte_count()});
  }

 private:
  explicit SafeTensors(const std::filesystem::path& file);

  void read_header();
  void copy_misaligned();

  std::filesystem::path path_;
  MappedFile file_;
  const std::byte* data_ = nullptr;
  TensorEntries entries_;
  std::map<std::string, Buffer> copies_;
};

}  // namespace quire
