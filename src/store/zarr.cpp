// SPDX-License-Identifier: Apache-2.0
// zarr: arrays that are cut into chunks, each a file or an entry of an OCDBT database, as Orbax writes the
// checkpoints of JAX.
#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "store/format.hpp"
#include "store/keys.hpp"
#include "store/packed.hpp"
#include "store/zarr_chunks.hpp"
#include "store/zarr_metadata.hpp"

namespace tw::store {

namespace {

namespace fs = std::filesystem;
using sharding::Box;

constexpr std::string_view kOfVersion2 = ".zarray", kOfVersion3 = "zarr.json";
constexpr uint64_t kMostDescription = uint64_t{16} << 20;
constexpr int64_t kMostChunks = int64_t{1} << 20; // of an array

bool has_one_of(const fs::path &folder, std::initializer_list<const char *> names) {
  std::error_code error;
  return std::ranges::any_of(names, [&](const char *name) { return fs::exists(folder / name, error); });
}

// An array or a group, a database, or a folder that has some of these.
bool looks_like_zarr(const std::string &path, std::string_view first) {
  if (!first.empty())
    return false;
  const auto is_one = [](const fs::path &folder) {
    return has_one_of(folder, {kManifest, ".zarray", ".zgroup", "zarr.json"});
  };
  std::error_code error;
  if (is_one(path) || has_one_of(path, {"_CHECKPOINT_METADATA"}))
    return true;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    if (is_one(at->path()))
      return true;
  return false;
}

// The places of a grid, the last dimension fastest. False behind the last.
bool next_place(std::vector<int64_t> &place, const graph::Shape &counts) {
  for (size_t d = place.size(); d-- > 0;) {
    if (++place[d] < counts[d])
      return true;
    place[d] = 0;
  }
  return false;
}

// How many chunks there are in each dimension.
graph::Shape counts_of(const graph::Shape &dims, const graph::Shape &chunk) {
  graph::Shape counts;
  for (size_t d = 0; d < dims.size(); ++d)
    counts.push_back(dims[d] / chunk[d] + (dims[d] % chunk[d] != 0));
  return counts;
}

class ZarrReader {
public:
  ZarrReader(std::string path, Keys keys) : path_(std::move(path)), keys_(std::move(keys)) {}

  Result<Contents> read() {
    for (const auto &[key, value] : keys_) {
      const size_t slash = key.rfind('/');
      const std::string name = slash == std::string::npos ? "" : key.substr(0, slash);
      const std::string_view last = std::string_view(key).substr(slash == std::string::npos ? 0 : slash + 1);
      const std::string what = fmt::format("{}: {}", path_, key);
      if (last == kOfVersion2) {
        TW_ASSIGN(const std::string text, value.read(kMostDescription, what));
        take(name, read_zarray(text, what));
      } else if (last == kOfVersion3) {
        TW_ASSIGN(const std::string text, value.read(kMostDescription, what));
        if (auto about = read_zarr_json(text, what))
          take(name, std::move(*about));
      }
    }
    if (contents_.arrays.empty())
      return fail(Error(Code::invalid_argument, "TW-902", fmt::format("{}: it has no zarr arrays", path_))
                      .note("checkpoints of Orbax are read, and arrays of zarr 2 and 3"));
    return std::move(contents_);
  }

private:
  void take(const std::string &name, ZarrArray about) {
    Array array;
    array.name = name.empty() ? fs::path(path_).stem().string() : name;
    array.problem = about.problem;
    array.foreign = about.foreign;
    if (array.problem.empty()) {
      array.dtype = about.dtype;
      array.dims = about.dims;
      if (Status status = take_chunks(name.empty() ? "" : name + "/", about, array); !status) {
        array.parts.clear();
        array.problem = status.error().message();
      }
    }
    contents_.arrays.push_back(std::move(array));
  }

