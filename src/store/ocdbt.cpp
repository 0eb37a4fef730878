// SPDX-License-Identifier: Apache-2.0
// OCDBT, the database of key and value pairs in which Orbax keeps zarr arrays: a manifest, which names the
// root of a B+tree for each version, and files that hold nodes and values. Its format is described in
// TensorStore's documents: https://google.github.io/tensorstore/kvstore/ocdbt/index.html
#include <cstring>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "store/keys.hpp"
#include "store/packed.hpp"

namespace tw::store {

namespace fs = std::filesystem;

namespace {

constexpr uint32_t kManifestMagic = 0x0cdb3a2a, kNodeMagic = 0x0cdb20de;
constexpr uint64_t kMostNode = uint64_t{16} << 20;     // unpacked
constexpr uint64_t kMostUnpacked = uint64_t{1} << 30;  // of all nodes
constexpr uint64_t kMostManifest = uint64_t{64} << 20; // packed
constexpr uint64_t kNowhere = ~uint64_t{0};            // offset and length of the root of an empty tree

// Numbers and texts one behind the other. After the first mistake everything reads as zero; is_right() tells.
class BodyReader {
public:
  explicit BodyReader(std::string_view bytes) : bytes_(bytes) {}

  uint64_t byte() {
    const std::string_view one = text(1);
    return one.empty() ? 0 : static_cast<unsigned char>(one[0]);
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint64_t next = byte();
      if (shift == 63 && next > 1)
        break;
      value |= (next & 127) << shift;
      if (next < 128)
        return value;
    }
    is_right_ = false;
    return 0;
  }
  std::string_view text(uint64_t size) {
    if (size > bytes_.size() - at_) {
      is_right_ = false;
      return {};
    }
    const std::string_view found = bytes_.substr(at_, size);
    at_ += size;
    return found;
  }
  // Of items that take a byte each, at least.
  std::vector<uint64_t> varints(uint64_t count) {
    std::vector<uint64_t> values;
    if (count > bytes_.size() - at_)
      is_right_ = false;
    for (uint64_t i = 0; i < count && is_right_; ++i)
      values.push_back(varint());
    values.resize(is_right_ ? count : 0);
    return values;
  }
  // How many items follow, which take a byte each at least.
  uint64_t count() {
    const uint64_t n = varint();
    if (n > bytes_.size() - at_)
      is_right_ = false;
    return is_right_ ? n : 0;
  }
  // Texts of which each has the first bytes of the one before: the numbers of these bytes, of the others,
  // `between`, and the others.
  std::vector<std::string> texts(uint64_t count, std::vector<uint64_t> *between) {
    const std::vector<uint64_t> shared = varints(count == 0 ? 0 : count - 1), own = varints(count);
    if (between != nullptr)
      *between = varints(count);
    std::vector<std::string> all;
    for (uint64_t i = 0; i < count && is_right_; ++i) {
      const uint64_t kept = i == 0 ? 0 : shared[i - 1];
      if (i != 0 && kept > all.back().size())
        is_right_ = false;
      else
        all.push_back((i == 0 ? std::string() : all.back().substr(0, kept)) + std::string(text(own[i])));
      if (is_right_ && (room_ -= std::min<uint64_t>(room_, all.back().size())) == 0)
        is_right_ = false;
    }
    all.resize(is_right_ ? count : 0);
    return all;
  }
  std::string_view rest() const { return bytes_.substr(at_); }
  bool is_right() const { return is_right_; }
  bool is_done() const { return is_right_ && at_ == bytes_.size(); }

private:
  std::string_view bytes_;
  size_t at_ = 0;
  uint64_t room_ = 4 * kMostNode; // bytes of texts
  bool is_right_ = true;
};

uint64_t number(std::string_view bytes, bool big_endian) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i]))
             << 8 * (big_endian ? bytes.size() - 1 - i : i);
  return value;
}

// A file of the database, as a node names it.
struct DataFile {
  std::string path, base; // `base` is also that of the files which its nodes name
};
struct Place {
  DataFile file;
  uint64_t at = 0, size = 0;
};

class Database {
public:
  Database(std::string folder, std::shared_ptr<OpenFiles> files)
      : folder_(std::move(folder)), open_(std::move(files)) {}

