#include "chapters/05_memory_and_roofline/cards.h"

#include "chapters/05_memory_and_roofline/names.h"

namespace quire {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr double kGiga = 1e9, kTera = 1e12;

// The vendor sells "80 GB" and the driver finds about so many GiB. FLOPs are those of BF16 tensor
// cores with F32 accumulation and without sparsity: data sheets print twice as much with it.
std::vector<Card> cards() {
  return {
      // NVIDIA A100 Tensor Core GPU data sheet (2021): 40 GB HBM2 and 80 GB SXM HBM2e.
      {"A100-40", 40 * kGiB, 1555 * kGiga, 312 * kTera},
      {"A100-80", 80 * kGiB, 2039 * kGiga, 312 * kTera},
      // NVIDIA H100 Tensor Core GPU data sheet, SXM; 989.4 from the Hopper white paper (2022).
      {"H100", 80 * kGiB, 3350 * kGiga, 989.4 * kTera},
      // NVIDIA H200 Tensor Core GPU data sheet, SXM (2023); the processor is that of the H100.
      {"H200", 141 * kGiB, 4800 * kGiga, 989.4 * kTera},
      // NVIDIA Ampere GA102 white paper (2020), appendix A, GeForce RTX 3070.
      {"RTX-3070", 8 * kGiB, 448 * kGiga, 40.6 * kTera},
      // NVIDIA Ada GPU architecture white paper (2022), appendix A, GeForce RTX 4090.
      {"RTX-4090", 24 * kGiB, 1008 * kGiga, 165.2 * kTera},
  };
}

}  // namespace

const std::vector<Card>& all_cards() {
  static const std::vector<Card> all = cards();
  return all;
}

const Card& card_named(std::string_view option, std::string_view name) {
  return find_named(option, name, all_cards());
}

}  // namespace quire
