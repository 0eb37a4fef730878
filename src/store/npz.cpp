// SPDX-License-Identifier: Apache-2.0
// .npz: a zip of .npy files, one an array; through libzip.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "store/format.hpp"
#include "store/npy_header.hpp"

#ifdef TW_WITH_LIBZIP
#include <zip.h>
#endif

namespace tw::store {

namespace {

bool looks_like_npz(const std::string &path, std::string_view first) {
  return first.starts_with("PK\x03\x04") || first.starts_with("PK\x05\x06") || path.ends_with(".npz");
}

#ifdef TW_WITH_LIBZIP

struct DiscardArchive {
  void operator()(zip_t *archive) const { zip_discard(archive); }
};
struct CloseEntry {
  void operator()(zip_file_t *file) const { zip_fclose(file); }
};
using OpenArchive = std::unique_ptr<zip_t, DiscardArchive>;
using EntryFile = std::unique_ptr<zip_file_t, CloseEntry>;

tl::unexpected<Error> cannot(const char *what, const std::string &path, const std::string &why) {
  return fail(Code::invalid_argument, "TW-801", fmt::format("cannot {} {}: {}", what, path, why));
}

Result<OpenArchive> open_archive(const std::string &path, int flags, const char *what) {
  int code = 0;
  OpenArchive archive(zip_open(path.c_str(), flags, &code));
  if (archive)
    return archive;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  return cannot(what, path, why);
}

// An archive, which one thread uses at a time.
struct Archive {
  OpenArchive file;
  std::mutex mutex;
};

// One entry, read from front to back; going back in what is compressed begins it anew.
class EntryBytes final : public Bytes {
public:
  EntryBytes(std::shared_ptr<Archive> archive, zip_uint64_t index, const std::string &path,
             const zip_stat_t &about)
      : archive_(std::move(archive)), index_(index), path_(path), size_(about.size),
        is_stored_((about.valid & ZIP_STAT_COMP_METHOD) != 0 && about.comp_method == ZIP_CM_STORE) {}
  const std::string &path() const override { return path_; }
  uint64_t size() const override { return size_; }
  uint64_t bytes_read() const override { return read_; }

  Status move(uint64_t at, std::span<const iovec> rows) override {
    const std::lock_guard lock(archive_->mutex);
    for (const iovec &row : rows) {
      TW_TRY(read_row(at, static_cast<char *>(row.iov_base), row.iov_len));
      at += row.iov_len;
    }
    return {};
  }

private:
  const std::shared_ptr<Archive> archive_;
  const zip_uint64_t index_;
  const std::string path_;
  EntryFile file_;
  const uint64_t size_;
  uint64_t at_ = 0;
  const bool is_stored_;
  std::atomic<uint64_t> read_{0};

  Status begin() {
    file_.reset(zip_fopen_index(archive_->file.get(), index_, 0));
    if (!file_)
      return cannot("read", path_, zip_strerror(archive_->file.get()));
    at_ = 0;
    return {};
  }
  Result<size_t> take(char *to, size_t n) {
    const zip_int64_t got = zip_fread(file_.get(), to, n);
    if (got <= 0)
      return cannot("read", path_, got < 0 ? zip_file_strerror(file_.get()) : "an array ends too early");
    at_ += static_cast<uint64_t>(got);
    read_ += static_cast<uint64_t>(got);
    return static_cast<size_t>(got);
  }
  Status read_row(uint64_t at, char *to, size_t n) {
    if (at > size_ || n > size_ - at)
      return cannot("read", path_, "an array ends too early");
    if (!file_ || (at < at_ && !is_stored_))
      TW_TRY(begin());
    if (at != at_ && is_stored_) {
      if (zip_fseek(file_.get(), static_cast<zip_int64_t>(at), SEEK_SET) != 0)
        return cannot("read", path_, zip_file_strerror(file_.get()));
      at_ = at;
    }
    char skipped[1 << 14];
    while (at_ < at)
      TW_TRY(take(skipped, std::min<uint64_t>(at - at_, sizeof skipped)));
    for (const uint64_t end = at + n; at_ < end;) {
      TW_ASSIGN(const size_t got, take(to, end - at_));
      to += got;
    }
    // Behind the last byte the archive says whether all were what was put in.
    if (at_ == size_ && n != 0)
      if (const zip_int64_t more = zip_fread(file_.get(), skipped, 1); more != 0)
        return cannot("read", path_,
                      more < 0 ? zip_file_strerror(file_.get()) : "an array is longer than the archive says");
    return {};
  }
};

Result<Contents> open_npz(const std::string &path) {
  auto archive = std::make_shared<Archive>();
  TW_ASSIGN(archive->file, open_archive(path, ZIP_RDONLY, "read"));
  zip_t *const file = archive->file.get();
  Contents contents;
  for (zip_uint64_t i = 0, n = static_cast<zip_uint64_t>(zip_get_num_entries(file, 0)); i < n; ++i) {
    zip_stat_t about;
    zip_stat_init(&about);
    if (zip_stat_index(file, i, 0, &about) != 0 || (about.valid & ZIP_STAT_SIZE) == 0)
      return cannot("read", path, zip_strerror(file));
    std::string key = about.name != nullptr ? about.name : "";
    if (key.ends_with("data.pkl")) {
      Error error = std::move(cannot("read", path, "it is of PyTorch").value());
      return fail(std::move(error).note("numpy.savez writes what is read here, and so does "
                                        "safetensors.torch.save_file"));
    }
    if (key.ends_with(".npy")) // which may be all of it: NumPy, too, takes "" for a name
      key.resize(key.size() - 4);
    auto bytes = std::make_shared<EntryBytes>(archive, i, path, about);
    const auto source = static_cast<uint32_t>(contents.sources.size());
    auto array = array_of_npy(*bytes, source, key, fmt::format("{}: {}", path, key));
    if (!array) { // matters to those alone who want this one
      array = Array();
      array->name = key;
      array->problem = array_of_npy(*bytes, source, key, fmt::format("{}: {}", path, key)).error().message();
    }
    contents.sources.push_back(std::move(bytes));
    contents.arrays.push_back(std::move(*array));
  }
  return contents;
}

// An entry that libzip asks for its bytes: the header, then the elements.
struct EntrySource {
  const Layout *layout;
  const TakeBytes *take;
  size_t array;
  std::string head;
  uint64_t at = 0;
  std::optional<Error> error;
  zip_error_t zip_error;

