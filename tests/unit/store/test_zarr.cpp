// SPDX-License-Identifier: Apache-2.0
// zarr arrays and checkpoints of Orbax, as these wrote them (tests/golden/store/make_zarr.py): read to the
// bits, in boxes, and refused with a reason; and databases whose checksums are right and whose nodes are not.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "store/keys.hpp"
#include "store/packed.hpp"
#include "store/reshard.hpp"
#include "store/set.hpp"
#include "store/write_arrays.hpp"
#include "support/elements.hpp"
#include "support/number_of.hpp"
#include "support/random_sharding.hpp"
#include "support/unit.hpp"

namespace tw::test_zarr {

namespace fs = std::filesystem;
using graph::DType;
using sharding::Box;
using tw::test::draw;
using tw::test::Random;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / fmt::format("tilewright_zarr_{}", ::getpid());
  Folder() {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
};

bool has_zstd() {
  char nothing = 0;
  const auto empty =
      store::unpack_zstd(std::string_view("\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00", 9), &nothing, 1, "nothing");
  if (empty)
    return true;
  test::skip("this build has no libzstd");
  return false;
}

store::Set opened(const std::string &name) {
  auto set = store::Set::open(test::source_path("tests/golden/store/" + name));
  REQUIRE_MESSAGE(set, set.error().message());
  CHECK(std::string_view(set->format().name) == "zarr");
  return *std::move(set);
}

std::string element(DType dtype, double value) {
  const auto bytes_of = [](auto number) {
    return std::string(reinterpret_cast<const char *>(&number), sizeof number);
  };
  switch (dtype) {
  case DType::f32: return bytes_of(static_cast<float>(value));
  case DType::f64: return bytes_of(value);
  case DType::s16: return bytes_of(static_cast<int16_t>(value));
  case DType::s32: return bytes_of(static_cast<int32_t>(value));
  case DType::s64: return bytes_of(static_cast<int64_t>(value));
  case DType::u8: return bytes_of(static_cast<uint8_t>(value));
  case DType::bf16: return bytes_of(static_cast<float>(value)).substr(2); // which is exact here
  default: FAIL("a type that no array here has"); return "";
  }
}

// Elements that count up from a first one, in the order of the array.
void check_counted(const store::Set &set, const std::string &name, DType dtype, const graph::Shape &dims,
                   int64_t first) {
  CAPTURE(name);
  const auto number = set.find(name);
  REQUIRE(number);
  const store::Array &array = set.arrays()[*number];
  REQUIRE_MESSAGE(array.problem.empty(), array.problem);
  CHECK(array.dtype == dtype);
  REQUIRE(array.dims == dims);
  const size_t item = graph::byte_size(dtype);
  Random random(7);
  for (int i = 0; i < 20; ++i) {
    Box box = Box::whole(dims);
    for (size_t d = 0; i > 0 && d < dims.size(); ++d) {
      box.offset[d] = draw(random, 0, dims[d] - 1);
      box.extent[d] = draw(random, 1, dims[d] - box.offset[d]);
    }
    std::string got(static_cast<size_t>(box.elements()) * item, '\x5a'), wanted;
    test::each_element(box, [&](std::span<const int64_t> at) {
      int64_t place = 0;
      for (size_t d = 0; d < dims.size(); ++d)
        place = place * dims[d] + at[d];
      wanted += element(dtype, static_cast<double>(first + place));
    });
    if (dims.empty())
      wanted = element(dtype, static_cast<double>(first));
    const auto status = set.read(*number, box, got.data(), store::dense_strides(box.extent, item));
    REQUIRE_MESSAGE(status, status.error().message());
    CHECK(got == wanted);
  }
}

std::string problem_of(const store::Set &set, const std::string &name) {
  return set.arrays()[set.find(name).value()].problem;
}

// ---- databases that are written here, plain ----

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value > 127; value >>= 7)
    bytes += static_cast<char>(value | 128);
  return bytes + static_cast<char>(value);
}

