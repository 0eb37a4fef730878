// SPDX-License-Identifier: Apache-2.0
// Boxes read from files: of any layout in the file, into any strides in memory, each byte read once.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "store/blocks.hpp"
#include "store/reshard.hpp"
#include "store/set.hpp"
#include "store/write_arrays.hpp"
#include "support/number_of.hpp"
#include "support/random_sharding.hpp"

namespace tw::test_set {

using sharding::Box;
using store::Strides;
using tw::test::draw;
using tw::test::Random;

namespace {

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tilewright_store_" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path, error);
  }
  std::string operator/(const std::string &name) const { return (path / name).string(); }
};

// A permutation of the dimensions, dense: the strides of each.
Strides strides_in_some_order(Random &random, const graph::Shape &dims, size_t item) {
  std::vector<size_t> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, random);
  Strides strides(dims.size());
  auto stride = static_cast<int64_t>(item);
  for (const size_t d : order) {
    strides[d] = stride;
    stride *= dims[d];
  }
  return strides;
}

Box random_box(Random &random, const graph::Shape &dims) {
  Box box;
  for (const int64_t n : dims) {
    box.offset.push_back(draw(random, 0, n));
    box.extent.push_back(draw(random, 0, n - box.offset.back()));
  }
  return box;
}

template <class Visit> void each(const std::vector<int64_t> &extent, Visit visit) {
  std::vector<int64_t> index(extent.size(), 0);
  if (std::ranges::find(extent, 0) != extent.end())
    return;
  for (;;) {
    visit(index);
    size_t d = extent.size();
    while (d-- > 0) {
      if (++index[d] < extent[d])
        break;
      index[d] = 0;
    }
    if (d == SIZE_MAX)
      return;
  }
}

int64_t place_of(std::span<const int64_t> index, std::span<const int64_t> strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), int64_t{0});
}

class Vector final : public store::RowFile {
public:
  std::vector<char> bytes;
  size_t moved = 0;
  bool writes = false;
  Status move(uint64_t at, std::span<const iovec> rows) override {
    for (const iovec &row : rows) {
      if (at + row.iov_len > bytes.size())
        return fail(Code::out_of_range, "TW-901", "behind the end");
      if (writes)
        std::memcpy(bytes.data() + at, row.iov_base, row.iov_len);
      else
        std::memcpy(row.iov_base, bytes.data() + at, row.iov_len);
      at += row.iov_len;
      moved += row.iov_len;
    }
    return {};
  }
};

} // namespace

TEST_CASE("boxes go between files and memory with any strides on both sides") {
  Random random(test::number_of("TW_SEED", 11));
  for (uint64_t i = 0; i < test::slice_of(20000, 2000); ++i) {
    const auto dims = draw(random, 0, 20) == 0 ? graph::Shape{3, 2000} : test::random_shape(random, 4, 9);
    const size_t item = size_t{1} << draw(random, 0, 4);
    const Strides in_file = strides_in_some_order(random, dims, item);
    const Box box = random_box(random, dims);
    Strides in_memory = strides_in_some_order(random, box.extent, item);
    const int64_t apart = draw(random, 0, 1) == 0 ? 1 : 3;
    for (int64_t &stride : in_memory)
      stride *= apart;
    Vector file;
    file.bytes.resize(static_cast<size_t>(Box::whole(dims).elements()) * item + 5);
    for (char &c : file.bytes)
      c = static_cast<char>(random());
    const auto at = static_cast<uint64_t>(5 + place_of(box.offset, in_file));
    int64_t reach = static_cast<int64_t>(item);
    for (size_t d = 0; d < box.rank(); ++d)
      reach += std::max<int64_t>(0, box.extent[d] - 1) * in_memory[d];
    std::vector<char> memory(static_cast<size_t>(reach), 'x');
    INFO("case ", i);
    REQUIRE(store::transfer(store::Direction::read, file, at, in_file, box.extent, item, memory.data(),
                            in_memory));
    bool same = true;
    each(box.extent, [&](const std::vector<int64_t> &index) {
      same &= std::memcmp(memory.data() + place_of(index, in_memory),
                          file.bytes.data() + at + place_of(index, in_file), item) == 0;
    });
    CHECK(same);
    CHECK(file.moved == static_cast<size_t>(box.elements()) * item);
    Vector back;
    back.writes = true;
    back.bytes.assign(file.bytes.size(), '\0');
    REQUIRE(store::transfer(store::Direction::write, back, at, in_file, box.extent, item, memory.data(),
                            in_memory));
    each(box.extent, [&](const std::vector<int64_t> &index) {
      same &= std::memcmp(back.bytes.data() + at + place_of(index, in_file),
                          file.bytes.data() + at + place_of(index, in_file), item) == 0;
    });
    CHECK(same);
  }
}

TEST_CASE("arrays written in random layouts are read back by random boxes, each element once") {
  Random random(test::number_of("TW_SEED", 12));
  const Folder folder;
  for (uint64_t i = 0; i < test::slice_of(400, 40); ++i) {
    const graph::TensorType type{graph::DType::u16, test::random_shape(random, 3, 12)};
    std::vector<uint16_t> elements(static_cast<size_t>(type.elements()));
    std::iota(elements.begin(), elements.end(), uint16_t{0});
    const std::string whole = folder / "whole.safetensors", tiles = folder / ("tiles" + std::to_string(i));
    const store::InMemory array{"w", type, elements.data()};
    REQUIRE(store::write_arrays(whole, {}, {&array, 1}));
    auto set = store::Set::open(whole);
    REQUIRE(set);
    store::Placement placement;
    placement.whole = false;
    placement.mesh = test::random_mesh(random, 12);
    placement.arrays.push_back({placement.mesh, test::random_sharding(random, type.dims, placement.mesh)});
    store::ReshardOptions options;
    options.verify = i % 2 == 0;
    const auto report = store::reshard(*set, tiles, placement, options);
    INFO("case ", i, ": ", report ? std::string() : report.error().message());
    REQUIRE(report);
    const auto again = store::Set::open(tiles);
    REQUIRE(again);
    const uint64_t headers = again->bytes_read();
    uint64_t asked = 0;
    for (int k = 0; k < 10; ++k) {
      const Box box = random_box(random, type.dims);
      std::vector<uint16_t> found(static_cast<size_t>(box.elements()));
      REQUIRE(again->read(0, box, found.data(), store::dense_strides(box.extent, 2)));
      asked += found.size() * 2;
      size_t next = 0;
      bool same = true;
      const Strides strides = store::dense_strides(type.dims, 1);
      each(box.extent, [&](const std::vector<int64_t> &index) {
        same &=
            found[next++] == static_cast<uint16_t>(place_of(index, strides) + place_of(box.offset, strides));
      });
      CHECK(same);
    }
    CHECK(again->bytes_read() - headers == asked);
  }
}

TEST_CASE("blocks go through an array in row-major order") {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const auto dims = test::random_shape(random, 4, 6);
    const int64_t most = draw(random, 1, 40);
    store::Blocks blocks(dims, most);
    int64_t next = 0;
    bool in_order = true;
    const Strides strides = store::dense_strides(dims, 1);
    for (Box box; blocks.next(box);) {
      in_order &= box.elements() <= most && !box.empty();
      each(box.extent, [&](const std::vector<int64_t> &index) {
        in_order &= place_of(index, strides) + place_of(box.offset, strides) == next++;
      });
    }
    CHECK(in_order);
    CHECK(next == Box::whole(dims).elements());
  }
}

} // namespace tw::test_set