  Status take_chunks(const std::string &folder, const ZarrArray &about, Array &array) {
    const graph::Shape counts = counts_of(about.dims, about.chunk);
    int64_t all = 1;
    for (const int64_t n : counts)
      if (n != 0 && (__builtin_mul_overflow(all, n, &all) || all > kMostChunks))
        return fail(Code::resource_exhausted, "TW-902",
                    fmt::format("{}: array '{}' has more than {} chunks", path_, array.name, kMostChunks));
    if (std::ranges::count(counts, 0) != 0)
      return {};
    std::vector<int64_t> place(counts.size(), 0);
    do {
      Box box{std::vector<int64_t>(counts.size()), about.chunk};
      for (size_t d = 0; d < counts.size(); ++d)
        box.offset[d] = place[d] * about.chunk[d];
      const std::string key = folder + about.key_of(place);
      const auto found = keys_.find(key);
      if (found == keys_.end())
        TW_TRY(take_nothing(about, box, array));
      else if (about.inner)
        TW_TRY(take_inner(about, key, found->second, box, array));
      else
        TW_TRY(take_chunk(about, key, found->second, box, array));
    } while (next_place(place, counts));
    return {};
  }

  // A chunk that is cut into others, which its index says where they are.
  Status take_inner(const ZarrArray &about, const std::string &key, const KeyValue &value, const Box &outer,
                    Array &array) {
    const graph::Shape counts = counts_of(about.chunk, *about.inner);
    int64_t all = 1;
    for (const int64_t n : counts)
      all *= n; // a chunk has at most 2^31 bytes
    const uint64_t listed = static_cast<uint64_t>(all) * 2 * sizeof(uint64_t),
                   size = listed + (about.index_checksum ? sizeof(uint32_t) : 0);
    const std::string what = fmt::format("{}: the index of chunk {}", path_, key);
    if (all > kMostChunks || static_cast<int64_t>(array.parts.size()) > kMostChunks)
      return fail(Code::resource_exhausted, "TW-902",
                  fmt::format("{}: there are more than {} chunks", what, kMostChunks));
    if (size > value.size)
      return fail(Code::invalid_argument, "TW-901",
                  fmt::format("{}: it takes {} bytes, and the chunk has {}", what, size, value.size));
    const uint64_t at = about.index_first ? 0 : value.size - size;
    const KeyValue place_of_index{value.source, value.at + at, size};
    TW_ASSIGN(const std::string index, place_of_index.read(UINT64_MAX, what));
    if (about.index_checksum) {
      uint32_t stated = 0;
      std::memcpy(&stated, index.data() + listed, sizeof stated);
      if (crc32c(std::string_view(index).substr(0, listed)) != stated)
        return fail(Code::invalid_argument, "TW-901", fmt::format("{}: its checksum is wrong", what));
    }
    std::vector<int64_t> place(counts.size(), 0);
    size_t entry = 0;
    do {
      uint64_t range[2];
      std::memcpy(range, index.data() + entry++ * sizeof range, sizeof range);
      Box box{outer.offset, *about.inner};
      for (size_t d = 0; d < counts.size(); ++d)
        box.offset[d] += place[d] * (*about.inner)[d];
      if (range[0] == UINT64_MAX && range[1] == UINT64_MAX) {
        TW_TRY(take_nothing(about, box, array));
        continue;
      }
      if (range[0] > value.size || range[1] > value.size - range[0])
        return fail(Code::invalid_argument, "TW-901",
                    fmt::format("{}: entry {} is said to be bytes {}+{} of {}", what, entry - 1, range[0],
                                range[1], value.size));
      const KeyValue inner{value.source, value.at + range[0], range[1]};
      TW_TRY(take_chunk(about, key, inner, box, array));
    } while (next_place(place, counts));
    return {};
  }

