// SPDX-License-Identifier: Apache-2.0
// NumPy's archive, through libzip.
#include "cli/npz.hpp"

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
using Archive = std::unique_ptr<zip_t, DiscardArchive>;
using EntryFile = std::unique_ptr<zip_file_t, CloseEntry>;

Failure cannot(const char *what, const std::string &path, const std::string &why) {
  return fail("invalid_argument", "TW-801", fmt::format("cannot {} {}: {}", what, path, why));
}

Archive open_archive(const std::string &path, int flags, const char *what) {
  int code = 0;
  Archive archive(zip_open(path.c_str(), flags, &code));
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw cannot(what, path, why);
  }
  return archive;
}

// Grows with what is really there, so that a stated size costs nothing by itself.
std::string read_entry(zip_t *archive, zip_uint64_t index, const std::string &path) {
  const EntryFile file(zip_fopen_index(archive, index, 0));
  if (!file)
    throw cannot("read", path, zip_strerror(archive));
  std::string bytes;
  char buffer[1 << 16];
  for (;;) {
    const zip_int64_t n = zip_fread(file.get(), buffer, sizeof buffer);
    if (n < 0)
      throw cannot("read", path, zip_file_strerror(file.get()));
    if (n == 0)
      return bytes;
    bytes.append(buffer, static_cast<size_t>(n));
  }
}

} // namespace

NpzEntries read_npz(const std::string &path) {
  const Archive archive = open_archive(path, ZIP_RDONLY, "read");
  NpzEntries entries;
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const char *stored = zip_get_name(archive.get(), index, 0);
    std::string key = stored ? stored : "";
    if (key.size() > 4 && key.ends_with(".npy"))
      key.resize(key.size() - 4);
    entries.emplace_back(key,
                         parse_npy(read_entry(archive.get(), index, path), fmt::format("{}: {}", path, key)));
  }
  return entries;
}

void write_npz(const std::string &path, const NpzEntries &entries) {
  Archive archive = open_archive(path, ZIP_CREATE | ZIP_TRUNCATE, "write");
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
  archive.release(); // zip_close freed it
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

NpzEntries read_npz(const std::string &) { throw no_libzip(); }
void write_npz(const std::string &, const NpzEntries &) { throw no_libzip(); }

} // namespace tw::cli

#endif
