// SPDX-License-Identifier: Apache-2.0
// Damaged files of every format: an error that says something, or arrays that can be read; in little memory.
#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "store/reshard.hpp"
#include "store/set.hpp"
#include "store/write_arrays.hpp"
#include "support/number_of.hpp"
#include "support/random_sharding.hpp"
#include "support/unit.hpp"

namespace tw::test_damage {

namespace fs = std::filesystem;
using tw::test::draw;
using tw::test::Random;

namespace {

std::string read_file(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_file(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Some bytes changed, cut out, doubled or cut off.
std::string damaged(Random &random, std::string bytes) {
  for (int64_t n = draw(random, 1, 4); n > 0 && !bytes.empty(); --n) {
    const auto at = static_cast<size_t>(random() % bytes.size());
    switch (draw(random, 0, 6)) {
    case 0: bytes.resize(at); break;
    case 1: bytes.erase(at, static_cast<size_t>(draw(random, 1, 8))); break;
    case 2: bytes.insert(at, bytes.substr(at, static_cast<size_t>(draw(random, 1, 30)))); break;
    case 3: bytes[at] = static_cast<char>(draw(random, 0, 1) == 0 ? 0xFF : 0x7F); break;
    case 4: bytes[at] = static_cast<char>('0' + draw(random, 0, 9)); break;
    default: bytes[at] = static_cast<char>(random());
    }
  }
  return bytes;
}

// Reads all that can be read of a set, as long as it is not much. Answers how many arrays cannot.
uint64_t read_all(const store::Set &set) {
  uint64_t refused = 0;
  for (size_t a = 0; a < set.arrays().size(); ++a) {
    const store::Array &array = set.arrays()[a];
    std::vector<char> memory(16);
    sharding::Box box = sharding::Box::whole(array.dims);
    if (array.problem.empty()) {
      const graph::TensorType type{array.dtype, array.dims};
      if (type.bytes() > (1 << 20))
        continue;
      memory.resize(static_cast<size_t>(type.bytes()) + 1);
    }
    const auto status =
        set.read(a, box, memory.data(),
                 store::dense_strides(box.extent, array.problem.empty() ? graph::byte_size(array.dtype) : 1));
    if (!status)
      CHECK(!status.error().message().empty());
    refused += !status;
  }
  return refused;
}

void damage_one_by_one(const fs::path &whole, const std::string &format, uint64_t cases) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("tilewright_damage_{}", ::getpid());
  Random random(test::number_of("TW_SEED", 17));
  const bool is_folder = fs::is_directory(whole);
  std::vector<fs::path> names;
  if (is_folder)
    for (const auto &entry : fs::recursive_directory_iterator(whole)) {
      if (entry.is_regular_file())
        names.push_back(fs::relative(entry.path(), whole));
    }
  else
    names.push_back(whole.filename());
  std::ranges::sort(names);
  const fs::path from = is_folder ? whole : whole.parent_path();
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::vector<std::string> contents;
  for (const fs::path &name : names) {
    contents.push_back(read_file(from / name));
    fs::create_directories((folder / name).parent_path());
    write_file(folder / name, contents.back());
  }
  [[maybe_unused]] const uint64_t before = store::peak_memory();
  const auto intact = store::Set::open((is_folder ? folder : folder / names[0]).string(), format);
  REQUIRE_MESSAGE(intact, intact.error().message());
  const uint64_t not_read = read_all(*intact);
  uint64_t refused = 0;
  for (uint64_t i = 0; i < cases; ++i) {
    const auto which = static_cast<size_t>(draw(random, 0, static_cast<int64_t>(names.size()) - 1));
    write_file(folder / names[which], damaged(random, contents[which]));
    INFO(format, ", case ", i);
    const auto set = store::Set::open((is_folder ? folder : folder / names[0]).string(), format);
    if (set) {
      refused += read_all(*set) > not_read;
    } else {
      ++refused;
      CHECK(!set.error().message().empty());
      CHECK(set.error().code() != Code::internal);
    }
    write_file(folder / names[which], contents[which]);
  }
  CHECK(refused > cases / 20);
#ifndef __SANITIZE_ADDRESS__ // it keeps what was freed for a while
  CHECK(store::peak_memory() - before < (uint64_t{64} << 20));
#endif
  fs::remove_all(folder);
}

} // namespace

TEST_CASE("damaged files are refused or read, whatever the damage") {
  const fs::path folder = fs::temp_directory_path() / fmt::format("tilewright_whole_{}", ::getpid());
  fs::create_directories(folder);
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  const store::InMemory arrays[] = {{"layer.w", {graph::DType::f32, {2, 3}}, numbers.data()},
                                    {"b", {graph::DType::u8, {7}}, numbers.data()}};
  const uint64_t cases = test::slice_of(300000, 1500);
  const auto write = [&](const char *name, size_t count) {
    const std::string path = (folder / name).string();
    REQUIRE(store::write_arrays(path, {}, std::span(arrays).first(count)));
    return path;
  };
  SUBCASE("safetensors") { damage_one_by_one(write("a.safetensors", 2), "safetensors", cases); }
  SUBCASE("a set with an index") {
    damage_one_by_one(test::source_path("tests/golden/store/hub"), "safetensors", cases);
  }
  SUBCASE("tiles") {
    const auto set = store::Set::open(write("b.safetensors", 2));
    REQUIRE(set);
    store::Placement placement;
    placement.whole = false;
    placement.mesh = *sharding::Mesh::parse("x=2");
    for (const store::Array &array : set->arrays())
      placement.arrays.push_back(
          {placement.mesh,
           *sharding::parse_sharding(array.dims.size() == 1 ? "[{x}]" : "[{x}, {}]", placement.mesh)});
    const std::string tiles = (folder / "tiles").string();
    REQUIRE(store::reshard(*set, tiles, placement, {}));
    damage_one_by_one(tiles, "safetensors", cases);
  }
  SUBCASE("npy") { damage_one_by_one(write("c.npy", 1), "npy", cases); }
  SUBCASE("npz") {
    const auto status = store::write_arrays((folder / "d.npz").string(), {}, arrays);
    if (!status && std::string_view(status.error().info().id) == "TW-805")
      test::skip("this build has no libzip");
    else
      damage_one_by_one(write("d.npz", 2), "npz", cases);
  }
  SUBCASE("a checkpoint of Orbax") {
    damage_one_by_one(test::source_path("tests/golden/store/orbax"), "zarr", cases);
  }
  SUBCASE("zarr") { damage_one_by_one(test::source_path("tests/golden/store/zarr"), "zarr", cases); }
  SUBCASE("torch") { damage_one_by_one(test::source_path("tests/golden/store/torch"), "torch", cases); }
  fs::remove_all(folder);
}

} // namespace tw::test_damage
