// SPDX-License-Identifier: Apache-2.0
// PyTorch's distributed checkpoints: `.metadata`, a pickle that says which box of which tensor lies where,
// and files in which each box is an archive of torch.save.
#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "graph/limits.hpp"
#include "store/format.hpp"
#include "store/pickle.hpp"
#include "store/zip_directory.hpp"

namespace tw::store {

namespace {

namespace fs = std::filesystem;
using graph::DType;
using Id = Pickle::Id;
using Kind = Pickle::Kind;

constexpr const char *kMetadata = ".metadata";
constexpr uint64_t kMostMetadata = uint64_t{1} << 30;
constexpr uint64_t kMostTensorPickle = uint64_t{1} << 20;

constexpr std::string_view kNames[] = {
    "torch.distributed.checkpoint.*",
    "torch.distributed._shard.*",
    "torch.Size",
    "torch.serialization._get_layout",
    "torch.strided",
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_tensor_v3",
    "torch._utils._rebuild_parameter",
    "torch.storage.*",
    "torch.device",
    "collections.OrderedDict",
    "collections.defaultdict",
    "pathlib.PosixPath",
    "pathlib.Path",
    "builtins.set",
    "builtins.dict",
    "builtins.list",
    "torch.float64",
    "torch.float32",
    "torch.float16",
    "torch.bfloat16",
    "torch.float8_e4m3fn",
    "torch.float8_e5m2",
    "torch.float8_e4m3fnuz",
    "torch.float8_e5m2fnuz",
    "torch.float8_e8m0fnu",
    "torch.bool",
    "torch.int8",
    "torch.int16",
    "torch.int32",
    "torch.int64",
    "torch.uint8",
    "torch.uint16",
    "torch.uint32",
    "torch.uint64",
    "torch.complex64",
    "torch.complex128",
    "torch.DoubleStorage",
    "torch.FloatStorage",
    "torch.HalfStorage",
    "torch.BFloat16Storage",
    "torch.BoolStorage",
    "torch.CharStorage",
    "torch.ShortStorage",
    "torch.IntStorage",
    "torch.LongStorage",
    "torch.ByteStorage",
    "torch.ComplexFloatStorage",
    "torch.ComplexDoubleStorage",
};

struct TorchType {
  std::string_view name, storage;
  DType dtype;
};
constexpr TorchType torch_types[] = {
    {"torch.float64", "torch.DoubleStorage", DType::f64},
    {"torch.float32", "torch.FloatStorage", DType::f32},
    {"torch.float16", "torch.HalfStorage", DType::f16},
    {"torch.bfloat16", "torch.BFloat16Storage", DType::bf16},
    {"torch.float8_e4m3fn", "", DType::f8e4m3fn},
    {"torch.float8_e5m2", "", DType::f8e5m2},
    {"torch.float8_e4m3fnuz", "", DType::f8e4m3fnuz},
    {"torch.float8_e5m2fnuz", "", DType::f8e5m2fnuz},
    {"torch.float8_e8m0fnu", "", DType::f8e8m0fnu},
    {"torch.bool", "torch.BoolStorage", DType::i1},
    {"torch.int8", "torch.CharStorage", DType::s8},
    {"torch.int16", "torch.ShortStorage", DType::s16},
    {"torch.int32", "torch.IntStorage", DType::s32},
    {"torch.int64", "torch.LongStorage", DType::s64},
    {"torch.uint8", "torch.ByteStorage", DType::u8},
    {"torch.uint16", "", DType::u16},
    {"torch.uint32", "", DType::u32},
    {"torch.uint64", "", DType::u64},
    {"torch.complex64", "torch.ComplexFloatStorage", DType::c64},
    {"torch.complex128", "torch.ComplexDoubleStorage", DType::c128},
};

DType type_of(std::string_view name) {
  for (const TorchType &type : torch_types)
    if (name == type.name || (!type.storage.empty() && name == type.storage))
      return type.dtype;
  return DType::invalid;
}

// A torch.Size, or a tuple or list of sizes; none where it is something else.
std::optional<std::vector<int64_t>> sizes_of(const Pickle &pickle, Id id) {
  if (pickle.is_object(id, "torch.Size")) {
    const Id arguments = pickle.items(id)[1];
    if (!pickle.is(arguments, Kind::tuple) || pickle.items(arguments).size() != 1)
      return std::nullopt;
    id = pickle.items(arguments)[0];
  }
  if (!pickle.is(id, Kind::tuple) && !pickle.is(id, Kind::list))
    return std::nullopt;
  if (pickle.items(id).size() > graph::kMaxRank)
    return std::nullopt;
  std::vector<int64_t> sizes;
  for (const Id item : pickle.items(id)) {
    if (!pickle.is(item, Kind::integer) || pickle.number(item) < 0)
      return std::nullopt;
    sizes.push_back(pickle.number(item));
  }
  return sizes;
}

// A tensor as torch.save wrote it: where its elements lie in which storage.
struct SavedTensor {
  DType dtype = DType::invalid;
  graph::Shape dims;
  std::vector<int64_t> strides; // in elements
  int64_t offset = 0;
  std::string storage; // key
};

std::optional<SavedTensor> tensor_of(const Pickle &pickle, Id id) {
  if (pickle.is_object(id, "torch._utils._rebuild_parameter")) {
    const Id arguments = pickle.items(id)[1];
    if (!pickle.is(arguments, Kind::tuple) || pickle.items(arguments).empty())
      return std::nullopt;
    id = pickle.items(arguments)[0];
  }
  const bool is_v3 = pickle.is_object(id, "torch._utils._rebuild_tensor_v3");
  if (!is_v3 && !pickle.is_object(id, "torch._utils._rebuild_tensor_v2"))
    return std::nullopt;
  const Id arguments = pickle.items(id)[1];
  if (!pickle.is(arguments, Kind::tuple) || pickle.items(arguments).size() < (is_v3 ? 7u : 4u))
    return std::nullopt;
  const auto all = pickle.items(arguments);
  // ('storage', type, key, device, elements)
  if (!pickle.is(all[0], Kind::object) || pickle.items(all[0]).size() < 2)
    return std::nullopt;
  const Id key = pickle.items(all[0])[1];
  if (!pickle.is(key, Kind::tuple) || pickle.items(key).size() != 5)
    return std::nullopt;
  const auto storage = pickle.items(key);
  const Id type = is_v3 ? all[6] : storage[1];
  auto dims = sizes_of(pickle, all[2]), strides = sizes_of(pickle, all[3]);
  if (!pickle.is(type, Kind::global) || !pickle.is(storage[2], Kind::text) ||
      !pickle.is(all[1], Kind::integer) || pickle.number(all[1]) < 0 || !dims || !strides ||
      dims->size() != strides->size())
    return std::nullopt;
  return SavedTensor{type_of(pickle.text(type)), std::move(*dims), std::move(*strides), pickle.number(all[1]),
                     std::string(pickle.text(storage[2]))};
}

class Reader {
public:
  explicit Reader(fs::path folder) : folder_(std::move(folder)), metadata_((folder_ / kMetadata).string()) {}