  uint64_t size() const { return head.size() + static_cast<uint64_t>(layout->arrays[array].type.bytes()); }
  zip_int64_t read(char *to, zip_uint64_t n) {
    n = std::min<zip_uint64_t>(n, size() - at);
    if (n == 0)
      return 0;
    if (at < head.size()) {
      n = std::min<zip_uint64_t>(n, head.size() - at);
      head.copy(to, n, at);
    } else if (auto status = (*take)(array, to, n); !status) {
      error = std::move(status.error());
      zip_error_set(&zip_error, ZIP_ER_READ, 0);
      return -1;
    }
    at += n;
    return static_cast<zip_int64_t>(n);
  }
  static zip_int64_t call(void *self, void *data, zip_uint64_t n, zip_source_cmd_t what) {
    auto &source = *static_cast<EntrySource *>(self);
    switch (what) {
    case ZIP_SOURCE_OPEN: source.at = 0; return 0;
    case ZIP_SOURCE_READ: return source.read(static_cast<char *>(data), n);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE: return 0;
    case ZIP_SOURCE_STAT: {
      auto *about = static_cast<zip_stat_t *>(data);
      zip_stat_init(about);
      about->size = source.size();
      about->valid |= ZIP_STAT_SIZE;
      return sizeof *about;
    }
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&source.zip_error, data, n);
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    default: zip_error_set(&source.zip_error, ZIP_ER_OPNOTSUPP, 0); return -1;
    }
  }
};

// A name from another format, which would end there.
Status check_names(const std::string &path, const Layout &layout) {
  for (const Layout::Array &array : layout.arrays)
    if (array.name.find('\0') != std::string::npos)
      return fail(
          Code::invalid_argument, "TW-903",
          fmt::format("{}: array '{}' cannot be written to npz, whose names have no byte 0: rename it", path,
                      array.name.c_str()));
  return {};
}

Status pack_npz(const std::string &path, const Layout &layout, const TakeBytes &take) {
  if (layout.arrays.empty()) // an archive of libzip without entries is no file
    return fail(Code::invalid_argument, "TW-902", fmt::format("{}: no arrays are given to write", path));
  TW_TRY(check_names(path, layout));
  std::vector<EntrySource> sources; // outlive the archive
  for (size_t a = 0; a < layout.arrays.size(); ++a) {
    sources.push_back({&layout, &take, a, npy_header(layout.arrays[a].type), 0, {}, {}});
    zip_error_init(&sources.back().zip_error);
  }
  TW_ASSIGN(auto archive, open_archive(path, ZIP_CREATE | ZIP_TRUNCATE, "write"));
  for (EntrySource &entry : sources) {
    zip_source_t *source = zip_source_function(archive.get(), EntrySource::call, &entry);
    const zip_int64_t index =
        source == nullptr ? -1
                          : zip_file_add(archive.get(), (layout.arrays[entry.array].name + ".npy").c_str(),
                                         source, ZIP_FL_OVERWRITE | ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      return cannot("write", path, zip_strerror(archive.get()));
    }
    zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    // 1980: equal arrays, equal files
    zip_file_set_mtime(archive.get(), static_cast<zip_uint64_t>(index), 315619200, 0);
  }
  if (zip_close(archive.get()) != 0) {
    for (EntrySource &entry : sources)
      if (entry.error)
        return fail(std::move(*entry.error));
    return cannot("write", path, zip_strerror(archive.get()));
  }
  static_cast<void>(archive.release()); // zip_close freed it
  return {};
}

#else

tl::unexpected<Error> no_libzip() {
  return fail(Code::unavailable, "TW-805",
              "this build reads and writes no .npz: it was configured without libzip");
}
Result<Contents> open_npz(const std::string &) { return no_libzip(); }
Status pack_npz(const std::string &, const Layout &, const TakeBytes &) { return no_libzip(); }

#endif

} // namespace

const Format npz_format = {"npz",    "an .npz file of NumPy", looks_like_npz, open_npz, nullptr,
                           pack_npz, numpy_type_for};

} // namespace tw::store
