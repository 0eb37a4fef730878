// SPDX-License-Identifier: Apache-2.0
// Resharding: what is to be written, then block by block what each file gets of it.
#include "store/reshard.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/wide_hash.hpp"
#include "store/blocks.hpp"
#include "store/job_folder.hpp"

namespace tw::store {

using graph::DType;
using sharding::Box;

namespace {

constexpr size_t kLeastMemory = size_t{1} << 20;
constexpr size_t kMostBlock = size_t{32} << 20; // larger ones gain nothing

class Resharding {
public:
  Resharding(const Set &set, std::string dst, const Placement &placement, const ReshardOptions &options)
      : set_(set), dst_(std::move(dst)), placement_(placement), options_(options) {}

  Result<ReshardReport> run() {
    TW_TRY(prepare());
    if (options_.dry_run) {
      report_.bytes_read = set_.bytes_read() + report_.least_bytes_read;
      return std::move(report_);
    }
    TW_ASSIGN(folder_, JobFolder::open(dst_, job()));
    if (!folder_->is_done())
      TW_TRY(write());
    report_.bytes_read = set_.bytes_read() - read_again_;
    report_.peak_memory_bytes = peak_memory();
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    return std::move(report_);
  }

private:
  const Set &set_;
  const std::string dst_;
  const Placement &placement_;
  const ReshardOptions &options_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const Format *format_ = nullptr;
  Layout layout_;
  std::vector<size_t> from_; // for each array of the layout, which of the set
  std::vector<DType> types_;
  std::unique_ptr<Target> target_; // null: packed
  std::unique_ptr<JobFolder> folder_;
  ReshardReport report_;
  uint64_t done_ = 0;
  uint64_t read_again_ = 0; // to verify

