// SPDX-License-Identifier: Apache-2.0
// Meshes: text, limits, coordinates, sub-axes.
#include <doctest/doctest.h>

#include <string>

#include "sharding/mesh.hpp"

namespace tw::test_mesh {

using tw::sharding::AxisId;
using tw::sharding::Mesh;
using tw::sharding::Position;

namespace {

std::string error_of(std::string_view text) {
  const auto mesh = Mesh::parse(text);
  return mesh ? "no error" : mesh.error().message();
}

} // namespace

TEST_CASE("a mesh is row-major over its axes") {
  const Mesh mesh = *Mesh::parse(" batch=2, model = 4 ");
  CHECK(mesh.text() == "batch=2,model=4");
  CHECK(mesh.num_devices() == 8);
  CHECK(mesh.coordinate(Position(5), 0) == 1);
  CHECK(mesh.coordinate(Position(5), 1) == 1);
  CHECK(mesh.find("model") == AxisId{1});
  CHECK(!mesh.find("rows"));
  for (Position p; p < 8; ++p)
    CHECK(mesh.coordinate(p, 0) * mesh.stride(0) + mesh.coordinate(p, 1) * mesh.stride(1) == p);
}

TEST_CASE("meshes of one device, of primes and of 64 Ki devices") {
  CHECK(Mesh::parse("")->num_devices() == 1);
  CHECK(Mesh::parse("a=1,b=1")->num_devices() == 1);
  CHECK(Mesh::parse("a=7,b=13")->num_devices() == 91);
  const Mesh large = *Mesh::parse("a=16,b=16,c=16,d=16");
  CHECK(large.num_devices() == tw::sharding::kMaxDevices);
  CHECK(large.coordinate(Position(65535), 0) == 15);
  CHECK(large.coordinate(Position(65535 - 4096), 0) == 14);
}

TEST_CASE("errors name the offending part") {
  CHECK(error_of("data") == "mesh 'data': expected NAME=SIZE, such as x=8, found 'data'");
  CHECK(error_of("data=2,model") == "mesh 'data=2,model': expected NAME=SIZE, such as x=8, found 'model'");
  CHECK(error_of("data=two") == "mesh 'data=two': 'two' is no size for axis 'data'");
  CHECK(error_of("data=99999999999999999999") ==
        "mesh 'data=99999999999999999999': '99999999999999999999' is no size for axis 'data'");
  CHECK(error_of("da ta=2") == "mesh 'da ta=2': 'da ta' is no axis name (letters, digits, '_', '-', '.')");
  CHECK(error_of("data=2,") == "mesh 'data=2,': nothing follows the last ','");
  CHECK(error_of("data=0") == "mesh axis 'data' has size 0: at least 1 is needed");
  CHECK(error_of("data=2,data=3") == "mesh axis 'data' occurs twice");
  CHECK(error_of("data=2,model=32769") == "mesh axis 'model' of size 32769 makes more than 65536 devices");
  std::string many = "a0=1";
  for (int i = 1; i < 65; ++i)
    many += ",a" + std::to_string(i) + "=1";
  CHECK(error_of(many) == "a mesh of 65 axes: at most 64 are supported");
}

TEST_CASE("an axis is refined in place and printed whole") {
  const Mesh mesh = *Mesh::parse("a=2,c=12,d=3");
  const int64_t parts[] = {2, 6};
  const Mesh fine = *mesh.refine(1, parts);
  CHECK(fine.num_axes() == 4);
  CHECK(fine.axis(1).name == "c:(1)2");
  CHECK(fine.axis(2).name == "c:(2)6");
  CHECK(fine.text() == "a=2,c=12,d=3");
  const int64_t again[] = {3, 2};
  const Mesh finer = *fine.refine(2, again);
  CHECK(finer.axis(2).name == "c:(2)3");
  CHECK(finer.axis(3).name == "c:(6)2");
  CHECK(finer.text() == "a=2,c=12,d=3");
  for (Position p; p < mesh.num_devices(); ++p) {
    CHECK(fine.coordinate(p, 1) * 6 + fine.coordinate(p, 2) == mesh.coordinate(p, 1));
    CHECK(fine.coordinate(p, 3) == mesh.coordinate(p, 2));
  }
  const int64_t short_parts[] = {2, 5}, long_parts[] = {4, 6}, unit_parts[] = {1, 12};
  CHECK(mesh.refine(1, short_parts).error().message() ==
        "the parts of mesh axis 'c' make 10, not its size 12");
  CHECK(mesh.refine(1, long_parts).error().message() == "the parts of mesh axis 'c' exceed its size 12");
  CHECK(mesh.refine(1, unit_parts).error().message() ==
        "a part of size 1 of mesh axis 'c': at least 2 is needed");
}

TEST_CASE("meshes as papers write them") {
  CHECK(Mesh::parse(R"({"x": 4, "y": 6})")->text() == "x=4,y=6");
  CHECK(Mesh::parse("{x:4}")->text() == "x=4");
  CHECK(Mesh::parse("{}")->num_devices() == 1);
  CHECK(Mesh::parse("{x=4}").error().message() ==
        "mesh '{x=4}': expected \"NAME\": SIZE, such as \"x\": 8, found 'x=4'");
}

TEST_CASE("device orders") {
  const Mesh plain = *Mesh::parse("x=4");
  const Mesh reversed = *Mesh::create({{"x", 4, "", 1}}, {3, 2, 1, 0});
  CHECK(reversed.device_id(Position(0)) == 3);
  CHECK(plain.device_id(Position(2)) == 2);
  CHECK(!(plain == reversed));
  CHECK(*Mesh::create({{"x", 4, "", 1}}, {0, 1, 2, 3}) == plain);
  CHECK(Mesh::create({{"x", 4, "", 1}}, {0, 1}).error().message() == "2 device ids for a mesh of 4 devices");
  CHECK(Mesh::create({{"x", 2, "", 1}}, {0, 0}).error().message() ==
        "device id 0 stands at two mesh positions");
  CHECK(Mesh::create({{"x", 2, "", 1}}, {1, -1}).error().message() == "device id -1: ids count from 0");
  CHECK(Mesh::create({{"x", 2, "", 1}}, {4, 9})->device_id(Position(1)) == 9);
  CHECK(plain.with_axis("y", 3)->text() == "x=4,y=3");
}

} // namespace tw::test_mesh