std::string little(uint64_t value, size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i)
    bytes += static_cast<char>(value >> 8 * i);
  return bytes;
}

std::string framed(uint32_t magic, const std::string &body) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(magic >> shift);
  bytes += little(bytes.size() + 8 + 2 + body.size() + 4, 8) + varint(0) + varint(0) + body;
  return bytes + little(store::crc32c(bytes), 4);
}

// A list of one file.
std::string one_file(const std::string &path) { return varint(1) + varint(path.size()) + varint(0) + path; }

std::string manifest_body(const std::string &file, uint64_t size, uint64_t height) {
  return std::string(16, 'u') + varint(0) + varint(100) + varint(1 << 20) + '\x04' + varint(0) +
         one_file(file) + varint(1) + varint(1) + static_cast<char>(height) + varint(0) + varint(0) +
         varint(size) + varint(2) + varint(size) + varint(0) + little(0, 8) + varint(0);
}

// A leaf with these pairs, none of whose keys begins as another does.
std::string leaf_body(const std::map<std::string, std::string> &pairs) {
  std::string prefixes, suffixes, keys, sizes, kinds, values;
  for (const auto &[key, value] : pairs) {
    prefixes += keys.empty() ? "" : varint(0);
    suffixes += varint(key.size());
    keys += key;
    sizes += varint(value.size());
    kinds += varint(0);
    values += value;
  }
  return std::string(1, '\0') + varint(0) + varint(pairs.size()) + prefixes + suffixes + keys + sizes +
         kinds + values;
}

void write(const fs::path &path, const std::string &bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void write_database(const fs::path &folder, const std::string &manifest, const std::string &node) {
  write(folder / "manifest.ocdbt", framed(0x0cdb3a2a, manifest));
  write(folder / "d/one", framed(0x0cdb20de, node));
}

const std::map<std::string, std::string> small_set = {
    {"a/.zarray", R"({"chunks":[2],"compressor":null,"dtype":"<i2","fill_value":null,"filters":null,)"
                  R"("order":"C","shape":[3],"zarr_format":2})"},
    {"a/0", std::string("\1\0\2\0", 4)},
    {"a/1", std::string("\3\0\xff\xff", 4)},
};

} // namespace

TEST_CASE("checkpoints of Orbax") {
  if (!has_zstd())
    return;
  for (const char *name : {"orbax", "orbax_zarr3"}) {
    CAPTURE(name);
    const store::Set set = opened(name);
    CHECK(set.arrays().size() == 5);
    check_counted(set, "params.w", DType::f32, {6, 8}, 0);
    check_counted(set, "params.b", DType::bf16, {8}, 100);
    check_counted(set, "opt.0", DType::f32, {4, 3}, 200);
    check_counted(set, "opt.1", DType::s64, {5}, 300);
    check_counted(set, "step", DType::s32, {}, 7);
  }
}

TEST_CASE("arrays in folders: orders, checksums, chunks over the end, chunks that are missing") {
  if (!has_zstd())
    return;
  const store::Set set = opened("zarr");
  check_counted(set, "big_endian_fortran", DType::f32, {5, 7}, 400);
  check_counted(set, "packed", DType::s16, {5, 7}, 500);
  check_counted(set, "turned", DType::f64, {4, 6, 5}, 700);
  check_counted(set, "shards", DType::u8, {7, 9}, 800);
  CHECK(problem_of(set, "gzip").find("gzip") != std::string::npos);
  float missing[4][6];
  REQUIRE(set.read(*set.find("missing"), Box::whole(std::vector<int64_t>{4, 6}), missing,
                   store::dense_strides(std::vector<int64_t>{4, 6}, 4)));
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 6; ++column) {
      if (row < 2 && column < 3)
        CHECK(missing[row][column] == static_cast<float>(600 + row * 6 + column));
      else
        CHECK(missing[row][column] != missing[row][column]);
    }
}

