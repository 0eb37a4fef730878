// SPDX-License-Identifier: Apache-2.0
// zarr arrays that are written, of version 3: a folder for each, and in it a file for each chunk, plain. A
// tile is a chunk, so the tiles of an array are equal.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "store/format.hpp"
#include "store/zarr_metadata.hpp"

namespace tw::store {

namespace {

using sharding::Box;

std::string description_of(const graph::TensorType &type, const graph::Shape &chunk) {
  const bool is_float = graph::is_float(type.dtype);
  const std::string_view zero = type.dtype == graph::DType::i1  ? "false"
                                : graph::is_complex(type.dtype) ? "[0.0, 0.0]"
                                : is_float                      ? "0.0"
                                                                : "0";
  return fmt::format(R"({{
  "zarr_format": 3,
  "node_type": "array",
  "shape": [{}],
  "data_type": "{}",
  "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [{}]}}}},
  "chunk_key_encoding": {{"name": "default", "configuration": {{"separator": "/"}}}},
  "fill_value": {},
  "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}],
  "attributes": {{}}
}}
)",
                     fmt::join(type.dims, ", "), zarr_name(type.dtype), fmt::join(chunk, ", "), zero);
}

class ZarrTarget final : public Target {
public:
  explicit ZarrTarget(const Layout &layout) : layout_(layout), tiles_(layout.arrays.size()) {}

  Status make(const std::string &path) {
    TW_TRY(check_names(path));
    for (size_t a = 0; a < layout_.arrays.size(); ++a)
      TW_TRY(add(a, path));
    return {};
  }
  std::string head(size_t) const override { return {}; }
  std::vector<Tile> tiles(size_t array) const override { return tiles_[array]; }
  std::vector<std::pair<std::string, std::string>> notes() const override {
    std::vector<std::pair<std::string, std::string>> all = notes_;
    all.emplace_back("zarr.json", "{\"zarr_format\": 3, \"node_type\": \"group\", \"attributes\": {}}\n");
    return all;
  }

private:
  // Names are paths below the folder, and no array lies in another.
  Status check_names(const std::string &path) const {
    std::set<std::string_view> names;
    for (const Layout::Array &array : layout_.arrays)
      names.insert(array.name);
    for (const std::string_view name : names) {
      bool is_path = name.find('\0') == std::string_view::npos;
      for (size_t begin = 0; begin <= name.size();) {
        const size_t end = std::min(name.find('/', begin), name.size());
        const std::string_view part = name.substr(begin, end - begin);
        is_path = is_path && !part.empty() && part != "." && part != "..";
        if (end < name.size() && names.contains(name.substr(0, end)))
          return fail(Code::invalid_argument, "TW-903",
                      fmt::format("{}: array '{}' cannot be written to zarr below array '{}': rename one",
                                  path, name, name.substr(0, end)));
        begin = end + 1;
      }
      if (!is_path)
        return fail(Code::invalid_argument, "TW-903",
                    fmt::format("{}: array '{}' cannot be written to zarr, whose names are paths of folders: "
                                "rename it",
                                path, name));
    }
    return {};
  }

  Status add(size_t number, const std::string &path) {
    const Layout::Array &array = layout_.arrays[number];
    ZarrArray about;
    about.begins_with_c = true;
    about.separator = '/';
    for (const int64_t n : array.type.dims)
      about.chunk.push_back(std::max<int64_t>(n, 1));
    std::map<std::vector<int64_t>, Box> boxes; // by offset: equal ones are one chunk
    for (int64_t d = 0; d < layout_.num_devices(); ++d)
      if (Box box = layout_.box(number, d); !box.empty())
        boxes.emplace(box.offset, box);
    if (!boxes.empty())
      about.chunk = boxes.begin()->second.extent;
    for (const auto &[offset, box] : boxes) {
      std::vector<int64_t> place;
      for (size_t d = 0; d < about.chunk.size(); ++d) {
        if (box.extent[d] != about.chunk[d])
          return fail(
              Code::unimplemented, "TW-903",
              fmt::format("{}: array '{}' cannot be written to zarr in tiles: dimension {} of {} is cut "
                          "into tiles of {} and of {}, and chunks are equal",
                          path, array.name, d, array.type.dims[d], about.chunk[d], box.extent[d]));
        place.push_back(box.offset[d] / about.chunk[d]);
      }
      tiles_[number].push_back({static_cast<uint32_t>(files_.size()), box, 0});
      files_.push_back({fmt::format("{}/{}", array.name, about.key_of(place)),
                        static_cast<uint64_t>(box.elements()) * graph::byte_size(array.type.dtype)});
    }
    notes_.emplace_back(array.name + "/zarr.json", description_of(array.type, about.chunk));
    return {};
  }

  const Layout &layout_;
  std::vector<std::vector<Tile>> tiles_; // by array
  std::vector<std::pair<std::string, std::string>> notes_;
};

} // namespace

Result<std::unique_ptr<Target>> zarr_target(const std::string &path, const Layout &layout) {
  auto target = std::make_unique<ZarrTarget>(layout);
  TW_TRY(target->make(path));
  return std::unique_ptr<Target>(std::move(target));
}

} // namespace tw::store
