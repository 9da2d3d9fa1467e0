#include "src/app/log_file.h"

#include <utility>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {

LogFile::LogFile(std::string file) : file_(std::move(file)) {
  if (file_.empty()) return;
  out_.open(file_, std::ios::binary);
  require(out_.is_open(), "cannot write {}; name another place with --log", in_quotes(file_));
  log_.emplace(out_);
}

void LogFile::close() {
  if (!log_) return;
  log_->end();
  out_.close();
  require(!out_.fail(), "cannot write all of {}; name another place with --log", in_quotes(file_));
}

}  // namespace quire