  Result<Contents> read() {
    TW_ASSIGN(auto bytes, read_text(metadata_, kMostMetadata));
    TW_ASSIGN(pickle_, Pickle::read(std::move(bytes), kNames, metadata_));
    const Id arrays = pickle_->find(pickle_->root(), "state_dict_metadata"),
             storage = pickle_->find(pickle_->root(), "storage_data");
    if (!pickle_->is_object(pickle_->root(), "torch.distributed.checkpoint.metadata.Metadata") ||
        !pickle_->is(arrays, Kind::dict) || !pickle_->is(storage, Kind::dict))
      return malformed("this is no metadata of a distributed checkpoint");
    TW_TRY(read_places(storage));
    const auto items = pickle_->items(arrays);
    for (size_t i = 0; i < items.size(); i += 2) {
      if (!pickle_->is(items[i], Kind::text))
        return malformed("a name is no text");
      TW_TRY(read_array(std::string(pickle_->text(items[i])), items[i + 1]));
    }
    return std::move(contents_);
  }

private:
  const fs::path folder_;
  const std::string metadata_;
  std::optional<Pickle> pickle_;
  Contents contents_;
  std::shared_ptr<OpenFiles> files_ = std::make_shared<OpenFiles>(O_RDONLY);
  struct Place {
    std::string file;
    uint64_t at, size;
  };
  std::map<std::pair<std::string, std::vector<int64_t>>, Place> places_; // by name and offset
  std::unordered_map<std::string, uint32_t> sources_;
  size_t parts_ = 0;

  tl::unexpected<Error> malformed(const std::string &why) const {
    return fail(Code::invalid_argument, "TW-901", fmt::format("{}: {}", metadata_, why));
  }

