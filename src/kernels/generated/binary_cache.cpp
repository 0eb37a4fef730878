// SPDX-License-Identifier: Apache-2.0
// A file on disk holds a hash of the binary before it. It is written under another name first, so that other
// processes find all of it or nothing.
#include "kernels/generated/binary_cache.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "kernels/generated/source.hpp"

namespace tw::kernels::generated {

namespace {

constexpr size_t kHashDigits = 16;

std::string hash_text(const std::string &binary) {
  return fmt::format("{:016x}", hash_bytes(binary.data(), binary.size()));
}

std::optional<std::string> read_binary(const std::filesystem::path &path) {
  std::ifstream in(path, std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (all.size() <= kHashDigits || hash_text(all.substr(kHashDigits)) != all.substr(0, kHashDigits))
    return std::nullopt;
  return all.substr(kHashDigits);
}

void write_binary(const std::filesystem::path &path, const std::string &binary) {
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  const std::filesystem::path part = path.string() + fmt::format(".{}", getpid());
  std::ofstream out(part, std::ios::binary);
  out << hash_text(binary) << binary;
  out.close();
  if (out)
    std::filesystem::rename(part, path, ignored);
  std::filesystem::remove(part, ignored);
}

} // namespace

Result<std::shared_ptr<const std::string>> BinaryCache::binary(const std::string &file,
                                                               const std::string &architecture) {
  const std::string key = cache_key(file, architecture, compiler_);
  std::unique_lock lock(mutex_);
  // Who comes while another thread makes it waits for that one; other files are compiled meanwhile.
  changed_.wait(lock, [&] { return !in_work_.contains(key); });
  if (const auto known = binaries_.find(key); known != binaries_.end())
    return known->second;
  in_work_.insert(key);
  lock.unlock();
  Result<std::string> made = read_or_compile(key, file, architecture);
  lock.lock();
  in_work_.erase(key);
  changed_.notify_all();
  if (!made)
    return fail(std::move(made.error()));
  return binaries_[key] = std::make_shared<const std::string>(std::move(*made));
}

Result<std::string> BinaryCache::read_or_compile(const std::string &key, const std::string &file,
                                                 const std::string &architecture) const {
  if (folder_.empty())
    return compile_(file, architecture);
  const std::filesystem::path path = std::filesystem::path(folder_) / key;
  if (auto found = read_binary(path))
    return std::move(*found);
  TW_ASSIGN(std::string made, compile_(file, architecture));
  write_binary(path, made);
  return made;
}

} // namespace tw::kernels::generated
