// SPDX-License-Identifier: Apache-2.0
// safetensors: a file, or a folder of them. An index says which file has which array, or, in `tiles`, which
// box of which array.
#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/suggest.hpp"
#include "store/format.hpp"
#include "store/safetensors_header.hpp"

namespace tw::store {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char *kIndex = "model.safetensors.index.json";
constexpr const char *kSuffix = ".safetensors";
constexpr uint64_t kMostIndex = uint64_t{1} << 30;

bool is_folder(const std::string &path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<std::string> files_in(const std::string &folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == kSuffix)
      names.push_back(at->path().filename().string());
  std::ranges::sort(names);
  return names;
}

// The index of a folder; "" where there is none.
std::string index_in(const std::string &folder) {
  std::error_code error;
  if (fs::exists(fs::path(folder) / kIndex, error))
    return (fs::path(folder) / kIndex).string();
  constexpr std::string_view end = ".safetensors.index.json";
  for (fs::directory_iterator at(folder, error), last; !error && at != last; at.increment(error))
    if (at->path().filename().string().ends_with(end))
      return at->path().string();
  return {};
}

bool looks_like(const std::string &path, std::string_view first) {
  if (is_folder(path))
    return !index_in(path).empty() || !files_in(path).empty();
  return path.ends_with(kSuffix) || path.ends_with(".safetensors.index.json") ||
         (first.size() > 8 && first[8] == '{' && first.substr(5, 3) == std::string_view("\0\0\0", 3));
}

// Files of a set, whose headers are read when they are first asked for.
class Files {
public:
  explicit Files(std::string folder) : folder_(std::move(folder)) {}

  struct File {
    uint32_t source;
    std::vector<SafetensorsEntry> entries;
    std::unordered_map<std::string_view, const SafetensorsEntry *> by_name;
  };
  Result<const File *> open(const std::string &name, Contents &contents) {
    if (const auto known = files_.find(name); known != files_.end())
      return &known->second;
    if (name.empty() || name.find('/') != std::string::npos)
      return fail(Code::invalid_argument, "TW-901",
                  fmt::format("{}: '{}' is no name of a file in this folder", folder_, name));
    TW_ASSIGN(auto bytes, open_bytes((fs::path(folder_) / name).string(), open_));
    TW_ASSIGN(auto entries, read_safetensors_header(*bytes));
    File &file = files_[name];
    file.source = static_cast<uint32_t>(contents.sources.size());
    contents.sources.push_back(std::move(bytes));
    file.entries = std::move(entries);
    for (const SafetensorsEntry &entry : file.entries)
      file.by_name.emplace(entry.name, &entry);
    return &file;
  }

private:
  const std::string folder_;
  std::shared_ptr<OpenFiles> open_ = std::make_shared<OpenFiles>(O_RDONLY);
  std::map<std::string, File> files_;
};

Part part_of(const Files::File &file, const SafetensorsEntry &entry, std::vector<int64_t> offset) {
  Part part;
  part.strides = dense_strides(entry.type.dims, graph::byte_size(entry.type.dtype));
  part.box = {std::move(offset), entry.type.dims};
  part.source = file.source;
  part.at = entry.begin;
  return part;
}

Array whole_array(const Files::File &file, const SafetensorsEntry &entry) {
  Array array{entry.name, entry.type.dtype, entry.type.dims, {}, {}, {}};
  array.parts.push_back(part_of(file, entry, std::vector<int64_t>(entry.type.dims.size(), 0)));
  return array;
}

// Every array of every file.
Result<Contents> open_all(const std::string &folder, const std::vector<std::string> &names) {
  Contents contents;
  Files files(folder);
  std::unordered_map<std::string, std::string> file_of;
  for (const std::string &name : names) {
    TW_ASSIGN(const Files::File *file, files.open(name, contents));
    for (const SafetensorsEntry &entry : file->entries) {
      if (const auto [other, is_new] = file_of.emplace(entry.name, name); !is_new)
        return fail(
            Error(Code::invalid_argument, "TW-902",
                  fmt::format("{}: array '{}' is in {} and in {}", folder, entry.name, other->second, name))
                .note(fmt::format("{} would say which part of it each has; there is none", kIndex)));
      contents.arrays.push_back(whole_array(*file, entry));
    }
  }
  return contents;
}

class IndexReader {
public:
  IndexReader(std::string path, const Json &index)
      : path_(std::move(path)), index_(index), files_(fs::path(path_).parent_path().string()) {}

  Result<Contents> read() {
    const auto tiles = index_.find("tiles"), map = index_.find("weight_map");
    if (tiles != index_.end()) {
      if (!tiles->is_object())
        return malformed("tiles is no object");
      for (const auto &[name, about] : tiles->items())
        TW_TRY(read_tiles(name, about));
    } else {
      if (map == index_.end() || !map->is_object())
        return malformed("it needs a weight_map, or tiles");
      for (const auto &[name, file_name] : map->items()) {
        if (!file_name.is_string())
          return malformed(fmt::format("weight_map has no file for '{}'", name));
        TW_ASSIGN(const Files::File *file, files_.open(file_name.get<std::string>(), contents_));
        TW_ASSIGN(const SafetensorsEntry *entry, find(*file, file_name.get<std::string>(), name));
        contents_.arrays.push_back(whole_array(*file, *entry));
      }
    }
    return std::move(contents_);
  }

private:
  const std::string path_;
  const Json &index_;
  Files files_;
  Contents contents_;

