// SPDX-License-Identifier: Apache-2.0
// Structs of the library as tables that make_core.py makes, from which a core reads and fills them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace tw::bindings {

enum class Slot : uint8_t {
  i32,
  u32,
  i64,
  u64,
  f64,
  string,
  strings,
  ints,
  numbers,
  structs,
  struct_pointer, // to one, or NULL
  struct_pointers,
  inner,
  handle,
  progress
};

struct Struct;
struct Field {
  const char *name;
  Slot slot;
  size_t at;
  size_t count_at, count_bytes; // of the field that counts an array; of `user` for callbacks
  const Struct *of;             // what its elements are
  int kind;                     // of a handle
};
struct Struct {
  const Field *fields;
  size_t num_fields;
  size_t bytes;
  bool sized; // begins with struct_size
};

template <class T> T &slot_at(void *base, size_t at) {
  return *reinterpret_cast<T *>(static_cast<char *>(base) + at);
}
template <class T> const T &slot_at(const void *base, size_t at) {
  return *reinterpret_cast<const T *>(static_cast<const char *>(base) + at);
}

inline void set_count(void *out, const Field &field, size_t count) {
  if (field.count_bytes == sizeof(uint32_t))
    slot_at<uint32_t>(out, field.count_at) = static_cast<uint32_t>(count);
  else
    slot_at<size_t>(out, field.count_at) = count;
}

inline size_t count_of(const void *from, const Field &field) {
  return field.count_bytes == sizeof(uint32_t) ? slot_at<uint32_t>(from, field.count_at)
                                               : slot_at<size_t>(from, field.count_at);
}

// Element i of an array of structs, or of pointers to structs.
inline const void *struct_at(const void *from, const Field &field, size_t i) {
  const char *first = slot_at<const char *>(from, field.at);
  return field.slot == Slot::structs ? static_cast<const void *>(first + i * field.of->bytes)
                                     : slot_at<const void *>(first, i * sizeof(void *));
}

// Zeros, with struct_size set.
inline void prepare(const Struct &of, void *out) {
  std::memset(out, 0, of.bytes);
  if (of.sized)
    *static_cast<size_t *>(out) = of.bytes;
}

// What a struct points at, for the time of a call. A Use holds a handle.
template <class Use> class KeepFor {
public:
  template <class T> T *array(size_t count) {
    blocks_.push_back(std::make_unique<uint64_t[]>((count * sizeof(T) + 7) / 8 + 1));
    return reinterpret_cast<T *>(blocks_.back().get());
  }
  template <class T> T *copy(const std::vector<T> &values) {
    T *made = array<T>(values.size());
    std::copy(values.begin(), values.end(), made);
    return made;
  }
  Use &use() { return *uses_.emplace_back(std::make_unique<Use>()); }

private:
  std::vector<std::unique_ptr<uint64_t[]>> blocks_;
  std::vector<std::unique_ptr<Use>> uses_;
};

} // namespace tw::bindings
