#include "src/ops/check.h"

#include "src/core/error.h"

namespace quire {

void check_argument(Operator op, std::string_view argument, ConstTensor x, DType dtype,
                    const Shape& shape) {
  // Shapes become text only where they are wrong: this runs many times a step.
  if (x.dtype() == dtype && x.shape() == shape) return;
  fail("{}: {} is {} {}, expected {} {}", name_of(op), argument, name_of(x.dtype()),
       to_string(x.shape()), name_of(dtype), to_string(shape));
}

void check_stored(Operator op, std::string_view argument, ConstTensor x, const Shape& shape) {
  const DType dtype = x.dtype();
  require(dtype != DType::i32 && dtype != DType::i64, "{}: {} holds {}, expected F32, F16 or BF16",
          name_of(op), argument, name_of(dtype));
  if (x.shape() == shape) return;
  fail("{}: {} is {}, expected {}", name_of(op), argument, to_string(x.shape()), to_string(shape));
}

void check_weight(Operator op, std::string_view argument, const Weight& weight,
                  const Shape& shape) {
  check_stored(op, argument, weight.tensor, shape);
}

}  // namespace quire