  Result<Keys> read() {
    const std::string path = (fs::path(folder_) / kManifest).string();
    TW_ASSIGN(const std::string bytes, read_text(path, kMostManifest));
    TW_ASSIGN(const std::string body, unpacked(bytes, kManifestMagic, path));
    BodyReader in(body);
    in.text(16); // the id of the database
    if (const uint64_t kind = in.varint(); kind != 0)
      return fail(
          Code::unimplemented, "TW-902",
          fmt::format("{}: manifests of kind {} are not read, those of one file (0) are", path, kind));
    in.varint();                // bytes of values that stand in nodes
    in.varint();                // bytes of nodes
    in.byte();                  // arity of the tree of versions
    if (in.varint() != 0)       // how nodes are packed
      in.text(sizeof(int32_t)); // the level
    TW_ASSIGN(const auto names, data_files(in, "", path));
    // The newest versions, the newest last; older ones do not matter.
    const uint64_t versions = in.count();
    in.varints(versions); // generations
    const std::string_view heights = in.text(versions);
    const auto file = in.varints(versions), at = in.varints(versions), size = in.varints(versions);
    if (!in.is_right() || versions == 0)
      return damaged(path, "it names no version");
    if (at.back() == kNowhere && size.back() == kNowhere)
      return std::move(keys_);
    if (file.back() >= names.size())
      return damaged(path,
                     fmt::format("it names {} files, and its root is in file {}", names.size(), file.back()));
    TW_TRY(take_node({names[file.back()], at.back(), size.back()}, "",
                     static_cast<unsigned char>(heights.back())));
    return std::move(keys_);
  }

private:
  static tl::unexpected<Error> damaged(const std::string &what, const std::string &why) {
    return fail(Code::invalid_argument, "TW-901", fmt::format("{}: {}", what, why));
  }

  // What is behind the header, which says whose it is, and before the checksum.
  Result<std::string> unpacked(std::string_view bytes, uint32_t magic, const std::string &what) {
    constexpr size_t header = sizeof(uint32_t) + sizeof(uint64_t), checksum = sizeof(uint32_t);
    if (bytes.size() < header + 2 + checksum)
      return damaged(what, fmt::format("it has {} bytes, which is too few", bytes.size()));
    if (number(bytes.substr(0, sizeof magic), true) != magic)
      return damaged(what, fmt::format("it does not begin with {:08x}", magic));
    if (const uint64_t size = number(bytes.substr(sizeof magic, sizeof(uint64_t)), false);
        size != bytes.size())
      return damaged(what, fmt::format("it says that it has {} bytes, and has {}", size, bytes.size()));
    const std::string_view covered = bytes.substr(0, bytes.size() - checksum);
    if (crc32c(covered) != number(bytes.substr(covered.size()), false))
      return damaged(what, "its checksum is wrong");
    BodyReader in(covered.substr(header));
    const uint64_t version = in.varint(), packing = in.varint();
    if (version != 0 || packing > 1)
      return fail(
          Code::unimplemented, "TW-902",
          fmt::format("{}: it is of version {}, packed by method {}; version 0 is read, plain or packed "
                      "by Zstandard (1)",
                      what, version, packing));
    const std::string_view rest = in.rest();
    if (packing == 0)
      return std::string(rest);
    const uint64_t room = size_of_zstd(rest, kMostNode);
    if (room > kMostNode)
      return fail(Code::resource_exhausted, "TW-902",
                  fmt::format("{}: it has {} bytes, at most {} are read", what, room, kMostNode));
    std::string body(room, '\0');
    TW_ASSIGN(const size_t size, unpack_zstd(rest, body.data(), body.size(), what));
    body.resize(size);
    unpacked_ += size;
    if (unpacked_ > kMostUnpacked)
      return fail(Code::resource_exhausted, "TW-902",
                  fmt::format("{}: its keys take more than {} bytes", folder_, kMostUnpacked));
    return body;
  }

  Result<std::vector<DataFile>> data_files(BodyReader &in, const std::string &before,
                                           const std::string &what) {
    std::vector<uint64_t> base;
    const uint64_t count = in.count();
    std::vector<DataFile> files;
    // The numbers of bytes of the bases stand between those of the paths and the paths.
    const std::vector<std::string> paths = in.texts(count, &base);
    if (!in.is_right())
      return damaged(what, "its list of files is damaged");
    for (size_t i = 0; i < paths.size(); ++i) {
      if (base[i] > paths[i].size())
        return damaged(what, "its list of files is damaged");
      files.push_back({before + paths[i], before + paths[i].substr(0, base[i])});
      const fs::path path(files.back().path);
      bool is_inside =
          !path.empty() && path.is_relative() && files.back().path.find('\0') == std::string::npos;
      for (const fs::path &part : path)
        is_inside = is_inside && part != "..";
      if (!is_inside)
        return damaged(what, fmt::format("'{}' is no file in this folder", files.back().path));
    }
    return files;
  }