  tl::unexpected<Error> malformed(const std::string &why) const {
    return fail(Code::invalid_argument, "TW-901", fmt::format("{}: {}", path_, why));
  }

  Result<const SafetensorsEntry *> find(const Files::File &file, const std::string &file_name,
                                        const std::string &name) const {
    const auto found = file.by_name.find(name);
    if (found != file.by_name.end())
      return found->second;
    std::vector<std::string> known;
    for (const SafetensorsEntry &entry : file.entries)
      known.push_back(entry.name);
    return fail(Code::invalid_argument, "TW-902",
                fmt::format("{}: array '{}' is to be in {}, which has none of that name{}", path_, name,
                            file_name, nearest_text(name, known)));
  }

  // Numbers that are sizes; none where something else stands there.
  static std::optional<graph::Shape> sizes(const Json &object, const char *key) {
    const auto list = object.find(key);
    if (list == object.end() || !list->is_array())
      return std::nullopt;
    graph::Shape sizes;
    for (const Json &n : *list) {
      if (!n.is_number_unsigned() || n.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
        return std::nullopt;
      sizes.push_back(n.get<int64_t>());
    }
    return sizes;
  }

  Status read_tiles(const std::string &name, const Json &about) {
    if (!about.is_object() || !about.contains("dtype") || !about["dtype"].is_string() ||
        !about.contains("parts") || !about["parts"].is_array())
      return malformed(fmt::format("tiles of '{}': dtype, shape and parts are needed", name));
    const auto dtype = safetensors_type(about["dtype"].get<std::string>());
    auto shape = sizes(about, "shape");
    if (!dtype || !shape)
      return malformed(fmt::format("tiles of '{}': no type and shape that are read", name));
    TW_TRY(graph::check_size({*dtype, *shape}));
    Array array{name, *dtype, std::move(*shape), {}, {}, {}};
    for (const Json &part : about["parts"]) {
      if (!part.is_object() || !part.contains("file") || !part["file"].is_string())
        return malformed(fmt::format("a tile of '{}' names no file", name));
      const auto file_name = part["file"].get<std::string>();
      auto offset = sizes(part, "offset");
      const auto extent = sizes(part, "extent");
      if (!offset || !extent || offset->size() != array.dims.size())
        return malformed(fmt::format("the tile of '{}' in {} needs an offset and an extent of {} sizes", name,
                                     file_name, array.dims.size()));
      TW_ASSIGN(const Files::File *file, files_.open(file_name, contents_));
      TW_ASSIGN(const SafetensorsEntry *entry, find(*file, file_name, name));
      if (entry->type.dtype != array.dtype || entry->type.dims != *extent)
        return malformed(fmt::format("the tile of '{}' in {} is {}, the index says {}", name, file_name,
                                     graph::to_short_text(entry->type),
                                     graph::to_short_text({array.dtype, *extent})));
      array.parts.push_back(part_of(*file, *entry, std::move(*offset)));
    }
    contents_.arrays.push_back(std::move(array));
    return {};
  }
};

Result<Contents> open_index(const std::string &path) {
  TW_ASSIGN(const std::string text, read_text(path, kMostIndex));
  const Json index = Json::parse(text, nullptr, false);
  if (!index.is_object())
    return fail(Code::invalid_argument, "TW-901", fmt::format("{}: this is no JSON object", path));
  return IndexReader(path, index).read();
}

Result<Contents> open(const std::string &path) {
  if (!is_folder(path)) {
    if (path.ends_with(".json"))
      return open_index(path);
    const fs::path file(path);
    return open_all(file.has_parent_path() ? file.parent_path().string() : ".", {file.filename().string()});
  }
  if (const std::string index = index_in(path); !index.empty())
    return open_index(index);
  return open_all(path, files_in(path));
}

graph::DType written_as(graph::DType dtype) {
  if (!safetensors_name(dtype).empty())
    return dtype;
  switch (dtype) {
  case graph::DType::s2:
  case graph::DType::s4: return graph::DType::s8;
  case graph::DType::u2:
  case graph::DType::u4: return graph::DType::u8;
  default:
    return graph::is_float(dtype) && graph::byte_size(dtype) == 1 ? graph::DType::bf16
                                                                  : graph::DType::invalid;
  }
}

} // namespace

Result<std::unique_ptr<Target>> safetensors_target(const std::string &path, const Layout &layout);

const Format safetensors_format = {"safetensors",
                                   "a .safetensors file, or a folder of them with or without "
                                   "model.safetensors.index.json",
                                   looks_like,
                                   open,
                                   safetensors_target,
                                   nullptr,
                                   written_as};

} // namespace tw::store