  // The part of the array that a chunk has, which may lie over its end.
  void add_part(const ZarrArray &about, const Box &chunk, std::shared_ptr<Bytes> bytes, uint64_t at,
                Array &array) {
    Part part;
    part.box = sharding::intersect(chunk, Box::whole(about.dims));
    if (part.box.empty())
      return;
    part.strides.resize(chunk.rank());
    auto stride = static_cast<int64_t>(graph::byte_size(about.dtype));
    for (size_t i = chunk.rank(); i-- > 0;) {
      part.strides[about.codecs.order[i]] = stride;
      stride *= chunk.extent[about.codecs.order[i]];
    }
    part.swapped = about.codecs.swapped && graph::byte_size(about.dtype) > 1;
    part.at = at;
    const auto [known, is_new] =
        source_of_.try_emplace(bytes.get(), static_cast<uint32_t>(contents_.sources.size()));
    part.source = known->second;
    if (is_new)
      contents_.sources.push_back(std::move(bytes));
    array.parts.push_back(std::move(part));
  }

  static uint64_t bytes_of(const ZarrArray &about, const Box &chunk) {
    return static_cast<uint64_t>(chunk.elements()) * graph::byte_size(about.dtype);
  }

  Status take_nothing(const ZarrArray &about, const Box &chunk, Array &array) {
    if (about.fill.empty())
      return fail(
          Code::unimplemented, "TW-902",
          fmt::format("{}: array '{}' lacks chunks, and its fill_value is not read", path_, array.name));
    std::string item = about.fill;
    if (about.codecs.swapped) // as the part says
      std::ranges::reverse(item);
    auto &known = nothing_[{item, bytes_of(about, chunk)}];
    if (known == nullptr)
      known = repeated_bytes(std::move(item), bytes_of(about, chunk), path_);
    add_part(about, chunk, known, 0, array);
    return {};
  }

  Status take_chunk(const ZarrArray &about, const std::string &key, const KeyValue &value, const Box &chunk,
                    Array &array) {
    const std::string &path = value.source->path();
    const uint64_t wanted = bytes_of(about, chunk);
    if (about.codecs.zstd || about.codecs.checksum) {
      add_part(
          about, chunk,
          unpacked_bytes({value, about.codecs.zstd, about.codecs.checksum, wanted, key}, path, unpacked_), 0,
          array);
      return {};
    }
    if (value.size != wanted)
      return fail(Code::invalid_argument, "TW-901",
                  fmt::format("{}: chunk {} has {} bytes, {} are expected", path, key, value.size, wanted));
    add_part(about, chunk, value.source, value.at, array);
    return {};
  }

  const std::string path_;
  const Keys keys_;
  Contents contents_;
  std::map<const Bytes *, uint32_t> source_of_;
  std::map<std::pair<std::string, uint64_t>, std::shared_ptr<Bytes>> nothing_; // by item and size
  const std::shared_ptr<UnpackedChunks> unpacked_ = std::make_shared<UnpackedChunks>();
};

Result<Contents> open_zarr(const std::string &path) {
  TW_ASSIGN(Keys keys, keys_in(path));
  return ZarrReader(path, std::move(keys)).read();
}

// As safetensors does, but for the types that zarr has besides.
graph::DType zarr_type_for(graph::DType dtype) {
  if (!zarr_name(dtype).empty())
    return dtype;
  switch (dtype) {
  case graph::DType::s2: return graph::DType::s8;
  case graph::DType::u2: return graph::DType::u8;
  default:
    return graph::is_float(dtype) && graph::byte_size(dtype) == 1 ? graph::DType::bf16
                                                                  : graph::DType::invalid;
  }
}

} // namespace

Result<std::unique_ptr<Target>> zarr_target(const std::string &path, const Layout &layout);

const Format zarr_format = {"zarr",          "zarr arrays, also in an OCDBT database: a checkpoint of Orbax",
                            looks_like_zarr, open_zarr,
                            zarr_target,     nullptr,
                            zarr_type_for};

} // namespace tw::store
