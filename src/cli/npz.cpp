// SPDX-License-Identifier: Apache-2.0
// NumPy's archive, through libzip.
#include "cli/npz.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "cli/failure.hpp"

#ifdef TW_WITH_LIBZIP

#include <zip.h>

namespace tw::cli {

namespace {

struct DiscardArchive {
  void operator()(zip_t *archive) const { zip_discard(archive); }
};
struct CloseEntry {
  void operator()(zip_file_t *file) const { zip_fclose(file); }
};
using OpenArchive = std::unique_ptr<zip_t, DiscardArchive>;
using EntryFile = std::unique_ptr<zip_file_t, CloseEntry>;

Failure cannot(const char *what, const std::string &path, const std::string &why) {
  return fail("invalid_argument", "TW-801", fmt::format("cannot {} {}: {}", what, path, why));
}

constexpr const char *kWanted = "--inputs takes what numpy.savez writes, one array for each argument";
std::string what_it_is(const std::string &path) {
  return fmt::format("`tw info {}` says how files of other kinds become that", path);
}

OpenArchive open_archive(const std::string &path, int flags, const char *what) {
  int code = 0;
  OpenArchive archive(zip_open(path.c_str(), flags, &code));
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    Failure failure = cannot(what, path, why);
    if (code == ZIP_ER_NOZIP)
      failure.notes.push_back(path.ends_with(".npy")
                                  ? fmt::format("it is one array: --fill ARGUMENT={}", path)
                                  : fmt::format("{}. {}", kWanted, what_it_is(path)));
    throw failure;
  }
  return archive;
}

std::string key_of(zip_t *archive, zip_uint64_t index) {
  const char *stored = zip_get_name(archive, index, 0);
  std::string key = stored ? stored : "";
  if (key.size() > 4 && key.ends_with(".npy"))
    key.resize(key.size() - 4);
  return key;
}

// One entry, read from front to back; going back begins it anew.
class EntryBytes final : public NpyBytes {
public:
  EntryBytes(zip_t *archive, zip_uint64_t index, const std::string &path)
      : archive_(archive), index_(index), path_(path) {
    zip_stat_t about;
    zip_stat_init(&about);
    if (zip_stat_index(archive, index, 0, &about) != 0 || (about.valid & ZIP_STAT_SIZE) == 0)
      throw cannot("read", path, zip_strerror(archive));
    size_ = about.size;
    is_stored_ = (about.valid & ZIP_STAT_COMP_METHOD) != 0 && about.comp_method == ZIP_CM_STORE;
  }
  size_t size() const override { return size_; }
  void read(size_t at, size_t n, char *to) override {
    if (!file_ || (at < at_ && !is_stored_))
      open();
    if (at != at_ && is_stored_) {
      if (zip_fseek(file_.get(), static_cast<zip_int64_t>(at), SEEK_SET) != 0)
        throw cannot("read", path_, zip_file_strerror(file_.get()));
      at_ = at;
    }
    char skipped[1 << 14];
    while (at_ < at)
      take(skipped, std::min(at - at_, sizeof skipped));
    for (const size_t end = at + n; at_ < end;)
      to += take(to, end - at_);
    // Behind the last byte the archive says whether all were what was put in.
    if (at_ == size_ && n != 0)
      if (const zip_int64_t more = zip_fread(file_.get(), skipped, 1); more != 0)
        throw cannot("read", path_,
                     more < 0 ? zip_file_strerror(file_.get()) : "an array is longer than the archive says");
  }

private:
  void open() {
    file_.reset(zip_fopen_index(archive_, index_, 0));
    if (!file_)
      throw cannot("read", path_, zip_strerror(archive_));
    at_ = 0;
  }
  size_t take(char *to, size_t n) {
    const zip_int64_t got = zip_fread(file_.get(), to, n);
    if (got <= 0)
      throw cannot("read", path_, got < 0 ? zip_file_strerror(file_.get()) : "an array ends too early");
    at_ += static_cast<size_t>(got);
    return static_cast<size_t>(got);
  }

  zip_t *archive_;
  zip_uint64_t index_;
  const std::string &path_;
  EntryFile file_;
  size_t size_ = 0, at_ = 0;
  bool is_stored_ = false;
};

} // namespace

struct NpzFile::Archive {
  OpenArchive file;
};

NpzFile::NpzFile(const std::string &path)
    : path_(path), archive_(new Archive{open_archive(path, ZIP_RDONLY, "read")}) {
  const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(archive_->file.get(), 0));
  bool is_torch = false;
  for (zip_uint64_t i = 0; i < count; ++i) {
    keys_.push_back(key_of(archive_->file.get(), i));
    is_torch |= keys_.back().ends_with("data.pkl");
  }
  if (is_torch) {
    Failure failure = cannot("read", path, "it is of PyTorch");
    failure.notes.push_back(fmt::format("{}. {}", kWanted, what_it_is(path)));
    throw failure;
  }
}
NpzFile::~NpzFile() = default;

std::string NpzFile::part(size_t entry, const ArgumentPart &part) const {
  EntryBytes bytes(archive_->file.get(), entry, path_);
  return part_of_npy(bytes, fmt::format("{}: {}", path_, keys_[entry]), part);
}

std::string NpzFile::text_type(size_t entry) const {
  EntryBytes bytes(archive_->file.get(), entry, path_);
  return text_type_of_npy(bytes);
}

void write_npz(const std::string &path, const NpzEntries &entries) {
  OpenArchive archive = open_archive(path, ZIP_CREATE | ZIP_TRUNCATE, "write");
  std::vector<std::string> files; // alive until the archive is written
  files.reserve(entries.size());
  for (const auto &[key, array] : entries) {
    const std::string &bytes = files.emplace_back(to_npy(array));
    zip_source_t *source = zip_source_buffer(archive.get(), bytes.data(), bytes.size(), 0);
    const zip_int64_t index = source ? zip_file_add(archive.get(), (key + ".npy").c_str(), source,
                                                    ZIP_FL_OVERWRITE | ZIP_FL_ENC_UTF_8)
                                     : -1;
    if (index < 0) {
      zip_source_free(source);
      throw cannot("write", path, zip_strerror(archive.get()));
    }
    zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    zip_file_set_mtime(archive.get(), static_cast<zip_uint64_t>(index), 315619200,
                       0); // 1980: equal results, equal files
  }
  if (zip_close(archive.get()) != 0)
    throw cannot("write", path, zip_strerror(archive.get()));
  static_cast<void>(archive.release()); // zip_close freed it
}

} // namespace tw::cli

#else

namespace tw::cli {

namespace {
Failure no_libzip() {
  return fail("unavailable", "TW-805",
              "this build reads and writes no .npz: it was configured without libzip");
}
} // namespace

struct NpzFile::Archive {};
NpzFile::NpzFile(const std::string &) { throw no_libzip(); }
NpzFile::~NpzFile() = default;
std::string NpzFile::part(size_t, const ArgumentPart &) const { throw no_libzip(); }
std::string NpzFile::text_type(size_t) const { throw no_libzip(); }
void write_npz(const std::string &, const NpzEntries &) { throw no_libzip(); }

} // namespace tw::cli

#endif
