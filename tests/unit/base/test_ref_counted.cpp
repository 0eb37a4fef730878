// SPDX-License-Identifier: Apache-2.0
// References keep an object alive exactly as long as one of them is held, from any thread; blobs give their
// bytes back.
#include <doctest/doctest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "base/blob.hpp"
#include "base/ref_counted.hpp"

namespace tw::test_ref_counted {

using tw::Blob;
using tw::Ref;

namespace {

struct Base : tw::RefCounted {};
struct Object : Base {
  explicit Object(int &alive) : alive_(alive) { ++alive_; }
  ~Object() override { --alive_; }
  int &alive_;
};

} // namespace

TEST_CASE("the last reference deletes the object") {
  int alive = 0;
  {
    Ref<Object> first = tw::make_ref<Object>(alive);
    CHECK(first->references() == 1);
    Ref<Object> second = first;
    Ref<Base> base = second;
    CHECK(first->references() == 3);
    Ref<Object> moved = std::move(second);
    CHECK(!second);
    CHECK(moved == first);
    CHECK(first->references() == 3);
    base = nullptr;
    first = moved;
    CHECK(first->references() == 2);
    first = Ref<Object>();
    CHECK(alive == 1);
  }
  CHECK(alive == 0);
}

TEST_CASE("a handle leaves and comes back") {
  int alive = 0;
  Object *handle = tw::make_ref<Object>(alive).leak();
  CHECK(handle->references() == 1);
  {
    const Ref<Object> shared = Ref<Object>::share(handle);
    CHECK(handle->references() == 2);
  }
  CHECK(alive == 1);
  Ref<Object>::adopt(handle);
  CHECK(alive == 0);
  CHECK(!Ref<Object>::share(nullptr));
}

TEST_CASE("threads may copy and drop references at once") {
  int alive = 0;
  {
    const Ref<Object> object = tw::make_ref<Object>(alive);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([object] {
        for (int round = 0; round < 10000; ++round)
          const Ref<Object> copy = object;
      });
    for (auto &thread : threads)
      thread.join();
    CHECK(object->references() == 1);
  }
  CHECK(alive == 0);
}

TEST_CASE("a blob owns, copies or borrows its bytes") {
  const auto text = Blob::from("hello");
  CHECK(text->text() == "hello");
  CHECK(text->size() == 5);

  std::vector<std::byte> bytes(3, std::byte{7});
  const auto copy = Blob::copy(bytes);
  bytes[0] = std::byte{1};
  CHECK(copy->bytes()[0] == std::byte{7});

  int destroyed = 0;
  {
    const auto borrowed = Blob::borrow(
        bytes, [](void *count) { ++*static_cast<int *>(count); }, &destroyed);
    const auto again = borrowed;
    CHECK(borrowed->bytes().data() == bytes.data());
    CHECK(destroyed == 0);
  }
  CHECK(destroyed == 1);
  CHECK(Blob::borrow({}, nullptr, nullptr)->size() == 0);
}

} // namespace tw::test_ref_counted
