#include "src/app/loaded_model.h"

#include <gtest/gtest.h>

#include "src/app/options.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

namespace quire {
namespace {

namespace fs = std::filesystem;
using test::expect_error;

TEST(LoadedModel, AFolderThatLacksAFileSaysWhatBelongsThere) {
  for (const char* absent : {"config.json", "model.safetensors", "tokenizer.json"}) {
    const test::TemporaryFolder folder;
    for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"}) {
      if (std::string_view(name) != absent)
        fs::create_symlink(data_folder() / "model" / name, folder.path() / name);
    }
    expect_error([&] { load_model(folder.path()); },
                 {folder.path().string(), std::string(absent) + " is missing",
                  "holds config.json, model.safetensors and tokenizer.json"});
  }
}

}  // namespace
}  // namespace quire