  Status prepare();
  Status take_layout();
  std::string job() const;
  Status write();
  Status write_blocks(BlockReader &reader);
  Status pack(BlockReader &reader);
  Status verify(BlockReader &reader);
  int64_t elements_to_write(size_t a) const;
  Status verify_array(BlockReader &reader, const Set &written, size_t array);
  bool is_one_file() const { return !target_ || target_->files().front().name.empty(); }
  BlockReader reader(const Elements &elements) const {
    return {layout_, types_, elements, std::min(options_.memory_bytes, kMostBlock)};
  }
  Status step(const Box &block, size_t array) {
    done_ += static_cast<uint64_t>(block.elements()) * graph::byte_size(types_[array]);
    const uint64_t total = report_.least_bytes_read * (options_.verify ? 2 : 1);
    if (options_.progress && !options_.progress(done_, total))
      return fail(Code::cancelled, "TW-904",
                  fmt::format("{}: stopped; the same call goes on from here", dst_));
    return {};
  }
};

Status Resharding::take_layout() {
  layout_.whole = placement_.whole;
  layout_.mesh = placement_.mesh;
  if (!placement_.whole && !placement_.mesh.loop_axes().empty())
    return fail(Code::invalid_argument, "TW-903",
                "a mesh with axes of steps or threads: arrays lie over devices alone");
  for (size_t a = 0; a < set_.arrays().size(); ++a)
    if (const Array &array = set_.arrays()[a]; array.problem.empty())
      from_.push_back(a);
    else if (!array.foreign.empty())
      report_.left_out.push_back(array.name);
    else
      return fail(Code::invalid_argument, "TW-802", array.problem);
  // Elements of more bytes first, so that each lies at a multiple of its size.
  std::vector<DType> written(set_.arrays().size(), DType::invalid);
  for (const size_t a : from_) {
    const Array &array = set_.arrays()[a];
    const DType wanted =
        options_.dtype != DType::invalid && graph::is_float(array.dtype) ? options_.dtype : array.dtype;
    written[a] = format_->written_as(wanted);
    if (written[a] == DType::invalid)
      return fail(Code::unimplemented, "TW-906",
                  fmt::format("array '{}': {} has no elements of type {}", array.name, format_->name,
                              graph::name(wanted)));
  }
  std::ranges::stable_sort(from_, std::greater<>(), [&](size_t a) { return graph::byte_size(written[a]); });
  for (const size_t a : from_) {
    const Array &array = set_.arrays()[a];
    Layout::Array to{array.name, {written[a], array.dims}, {}, {}};
    if (!placement_.whole) {
      to.mesh = placement_.arrays[a].mesh;
      to.sharding = placement_.arrays[a].sharding;
      TW_TRY(sharding::verify(to.sharding, array.dims, to.mesh));
      if (!to.sharding.partial.empty())
        return fail(Code::invalid_argument, "TW-903",
                    fmt::format("array '{}': {} has partial values, which files do not hold", array.name,
                                sharding::to_text(to.sharding, to.mesh)));
    }
    layout_.arrays.push_back(std::move(to));
    types_.push_back(array.dtype);
  }
  return {};
}

Status Resharding::prepare() {
  if (options_.memory_bytes < kLeastMemory)
    return fail(
        Code::out_of_range, "TW-904",
        fmt::format("{} bytes of memory: at least {} are needed", options_.memory_bytes, kLeastMemory));
  if (options_.dtype != DType::invalid && !graph::is_float(options_.dtype))
    return fail(
        Code::invalid_argument, "TW-906",
        fmt::format("{} is no type of floats, and only floats are rounded", graph::name(options_.dtype)));
  TW_ASSIGN(format_, format_to_write(dst_, options_.format));
  TW_TRY(take_layout());
  if (format_->target != nullptr) {
    TW_ASSIGN(target_, format_->target(dst_, layout_));
    if (target_->files().empty())
      return fail(Code::invalid_argument, "TW-902", fmt::format("{} has no arrays to write", set_.path()));
  } else if (!layout_.whole) {
    return fail(Code::unimplemented, "TW-903",
                fmt::format("{} holds whole arrays; tiles are written as safetensors", format_->name));
  }
  report_.arrays = layout_.arrays.size();
  std::set<std::string_view> files;
  for (const auto &source : set_.sources())
    files.insert(source->path());
  report_.files_read = files.size();
  for (size_t a = 0; a < layout_.arrays.size(); ++a) {
    const graph::TensorType &type = layout_.arrays[a].type;
    report_.least_bytes_read += static_cast<uint64_t>(graph::TensorType{types_[a], type.dims}.bytes());
    report_.least_bytes_written += static_cast<uint64_t>(elements_to_write(a)) * graph::byte_size(type.dtype);
  }
  if (!target_) {
    report_.files_written = 1;
    report_.bytes_written = report_.least_bytes_written; // and headers, which are counted when written
    return {};
  }
  const auto notes = target_->notes();
  report_.files_written = target_->files().size() + notes.size();
  for (const Target::File &file : target_->files())
    report_.bytes_written += file.size;
  for (const auto &[name, text] : notes)
    report_.bytes_written += text.size();
  return {};
}

// What makes the target what it is: the source as it is now, and the layout.
std::string Resharding::job() const {
  WideHasher hash;
  std::string_view before;
  for (const auto &source : set_.sources()) {
    if (source->path() == before)
      continue;
    before = source->path();
    struct stat about {};
    if (::stat(source->path().c_str(), &about) == 0)
      hash.add(std::string_view(source->path()))
          .add(about.st_size)
          .add(about.st_mtim.tv_sec)
          .add(about.st_mtim.tv_nsec);
  }
  hash.add(std::string_view(format_->name)).add(std::string_view(layout_.mesh.text())).add(layout_.whole);
  for (size_t a = 0; a < layout_.arrays.size(); ++a) {
    const Layout::Array &array = layout_.arrays[a];
    hash.add(std::string_view(set_.arrays()[from_[a]].name)).add(std::string_view(array.name));
    hash.add(std::string_view(graph::to_short_text(array.type)));
    hash.add(std::string_view(layout_.whole ? "" : sharding::to_text(array.sharding, array.mesh)));
  }
  return hash.value().text();
}

Status Resharding::write() {
  const ElementsOfSet elements(set_, from_);
  BlockReader blocks = reader(elements);
  if (target_) {
    TW_TRY(write_blocks(blocks));
  } else {
    TW_TRY(pack(blocks));
  }
  if (options_.verify) {
    const uint64_t before = set_.bytes_read();
    TW_TRY(verify(blocks));
    read_again_ = set_.bytes_read() - before;
  }
  return folder_->finish(is_one_file());
}

Status Resharding::write_blocks(BlockReader &reader) {
  const auto &files = target_->files();
  const auto open = std::make_shared<OpenFiles>(O_WRONLY | O_CREAT);
  std::vector<FileWriter> writers;
  std::vector<uint64_t> there; // bytes of each file
  for (size_t f = 0; f < files.size(); ++f) {
    TW_TRY(make_folders_above(folder_->files(), files[f].name));
    writers.emplace_back(folder_->path(files[f].name), open);
    there.push_back(folder_->written(files[f].name));
    if (there[f] > files[f].size)
      return fail(Code::failed_precondition, "TW-904",
                  fmt::format("{} has {} bytes and is to have {}: remove the folder to begin anew",
                              folder_->path(files[f].name), there[f], files[f].size));
    report_.bytes_kept += there[f];
    if (std::string head = target_->head(f); there[f] < head.size()) {
      const iovec row{head.data(), head.size()};
      TW_TRY(writers[f].move(0, {&row, 1}));
    }
  }
  bool all_there = true; // of the blocks before
  for (size_t a = 0; a < layout_.arrays.size(); ++a) {
    const size_t item = graph::byte_size(layout_.arrays[a].type.dtype);
    const auto tiles = target_->tiles(a);
    Blocks blocks = reader.blocks(a);
    for (Box block; blocks.next(block);) {
      struct Piece {
        const Target::Tile *tile;
        Box box;
        Strides strides; // of the tile
        uint64_t at;
      };
      std::vector<Piece> pieces;
      for (const Target::Tile &tile : tiles) {
        Box box = sharding::intersect(tile.box, block);
        if (box.empty())
          continue;
        Strides strides = dense_strides(tile.box.extent, item);
        const uint64_t at = tile.at + static_cast<uint64_t>(distance(tile.box, box, strides));
        // Its elements lie one after the other in the tile.
        all_there &= there[tile.file] >= at + static_cast<uint64_t>(box.elements()) * item;
        pieces.push_back({&tile, std::move(box), std::move(strides), at});
      }
      if (!all_there) {
        TW_ASSIGN(const std::byte *elements, reader.read(a, block));
        const Strides strides = dense_strides(block.extent, item);
        for (const Piece &piece : pieces)
          TW_TRY(transfer(Direction::write, writers[piece.tile->file], piece.at, piece.strides,
                          piece.box.extent, item,
                          const_cast<std::byte *>(elements) + distance(block, piece.box, strides), strides));
      }
      TW_TRY(step(block, a));
    }
  }
  report_.bytes_written = 0;
  for (size_t f = 0; f < files.size(); ++f) {
    if (const uint64_t size = folder_->written(files[f].name); size != files[f].size)
      return fail(Code::internal, "TW-000",
                  fmt::format("{} has {} bytes, {} were to be written", folder_->path(files[f].name), size,
                              files[f].size));
    TW_TRY(writers[f].sync());
    report_.bytes_written += writers[f].bytes_written();
  }
  for (const auto &[name, text] : target_->notes()) {
    TW_TRY(make_folders_above(folder_->files(), name));
    TW_TRY(write_text(folder_->path(name), text));
    report_.bytes_written += text.size();
  }
  return {};
}

Status Resharding::pack(BlockReader &reader) {
  TW_TRY(folder_->forget()); // an archive is written in one go
  size_t of = SIZE_MAX;      // the array whose blocks are taken
  std::optional<Blocks> blocks;
  const std::byte *elements = nullptr;
  size_t left = 0;
  const TakeBytes take = [&](size_t array, void *to, size_t n) -> Status {
    if (array != of) {
      of = array;
      blocks.emplace(reader.blocks(array));
      left = 0;
    }
    for (auto *out = static_cast<std::byte *>(to); n > 0;) {
      if (left == 0) {
        Box block;
        if (!blocks->next(block))
          return fail(Code::internal, "TW-000", "an archive takes more elements than the array has");
        TW_ASSIGN(elements, reader.read(array, block));
        left = static_cast<size_t>(block.elements()) * graph::byte_size(layout_.arrays[array].type.dtype);
        TW_TRY(step(block, array));
      }
      const size_t some = std::min(n, left);
      std::memcpy(out, elements, some);
      out += some;
      elements += some;
      left -= some;
      n -= some;
    }
    return {};
  };
  const std::string path = folder_->path({});
  TW_TRY(format_->pack(path, layout_, take));
  TW_TRY(FileWriter(path, std::make_shared<OpenFiles>(O_WRONLY)).sync());
  report_.bytes_written = folder_->written({});
  return {};
}

// Every part of what was written, read as anybody reads it, is compared with the source.
Status Resharding::verify(BlockReader &reader) {
  TW_ASSIGN(const Set written,
            Set::open(is_one_file() ? folder_->path({}) : folder_->files(), format_->name));
  for (size_t a = 0; a < layout_.arrays.size(); ++a)
    TW_TRY(verify_array(reader, written, a));
  report_.verified = true;
  return {};
}

// Of an array, in all files. A format may have once what several devices hold.
int64_t Resharding::elements_to_write(size_t a) const {
  if (!target_)
    return layout_.arrays[a].type.elements();
  int64_t elements = 0;
  for (const Target::Tile &tile : target_->tiles(a))
    elements += tile.box.elements();
  return elements;
}

Status Resharding::verify_array(BlockReader &reader, const Set &written, size_t a) {
  const Layout::Array &array = layout_.arrays[a];
  const auto number = written.find(array.name);
  const auto wrong = [&](const std::string &why) {
    return fail(
        Code::internal, "TW-905",
        fmt::format("{}: what was written of array '{}' is wrong: {}", folder_->files(), array.name, why));
  };
  if (!number)
    return wrong("it is not there");
  const Array &found = written.arrays()[*number];
  if (found.dtype != array.type.dtype || found.dims != array.type.dims)
    return wrong(described(found));
  int64_t has = 0;
  for (const Part &part : found.parts)
    has += part.box.elements();
  if (const int64_t wanted = elements_to_write(a); has != wanted)
    return wrong(fmt::format("{} elements in all its parts, not {}", has, wanted));
  const size_t item = graph::byte_size(found.dtype);
  std::vector<std::byte> again;
  Blocks blocks = reader.blocks(a);
  for (Box block; blocks.next(block);) {
    TW_ASSIGN(const std::byte *elements, reader.read(a, block));
    const Strides strides = dense_strides(block.extent, item);
    for (const Part &part : found.parts) {
      const Box box = sharding::intersect(part.box, block);
      if (box.empty())
        continue;
      again.resize(static_cast<size_t>(block.elements()) * item);
      const int64_t place = distance(block, box, strides);
      TW_TRY(written.read_part(found, part, box, again.data() + place, strides));
      Blocks rows(box.extent, box.rank() == 0 ? 1 : std::max<int64_t>(box.extent.back(), 1));
      for (Box row; rows.next(row);) {
        int64_t at = place;
        for (size_t d = 0; d < row.rank(); ++d)
          at += row.offset[d] * strides[d];
        if (std::memcmp(again.data() + at, elements + at, static_cast<size_t>(row.elements()) * item) != 0)
          return wrong(fmt::format("{} differs from the source within {}",
                                   written.sources()[part.source]->path(), box_text(box)));
      }
    }
    TW_TRY(step(block, a));
  }
  return {};
}

} // namespace

uint64_t peak_memory() {
  // getrusage tells that of the process which became this one, too.
  FILE *file = std::fopen("/proc/self/status", "re");
  if (file == nullptr)
    return 0;
  unsigned long long kilobytes = 0;
  for (char line[256]; std::fgets(line, sizeof line, file) != nullptr;)
    if (std::sscanf(line, "VmHWM: %llu", &kilobytes) == 1)
      break;
  std::fclose(file);
  return kilobytes * 1024;
}

Result<ReshardReport> reshard(const Set &set, const std::string &dst, const Placement &placement,
                              const ReshardOptions &options) {
  return Resharding(set, dst, placement, options).run();
}

} // namespace tw::store