  Status read_places(Id storage) {
    const auto items = pickle_->items(storage);
    for (size_t i = 0; i < items.size(); i += 2) {
      const Id name = pickle_->find(items[i], "fqn"), offset = pickle_->find(items[i], "offset"),
               file = pickle_->find(items[i + 1], "relative_path"),
               at = pickle_->find(items[i + 1], "offset"), size = pickle_->find(items[i + 1], "length");
      if (!pickle_->is(name, Kind::text) || !pickle_->is(file, Kind::text) ||
          !pickle_->is(at, Kind::integer) || !pickle_->is(size, Kind::integer) || pickle_->number(at) < 0 ||
          pickle_->number(size) < 0)
        return malformed(fmt::format("storage_data: entry {} is malformed", i / 2));
      const Id transforms = pickle_->find(items[i + 1], "transform_descriptors");
      if (!pickle_->is(transforms, Kind::none) && !pickle_->items(transforms).empty())
        return fail(Code::unimplemented, "TW-901",
                    fmt::format("{}: '{}' was written through transforms, which are not read", metadata_,
                                pickle_->text(name)));
      const auto place = sizes_of(*pickle_, offset);
      places_.insert_or_assign({std::string(pickle_->text(name)), place.value_or(std::vector<int64_t>())},
                               Place{std::string(pickle_->text(file)),
                                     static_cast<uint64_t>(pickle_->number(at)),
                                     static_cast<uint64_t>(pickle_->number(size))});
    }
    return {};
  }

  Status read_array(std::string name, Id about) {
    Array array;
    array.name = std::move(name);
    if (!pickle_->is_object(about, "torch.distributed.checkpoint.metadata.TensorStorageMetadata")) {
      array.foreign = "pickled object";
      array.problem = fmt::format("{}: '{}' is an object of Python, no tensor", metadata_, array.name);
      contents_.arrays.push_back(std::move(array));
      return {};
    }
    const auto wrong = [&](const std::string &why) {
      return malformed(fmt::format("tensor '{}': {}", array.name, why));
    };
    auto dims = sizes_of(*pickle_, pickle_->find(about, "size"));
    const Id chunks = pickle_->find(about, "chunks");
    if (!dims || !pickle_->is(chunks, Kind::list))
      return wrong("it needs a size and chunks");
    array.dims = std::move(*dims);
    TW_ASSIGN(array.dtype, element_type(array.name, pickle_->find(about, "properties")));
    TW_TRY(graph::check_size({array.dtype, array.dims}));
    for (const Id chunk : pickle_->items(chunks)) {
      const auto offset = sizes_of(*pickle_, pickle_->find(chunk, "offsets")),
                 extent = sizes_of(*pickle_, pickle_->find(chunk, "sizes"));
      if (!offset || !extent || offset->size() != array.dims.size() || extent->size() != array.dims.size())
        return wrong("a chunk needs offsets and sizes");
      sharding::Box box{*offset, *extent};
      if (std::ranges::find(box.extent, 0) != box.extent.end())
        continue;
      const auto place = places_.find({array.name, *offset});
      if (place == places_.end())
        return fail(Code::invalid_argument, "TW-902",
                    fmt::format("{}: tensor '{}': storage_data does not say where chunk {} lies", metadata_,
                                array.name, box_text(box)));
      if (++parts_ > places_.size())
        return wrong("there are more chunks than storage_data has places");
      TW_ASSIGN(auto part, read_part(array, std::move(box), place->second));
      array.parts.push_back(std::move(part));
    }
    contents_.arrays.push_back(std::move(array));
    return {};
  }

  // Of TensorProperties, whose state is a tuple that begins with it, or a dict.
  Result<DType> element_type(const std::string &name, Id properties) const {
    Id type = pickle_->find(properties, "dtype");
    if (pickle_->is(properties, Kind::object) && pickle_->items(properties).size() > 2)
      if (const Id state = pickle_->items(properties)[2];
          pickle_->is(state, Kind::tuple) && !pickle_->items(state).empty())
        type = pickle_->items(state)[0];
    if (!pickle_->is(type, Kind::global) || type_of(pickle_->text(type)) == DType::invalid)
      return malformed(fmt::format("tensor '{}': no type of elements that is read", name));
    return type_of(pickle_->text(type));
  }