TEST_CASE("a database that is written here") {
  const Folder folder;
  const std::string node = leaf_body(small_set);
  const auto size = static_cast<uint64_t>(framed(0, node).size());
  write_database(folder.path, manifest_body("d/one", size, 0), node);
  const auto set = store::Set::open(folder.path.string());
  REQUIRE_MESSAGE(set, set.error().message());
  check_counted(*set, "a", DType::s16, {3}, 1);

  SUBCASE("files outside of its folder are not read") {
    for (const char *path : {"../one", "/etc/passwd", "d/../../one", ""}) {
      CAPTURE(path);
      write_database(folder.path, manifest_body(path, size, 0), node);
      const auto refused = store::Set::open(folder.path.string());
      REQUIRE(!refused);
      CHECK(refused.error().message().find("no file in this folder") != std::string::npos);
    }
  }
  SUBCASE("a tree that comes back to a node ends") {
    const std::string inner = std::string(1, '\1') + one_file("d/one") + varint(1) + varint(1) + varint(1) +
                              "a" + varint(0) + varint(0) + varint(0) + varint(1) + varint(1) + varint(0);
    write_database(folder.path, manifest_body("d/one", framed(0, inner).size(), 1), inner);
    CHECK(!store::Set::open(folder.path.string()));
  }
  SUBCASE("whatever its nodes say") {
    Random random(test::number_of("TW_SEED", 23));
    const std::string manifest = manifest_body("d/one", size, 0);
    for (uint64_t i = 0; i < test::slice_of(300000, 3000); ++i) {
      CAPTURE(i);
      std::string bodies[] = {manifest, node};
      std::string &body = bodies[draw(random, 0, 1)];
      for (int64_t n = draw(random, 1, 3); n > 0; --n)
        body[static_cast<size_t>(random() % body.size())] =
            static_cast<char>(draw(random, 0, 3) == 0 ? 255 : random());
      write_database(folder.path, bodies[0], bodies[1]);
      const auto damaged = store::Set::open(folder.path.string(), "zarr");
      if (!damaged) {
        CHECK(!damaged.error().message().empty());
        CHECK(damaged.error().code() != Code::internal);
        continue;
      }
      for (size_t a = 0; a < damaged->arrays().size(); ++a) {
        const store::Array &array = damaged->arrays()[a];
        if (!array.problem.empty() || graph::TensorType{array.dtype, array.dims}.bytes() > (1 << 20))
          continue;
        const Box box = Box::whole(array.dims);
        std::vector<char> memory(static_cast<size_t>(box.elements()) * graph::byte_size(array.dtype) + 1);
        static_cast<void>(damaged->read(a, box, memory.data(),
                                        store::dense_strides(box.extent, graph::byte_size(array.dtype))));
      }
    }
  }
}