  Result<std::shared_ptr<Bytes>> file(const std::string &path) {
    auto &known = files_[path];
    if (known == nullptr) {
      TW_ASSIGN(known, open_bytes((fs::path(folder_) / path).string(), open_));
    }
    return known;
  }

  // A node and what is below it; all of its keys begin with `before`.
  Status take_node(const Place &place, const std::string &before, uint64_t height) {
    const std::string path = (fs::path(folder_) / place.file.path).string(),
                      what = fmt::format("{}, byte {}", path, place.at);
    if (!visited_.emplace(place.file.path, place.at).second)
      return damaged(what, "the tree comes here twice");
    if (place.size > kMostNode)
      return fail(Code::resource_exhausted, "TW-902",
                  fmt::format("{}: a node has {} bytes, at most {} are read", what, place.size, kMostNode));
    TW_ASSIGN(const auto bytes, file(place.file.path));
    std::string packed(place.size, '\0');
    if (place.at > bytes->size() || place.size > bytes->size() - place.at)
      return damaged(what, fmt::format("a node of {} bytes is said to be here, the file has {}", place.size,
                                       bytes->size()));
    TW_TRY(bytes->read(place.at, packed.data(), packed.size()));
    TW_ASSIGN(const std::string body, unpacked(packed, kNodeMagic, what));
    BodyReader in(body);
    if (const uint64_t own = in.byte(); own != height)
      return damaged(what,
                     fmt::format("a node of height {} is said to be here, and it says {}", height, own));
    TW_ASSIGN(const auto names, data_files(in, place.file.base, what));
    const uint64_t count = in.count();
    return height == 0 ? take_leaf(in, names, count, before, path, what)
                       : take_interior(in, names, count, before, height, what);
  }

  Status take_leaf(BodyReader &in, const std::vector<DataFile> &names, uint64_t count,
                   const std::string &before, const std::string &path, const std::string &what) {
    const std::vector<std::string> keys = in.texts(count, nullptr);
    const auto size = in.varints(count), kind = in.varints(count);
    uint64_t elsewhere = 0;
    for (const uint64_t k : kind)
      elsewhere += k == 1;
    const auto in_file = in.varints(elsewhere), at = in.varints(elsewhere);
    for (uint64_t i = 0, next = 0; i < count && in.is_right(); ++i) {
      KeyValue value;
      value.size = size[i];
      if (kind[i] == 0) {
        value.source = text_bytes(std::string(in.text(size[i])), path);
      } else if (kind[i] == 1 && in_file[next] < names.size()) {
        TW_ASSIGN(value.source, file(names[in_file[next]].path));
        value.at = at[next++];
        if (value.at > value.source->size() || value.size > value.source->size() - value.at)
          return damaged(what, fmt::format("the value of '{}' is said to be bytes {}+{} of {}, which has {}",
                                           before + keys[i], value.at, value.size, value.source->path(),
                                           value.source->size()));
      } else {
        return damaged(what, fmt::format("the value of '{}' is nowhere", before + keys[i]));
      }
      if (!keys_.emplace(before + keys[i], std::move(value)).second)
        return damaged(what, fmt::format("key '{}' is there twice", before + keys[i]));
    }
    return in.is_done() ? Status() : damaged(what, "the node is damaged");
  }

  Status take_interior(BodyReader &in, const std::vector<DataFile> &names, uint64_t count,
                       const std::string &before, uint64_t height, const std::string &what) {
    std::vector<uint64_t> common;
    const std::vector<std::string> keys = in.texts(count, &common);
    const auto in_file = in.varints(count), at = in.varints(count), size = in.varints(count);
    for (int statistic = 0; statistic < 3; ++statistic)
      in.varints(count);
    if (!in.is_done())
      return damaged(what, "the node is damaged");
    for (uint64_t i = 0; i < count; ++i) {
      if (in_file[i] >= names.size() || common[i] > keys[i].size())
        return damaged(what, fmt::format("child {} is nowhere", i));
      TW_TRY(
          take_node({names[in_file[i]], at[i], size[i]}, before + keys[i].substr(0, common[i]), height - 1));
    }
    return {};
  }

  const std::string folder_;
  const std::shared_ptr<OpenFiles> open_;
  std::map<std::string, std::shared_ptr<Bytes>> files_;
  std::set<std::pair<std::string, uint64_t>> visited_;
  uint64_t unpacked_ = 0;
  Keys keys_;
};

} // namespace

Result<Keys> keys_of_database(const std::string &folder, std::shared_ptr<OpenFiles> files) {
  return Database(folder, std::move(files)).read();
}

} // namespace tw::store
