// SPDX-License-Identifier: Apache-2.0
// safetensors that are written: whole arrays in one file or in a few, or a file for each device.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "store/format.hpp"
#include "store/safetensors_header.hpp"

namespace tw::store {

namespace {

constexpr const char *kEnd = ".safetensors";
constexpr const char *kIndexFile = "model.safetensors.index.json";
constexpr int64_t kMostInFile = 5'000'000'000; // bytes of whole arrays: what model hubs like

class SafetensorsTarget : public Target {
public:
  explicit SafetensorsTarget(const Layout &layout) : layout_(layout) {}
  std::string head(size_t file) const override {
    auto entries = entries_of(file);
    return safetensors_header(entries);
  }

protected:
  const Layout &layout_;

  // What a file has, in order.
  virtual std::vector<SafetensorsEntry> entries_of(size_t file) const = 0;

  // Adds a file, and answers where its arrays begin.
  std::vector<SafetensorsEntry> add(std::string name, size_t file) {
    auto entries = entries_of(file);
    const std::string head = safetensors_header(entries);
    uint64_t size = head.size();
    if (!entries.empty())
      size = entries.back().begin + static_cast<uint64_t>(entries.back().type.bytes());
    files_.push_back({std::move(name), size});
    return entries;
  }
};

// One or a few files of whole arrays.
class WholeFiles final : public SafetensorsTarget {
public:
  WholeFiles(const std::string &path, const Layout &layout) : SafetensorsTarget(layout) {
    const bool one = path.ends_with(kEnd);
    int64_t used = 0;
    for (size_t a = 0; a < layout.arrays.size(); ++a) {
      const int64_t bytes = layout.arrays[a].type.bytes();
      if (a == 0 || (!one && used > 0 && bytes > kMostInFile - used)) {
        firsts_.push_back(a);
        used = 0;
      }
      used += bytes;
    }
    if (firsts_.empty())
      firsts_.push_back(0);
    for (size_t f = 0; f < firsts_.size(); ++f) {
      std::string name = one ? std::string()
                         : firsts_.size() == 1
                             ? std::string("model.safetensors")
                             : fmt::format("model-{:05}-of-{:05}{}", f + 1, firsts_.size(), kEnd);
      for (const SafetensorsEntry &entry : add(std::move(name), f))
        places_.push_back({static_cast<uint32_t>(f), entry.begin});
    }
  }
  std::vector<Tile> tiles(size_t array) const override {
    const auto box = sharding::Box::whole(layout_.arrays[array].type.dims);
    if (box.empty())
      return {};
    return {{places_[array].file, box, places_[array].at}};
  }
  std::vector<std::pair<std::string, std::string>> notes() const override {
    if (files_.size() == 1)
      return {};
    std::string map;
    int64_t bytes = 0;
    for (size_t a = 0; a < layout_.arrays.size(); ++a) {
      map += fmt::format("{}\n    {}: {}", a == 0 ? "" : ",", json_string(layout_.arrays[a].name),
                         json_string(files_[places_[a].file].name));
      bytes += layout_.arrays[a].type.bytes();
    }
    return {{kIndexFile,
             fmt::format("{{\n  \"metadata\": {{\"total_size\": {}}},\n  \"weight_map\": {{{}\n  }}\n}}\n",
                         bytes, map)}};
  }

private:
  struct Place {
    uint32_t file;
    uint64_t at;
  };
  std::vector<size_t> firsts_; // array of each file
  std::vector<Place> places_;

  std::vector<SafetensorsEntry> entries_of(size_t file) const override {
    const size_t end = file + 1 < firsts_.size() ? firsts_[file + 1] : layout_.arrays.size();
    std::vector<SafetensorsEntry> entries;
    for (size_t a = firsts_[file]; a < end; ++a)
      entries.push_back({layout_.arrays[a].name, layout_.arrays[a].type, 0});
    return entries;
  }
};

// A file for each device.
class DeviceFiles final : public SafetensorsTarget {
public:
  explicit DeviceFiles(const Layout &layout) : SafetensorsTarget(layout) {
    for (int64_t d = 0; d < layout.num_devices(); ++d)
      for (const SafetensorsEntry &entry : add(name_of(d), static_cast<size_t>(d)))
        places_.push_back(entry.begin);
  }
  std::vector<Tile> tiles(size_t array) const override {
    std::vector<Tile> tiles;
    for (size_t d = 0; d < files_.size(); ++d)
      if (auto box = layout_.box(array, static_cast<int64_t>(d)); !box.empty())
        tiles.push_back(
            {static_cast<uint32_t>(d), std::move(box), places_[d * layout_.arrays.size() + array]});
    return tiles;
  }
  std::vector<std::pair<std::string, std::string>> notes() const override {
    std::string text = fmt::format("{{\n  \"mesh\": {},\n  \"tiles\": {{", json_string(layout_.mesh.text()));
    for (size_t a = 0; a < layout_.arrays.size(); ++a) {
      const Layout::Array &array = layout_.arrays[a];
      text += fmt::format("{}\n    {}: {{\"dtype\": \"{}\", \"shape\": [{}], \"sharding\": {}, \"parts\": [",
                          a == 0 ? "" : ",", json_string(array.name), safetensors_name(array.type.dtype),
                          fmt::join(array.type.dims, ", "),
                          json_string(sharding::to_text(array.sharding, array.mesh)));
      for (size_t d = 0; d < files_.size(); ++d) {
        const auto box = layout_.box(a, static_cast<int64_t>(d));
        text += fmt::format("{}\n      {{\"file\": \"{}\", \"offset\": [{}], \"extent\": [{}]}}",
                            d == 0 ? "" : ",", files_[d].name, fmt::join(box.offset, ", "),
                            fmt::join(box.extent, ", "));
      }
      text += "]}";
    }
    return {{kIndexFile, text + "\n  }\n}\n"}};
  }

private:
  std::vector<uint64_t> places_; // by device, then array

  std::string name_of(int64_t device) const {
    return fmt::format("{:05}{}", layout_.mesh.device_id(sharding::Position(device)), kEnd);
  }
  std::vector<SafetensorsEntry> entries_of(size_t file) const override {
    std::vector<SafetensorsEntry> entries;
    for (size_t a = 0; a < layout_.arrays.size(); ++a) {
      const Layout::Array &array = layout_.arrays[a];
      entries.push_back(
          {array.name, {array.type.dtype, layout_.box(a, static_cast<int64_t>(file)).extent}, 0});
    }
    return entries;
  }
};

} // namespace

Result<std::unique_ptr<Target>> safetensors_target(const std::string &path, const Layout &layout) {
  for (const Layout::Array &array : layout.arrays)
    if (array.name == "__metadata__")
      return fail(Code::invalid_argument, "TW-903",
                  fmt::format("{}: array '{}' cannot be written to safetensors, where that name is reserved: "
                              "rename it",
                              path, array.name));
  if (layout.whole)
    return std::unique_ptr<Target>(std::make_unique<WholeFiles>(path, layout));
  if (path.ends_with(kEnd))
    return fail(Code::invalid_argument, "TW-903",
                fmt::format("{} is one file, and each device gets one of its own: name a folder", path));
  return std::unique_ptr<Target>(std::make_unique<DeviceFiles>(layout));
}

} // namespace tw::store
