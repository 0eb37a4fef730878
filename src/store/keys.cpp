// SPDX-License-Identifier: Apache-2.0
// Keys of folders.
#include "store/keys.hpp"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace tw::store {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMostKeys = size_t{1} << 22;
constexpr int kMostLevels = 16;

class FolderKeys {
public:
  Result<Keys> read(const std::string &folder) {
    TW_TRY(take(folder, "", 0));
    return std::move(keys_);
  }

private:
  Status take(const fs::path &folder, const std::string &before, int level) {
    if (level == kMostLevels)
      return fail(Code::unimplemented, "TW-902",
                  fmt::format("{}: folders are {} levels deep", folder.string(), kMostLevels));
    std::error_code error;
    if (fs::exists(folder / kManifest, error)) {
      TW_ASSIGN(Keys found, keys_of_database(folder.string(), files_));
      for (auto &[key, value] : found)
        keys_.emplace(before + key, std::move(value));
      return {};
    }
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      const std::string name = at->path().filename().string();
      if (at->is_directory(error)) {
        TW_TRY(take(at->path(), before + name + "/", level + 1));
      } else if (at->is_regular_file(error)) {
        TW_ASSIGN(auto file, open_bytes(at->path().string(), files_));
        const uint64_t size = file->size();
        keys_.emplace(before + name, KeyValue{std::move(file), 0, size});
      }
      if (keys_.size() > kMostKeys)
        return fail(Code::resource_exhausted, "TW-902",
                    fmt::format("{}: there are more than {} files", folder.string(), kMostKeys));
    }
    if (error)
      return fail(file_error("read", folder.string(), error.value()));
    return {};
  }

  const std::shared_ptr<OpenFiles> files_ = std::make_shared<OpenFiles>(O_RDONLY);
  Keys keys_;
};

} // namespace

Result<std::string> KeyValue::read(uint64_t most, const std::string &what) const {
  if (size > most)
    return fail(Code::resource_exhausted, "TW-901",
                fmt::format("{} has {} bytes, of such a value at most {} are read", what, size, most));
  std::string bytes(size, '\0');
  TW_TRY(source->read(at, bytes.data(), bytes.size()));
  return bytes;
}

Result<Keys> keys_in(const std::string &folder) { return FolderKeys().read(folder); }

} // namespace tw::store