  Result<uint32_t> source_of(const std::string &name) {
    if (const auto known = sources_.find(name); known != sources_.end())
      return known->second;
    const fs::path relative(name);
    if (name.empty() || relative.is_absolute() ||
        std::ranges::find(relative, fs::path("..")) != relative.end())
      return malformed(fmt::format("'{}' is no name of a file in this folder", name));
    TW_ASSIGN(auto bytes, open_bytes((folder_ / relative).string(), files_));
    contents_.sources.push_back(std::move(bytes));
    return sources_[name] = static_cast<uint32_t>(contents_.sources.size() - 1);
  }

  Result<Part> read_part(const Array &array, sharding::Box box, const Place &place) {
    TW_ASSIGN(const uint32_t source, source_of(place.file));
    Bytes &file = *contents_.sources[source];
    TW_ASSIGN(const auto entries, read_zip_directory(file, place.at, place.size));
    const uint64_t end = place.at + place.size;
    const auto wrong = [&](const std::string &why) {
      return fail(Code::invalid_argument, "TW-901",
                  fmt::format("{}: the archive at byte {}, chunk {} of tensor '{}': {}", file.path(),
                              place.at, box_text(box), array.name, why));
    };
    const auto find = [&](const std::string &name) {
      return std::ranges::find_if(entries, [&](const ZipEntry &entry) { return entry.name.ends_with(name); });
    };
    const auto text_of = [&](const ZipEntry &entry) -> Result<std::string> {
      TW_ASSIGN(const uint64_t data, data_of_zip_entry(file, entry, end));
      if (entry.size > kMostTensorPickle)
        return wrong(fmt::format("entry '{}' has {} bytes", entry.name, entry.size));
      std::string text(entry.size, '\0');
      TW_TRY(file.read(data, text.data(), text.size()));
      return text;
    };
    const auto pickled = find("/data.pkl");
    if (pickled == entries.end())
      return wrong("it has no data.pkl");
    TW_ASSIGN(auto bytes, text_of(*pickled));
    TW_ASSIGN(const Pickle pickle, Pickle::read(std::move(bytes), kNames, file.path()));
    const auto tensor = tensor_of(pickle, pickle.root());
    if (!tensor)
      return wrong("data.pkl has no tensor");
    if (tensor->dtype != array.dtype || tensor->dims != box.extent)
      return wrong(fmt::format("the tensor is {}", graph::to_short_text({tensor->dtype, tensor->dims})));
    const auto data = find("/data/" + tensor->storage);
    if (data == entries.end())
      return wrong(fmt::format("it has no data/{}", tensor->storage));
    TW_ASSIGN(const uint64_t begin, data_of_zip_entry(file, *data, end));
    // The last element lies in the storage.
    const auto item = static_cast<int64_t>(graph::byte_size(array.dtype));
    int64_t last = tensor->offset;
    bool fits = true;
    for (size_t d = 0; d < box.rank() && fits; ++d) {
      int64_t way = 0;
      fits = !__builtin_mul_overflow(box.extent[d] - 1, tensor->strides[d], &way) &&
             !__builtin_add_overflow(last, way, &last);
    }
    if (!fits || last >= static_cast<int64_t>(data->size / static_cast<uint64_t>(item)))
      return wrong(fmt::format("the tensor reaches behind its storage of {} bytes", data->size));
    Part part;
    part.box = std::move(box);
    part.source = source;
    part.at = begin + static_cast<uint64_t>(tensor->offset * item);
    for (size_t d = 0; d < part.box.rank(); ++d) // along one element nobody goes
      part.strides.push_back(part.box.extent[d] == 1 ? item : tensor->strides[d] * item);
    if (const auto order = find("/byteorder"); order != entries.end()) {
      TW_ASSIGN(const std::string text, text_of(*order));
      part.swapped = text == "big";
    }
    return part;
  }
};

bool looks_like_torch(const std::string &path, std::string_view) {
  std::error_code error;
  return fs::is_directory(path, error) ? fs::exists(fs::path(path) / kMetadata, error)
                                       : fs::path(path).filename() == kMetadata;
}

Result<Contents> open_torch(const std::string &path) {
  std::error_code error;
  return Reader(fs::is_directory(path, error) ? fs::path(path) : fs::path(path).parent_path()).read();
}

} // namespace

const Format torch_format = {"torch",          "a distributed checkpoint of PyTorch: a folder with .metadata",
                             looks_like_torch, open_torch,
                             nullptr,          nullptr,
                             nullptr};

} // namespace tw::store