TEST_CASE("arrays that are written: whole, and a chunk for each tile") {
  const Folder folder;
  std::vector<float> numbers(48);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i);
  const auto path = [&](const char *name) { return (folder.path / name).string(); };
  const store::InMemory arrays[] = {{"layer/w", {DType::f32, {6, 8}}, numbers.data()},
                                    {"b", {DType::f32, {4}}, numbers.data()},
                                    {"s", {DType::f32, {}}, numbers.data()},
                                    {"none", {DType::f32, {0, 3}}, numbers.data()}};
  REQUIRE(store::write_arrays(path("whole.zarr"), {}, arrays));
  const auto whole = store::Set::open(path("whole.zarr"));
  REQUIRE_MESSAGE(whole, whole.error().message());
  CHECK(whole->arrays().size() == 4);
  check_counted(*whole, "layer/w", DType::f32, {6, 8}, 0);
  check_counted(*whole, "s", DType::f32, {}, 0);

  store::Placement placement;
  placement.whole = false;
  placement.mesh = *sharding::Mesh::parse("x=2,y=4");
  for (const store::Array &array : whole->arrays())
    placement.arrays.push_back({placement.mesh, array.name == "layer/w"
                                                    ? *sharding::parse_sharding("[{x}, {y}]", placement.mesh)
                                                    : sharding::Sharding::replicated(array.dims.size())});
  store::ReshardOptions options;
  options.verify = true;
  const auto report = store::reshard(*whole, path("tiles.zarr"), placement, options);
  REQUIRE_MESSAGE(report, report.error().message());
  CHECK(fs::file_size(folder.path / "tiles.zarr/layer/w/c/1/3") == 3 * 2 * sizeof(float));
  const auto tiles = store::Set::open(path("tiles.zarr"));
  REQUIRE_MESSAGE(tiles, tiles.error().message());
  CHECK(tiles->arrays()[*tiles->find("layer/w")].parts.size() == 8);
  check_counted(*tiles, "layer/w", DType::f32, {6, 8}, 0);
  check_counted(*tiles, "b", DType::f32, {4}, 0);

  placement.arrays[*whole->find("layer/w")].sharding = *sharding::parse_sharding("[{y}, {}]", placement.mesh);
  const auto uneven = store::reshard(*whole, path("uneven.zarr"), placement, {});
  REQUIRE(!uneven);
  CHECK(uneven.error().message().find(
            "dimension 0 of 6 is cut into tiles of 1 and of 2, and chunks are equal") != std::string::npos);
  for (const char *name : {"../w", "a//b", "/w", "b/c"}) {
    CAPTURE(name);
    const store::InMemory wrong[] = {{name, {DType::f32, {4}}, numbers.data()}, arrays[1]};
    const auto status = store::write_arrays(path("wrong.zarr"), {}, wrong);
    REQUIRE(!status);
    CHECK(status.error().message().find("cannot be written to zarr") != std::string::npos);
    CHECK(!fs::exists(folder.path / "wrong.zarr"));
  }
}

TEST_CASE("what a description says that is not read is told") {
  const Folder folder;
  const auto problem = [&](const std::string &metadata) {
    write(folder.path / "a/.zarray", metadata);
    const auto set = store::Set::open(folder.path.string(), "zarr");
    REQUIRE_MESSAGE(set, set.error().message());
    return problem_of(*set, "a");
  };
  const auto with = [](std::string_view key, std::string_view value) {
    std::map<std::string, std::string> fields = {
        {"chunks", "[2]"},   {"compressor", "null"}, {"dtype", "\"<f4\""}, {"fill_value", "null"},
        {"filters", "null"}, {"order", "\"C\""},     {"shape", "[4]"},     {"zarr_format", "2"}};
    fields[std::string(key)] = value;
    std::string text;
    for (const auto &[name, field] : fields)
      text += fmt::format("{}\"{}\":{}", text.empty() ? "{" : ",", name, field);
    return text + "}";
  };
  CHECK(problem(with("shape", "[4]")) == "");
  CHECK(problem(with("dtype", "\"<U5\"")).find("elements of type <U5 are not read") != std::string::npos);
  CHECK(problem(with("chunks", "[0]")).find("do not fit") != std::string::npos);
  CHECK(problem(with("chunks", "[2,2]")).find("do not fit") != std::string::npos);
  CHECK(problem(with("chunks", "[4611686018427387904]")).find("have more than") != std::string::npos);
  CHECK(problem(with("shape", "[-1]")).find("its shape is [-1]") != std::string::npos);
  CHECK(problem(with("shape", "[4611686018427387904]")).find("its shape is") != std::string::npos);
  CHECK(problem(with("shape", "[400000000]")).find("more than 1048576 chunks") != std::string::npos);
  CHECK(problem(with("compressor", "{\"id\":\"blosc\"}")).find("only zstd is read") != std::string::npos);
  CHECK(problem(with("filters", "[{\"id\":\"delta\"}]")).find("filters") != std::string::npos);
  CHECK(problem(with("fill_value", "\"abc\"")).find("its fill_value is not read") != std::string::npos);
  CHECK(problem("{").find("no JSON object") != std::string::npos);
}

TEST_CASE("the checksum of RFC 3720") { CHECK(store::crc32c("123456789") == 0xe3069283u); }

} // namespace tw::test_zarr
