// SPDX-License-Identifier: Apache-2.0
// .npy: one array a file, or a folder of such files, where a file's name is its array's.
#include <fcntl.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "store/format.hpp"
#include "store/npy_header.hpp"

namespace tw::store {

namespace {

namespace fs = std::filesystem;

constexpr const char *kNpy = ".npy";

std::vector<fs::path> npy_files(const fs::path &path) {
  std::error_code error;
  if (!fs::is_directory(path, error))
    return {path};
  std::vector<fs::path> files;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == kNpy)
      files.push_back(at->path());
  std::ranges::sort(files);
  return files;
}

bool looks_like_npy(const std::string &path, std::string_view first) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return !npy_files(path).empty();
  return first.starts_with("\x93NUMPY") || path.ends_with(kNpy);
}

Result<Contents> open_npy(const std::string &path) {
  Contents contents;
  const auto files = std::make_shared<OpenFiles>(O_RDONLY);
  for (const fs::path &file : npy_files(path)) {
    TW_ASSIGN(auto bytes, open_bytes(file.string(), files));
    TW_ASSIGN(auto array, array_of_npy(*bytes, static_cast<uint32_t>(contents.sources.size()),
                                       file.stem().string(), file.string()));
    contents.sources.push_back(std::move(bytes));
    contents.arrays.push_back(std::move(array));
  }
  return contents;
}

// A file for each array; the one of the path itself where that is a file.
class NpyFiles final : public Target {
public:
  NpyFiles(bool one, const Layout &layout) : layout_(layout) {
    for (size_t a = 0; a < layout.arrays.size(); ++a)
      files_.push_back({one ? std::string() : layout.arrays[a].name + kNpy,
                        head(a).size() + static_cast<uint64_t>(layout.arrays[a].type.bytes())});
  }
  std::string head(size_t file) const override { return npy_header(layout_.arrays[file].type); }
  std::vector<Tile> tiles(size_t array) const override {
    auto box = sharding::Box::whole(layout_.arrays[array].type.dims);
    if (box.empty())
      return {};
    return {{static_cast<uint32_t>(array), std::move(box), head(array).size()}};
  }

private:
  const Layout &layout_;
};

Result<std::unique_ptr<Target>> npy_target(const std::string &path, const Layout &layout) {
  const bool one = path.ends_with(kNpy);
  if (!layout.whole)
    return fail(Code::unimplemented, "TW-903",
                fmt::format("{}: .npy files hold whole arrays; tiles are written as safetensors", path));
  if (one && layout.arrays.size() != 1)
    return fail(Code::invalid_argument, "TW-903",
                fmt::format("{}: an .npy file holds one array, and there are {}: name a folder, or a .npz",
                            path, layout.arrays.size()));
  for (const Layout::Array &array : layout.arrays)
    if (!one &&
        (array.name.empty() || array.name.find_first_of(std::string_view("/\0", 2)) != std::string::npos ||
         array.name[0] == '.'))
      return fail(Code::invalid_argument, "TW-903",
                  fmt::format("{}: array '{}' cannot be the name of a file: rename it, or write a .npz", path,
                              array.name));
  return std::unique_ptr<Target>(std::make_unique<NpyFiles>(one, layout));
}

} // namespace

const Format npy_format = {"npy",          "an .npy file of NumPy, or a folder of them",
                           looks_like_npy, open_npy,
                           npy_target,     nullptr,
                           numpy_type_for};

} // namespace tw::store
