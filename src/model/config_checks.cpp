#include "src/model/config_checks.h"

#include "src/core/error.h"

namespace quire {

void refuse_unless(const JsonObject& config, std::string_view key, const Json& harmless) {
  const Json* value = config.find(key);
  if (value == nullptr || *value == harmless) return;
  fail("{} is {}, which Quire does not support; it must be {} or absent", config.name_of(key),
       shown(*value), shown(harmless));
}

}  // namespace quire
