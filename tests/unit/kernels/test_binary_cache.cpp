// SPDX-License-Identifier: Apache-2.0
// The cache of device binaries, with a compiler that counts.
#include "kernels/generated/binary_cache.hpp"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

namespace tw::test_binary_cache {

using kernels::generated::BinaryCache;

TEST_CASE("a file is compiled once for an architecture, by all processes that share a folder") {
  std::string folder = (std::filesystem::temp_directory_path() / "tw_binaries_XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  int compiled = 0;
  const auto compile = [&](const std::string &file, const std::string &architecture) -> Result<std::string> {
    ++compiled;
    if (file == "wrong")
      return fail(Code::internal, "TW-261", "no");
    return file + " for " + architecture;
  };
  {
    BinaryCache cache(folder + "/new", {"one"}, compile);
    CHECK(**cache.binary("a", "sm_80") == "a for sm_80");
    CHECK(**cache.binary("a", "sm_80") == "a for sm_80");
    CHECK(**cache.binary("a", "sm_90") == "a for sm_90");
    CHECK(!cache.binary("wrong", "sm_90").has_value());
    CHECK(compiled == 3);
  }
  BinaryCache again(folder + "/new", {"one"}, compile), other(folder + "/new", {"two"}, compile);
  CHECK(**again.binary("a", "sm_90") == "a for sm_90");
  CHECK(compiled == 3);
  CHECK(**other.binary("a", "sm_90") == "a for sm_90");
  CHECK(compiled == 4);
  for (const auto &entry : std::filesystem::directory_iterator(folder + "/new"))
    std::filesystem::resize_file(entry.path(), 20); // damaged: made again
  BinaryCache repaired(folder + "/new", {"one"}, compile), in_memory("", {"one"}, compile);
  CHECK(**repaired.binary("a", "sm_80") == "a for sm_80");
  CHECK(**in_memory.binary("a", "sm_80") == "a for sm_80");
  CHECK(compiled == 6);
  std::filesystem::remove_all(folder);
}

TEST_CASE("threads that ask for one file wait for the first, and two files are compiled at once") {
  std::atomic<int> compiled = 0, inside = 0;
  const auto compile = [&](const std::string &file, const std::string &) -> Result<std::string> {
    ++compiled;
    for (++inside; inside < 2;) // until the other file is under way too
      std::this_thread::yield();
    return file;
  };
  BinaryCache cache("", {"one"}, compile);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      const std::string file = i % 2 == 0 ? "a" : "b";
      CHECK(**cache.binary(file, "sm_90") == file);
    });
  for (std::thread &t : threads)
    t.join();
  CHECK(compiled == 2);
}

} // namespace tw::test_binary_cache
