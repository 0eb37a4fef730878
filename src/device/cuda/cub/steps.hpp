// SPDX-License-Identifier: Apache-2.0
// Sorts and scans step by step: loops over elements, and what CUB does between them. The steps are written
// once; a `Backend` runs them, on the GPU by CUB (cub.cu), or in tests on the host.
//   each(n, body)                       body(i) for every i < n, in any order
//   sort<Key>(temporary, pairs, ..)     stable, of each line by itself, by the low bits of its keys
//   scan(temporary, load, out, ..)      of each line by itself
// All answer 0 or an error. A null pointer for what is temporary asks how many bytes it wants.
#pragma once

#include "device/cuda/cub/ordered.hpp"

namespace tw::cub {

TW_BOTH int64_t first_of(const tw_cuda_lines &lines, int64_t length, int64_t line) {
  return line / lines.step * lines.step * length + line % lines.step;
}

// Memory is handed out in pieces that begin where any element may.
class Pieces {
public:
  explicit Pieces(void *memory) : memory_(static_cast<char *>(memory)) {}
  template <class T> T *take(int64_t n) {
    char *const at = memory_ + used_;
    used_ += (static_cast<size_t>(n) * sizeof(T) + 255) / 256 * 256;
    return memory_ == nullptr ? nullptr : reinterpret_cast<T *>(at);
  }
  size_t used() const { return used_; }

private:
  char *memory_;
  size_t used_ = 0;
};

// Element i of the lines, one line after the other, as a key; and its place in the line.
template <class Key> struct MakeKeys {
  tw_cuda_key key;
  tw_cuda_lines lines;
  const void *from;
  Key *keys;
  uint32_t *places;
  TW_BOTH void operator()(int64_t i) const {
    const int64_t line = i / lines.length, at = i % lines.length;
    keys[i] = static_cast<Key>(
        to_key(key, load_bits(from, key.bytes, first_of(lines, lines.length, line) + at * lines.step)));
    places[i] = static_cast<uint32_t>(at);
  }
};

// The elements of an array where the keys have gone.
struct Permute {
  tw_cuda_lines lines;
  int64_t keep;
  int32_t bytes;
  const void *from;
  const uint32_t *places;
  void *to;
  TW_BOTH void operator()(int64_t i) const {
    const int64_t line = i / keep, at = i % keep;
    const int64_t source = first_of(lines, lines.length, line) +
                           static_cast<int64_t>(places[line * lines.length + at]) * lines.step,
                  target = first_of(lines, keep, line) + at * lines.step;
    if (bytes == 16)
      for (int64_t half = 0; half < 2; ++half)
        store_bits(to, 8, 2 * target + half, load_bits(from, 8, 2 * source + half));
    else
      store_bits(to, bytes, target, load_bits(from, bytes, source));
  }
};

struct GivePlaces {
  tw_cuda_lines lines;
  int64_t keep;
  const uint32_t *places;
  int32_t *to;
  TW_BOTH void operator()(int64_t i) const {
    const int64_t line = i / keep, at = i % keep;
    to[first_of(lines, keep, line) + at * lines.step] =
        static_cast<int32_t>(places[line * lines.length + at]);
  }
};

template <class Key> struct SortPairs {
  Key *keys_in, *keys_out;
  uint32_t *places_in, *places_out;
};

template <class Key> SortPairs<Key> pairs_of(Pieces &pieces, int64_t n) {
  Key *const keys_in = pieces.take<Key>(n), *const keys_out = pieces.take<Key>(n);
  uint32_t *const places_in = pieces.take<uint32_t>(n), *const places_out = pieces.take<uint32_t>(n);
  return {keys_in, keys_out, places_in, places_out};
}

template <class Key, class Backend>
int32_t sort_bytes(Backend &backend, const tw_cuda_sort_form &form, size_t *out) {
  Pieces pieces(nullptr);
  const auto pairs = pairs_of<Key>(pieces, form.lines.count * form.lines.length);
  size_t temporary = 0;
  const int32_t error = backend.sort(nullptr, temporary, pairs, form.lines, 8 * form.key.bytes);
  *out = pieces.used() + temporary;
  return error;
}

template <class Key, class Backend>
int32_t run_sort(Backend &backend, const tw_cuda_sort_form &form, const void *const *operands,
                 void *const *results, void *workspace, size_t bytes) {
  const int64_t n = form.lines.count * form.lines.length, kept = form.lines.count * form.keep;
  Pieces pieces(workspace);
  const auto pairs = pairs_of<Key>(pieces, n);
  size_t temporary = bytes - pieces.used();
  int32_t error = backend.each(
      n, MakeKeys<Key>{form.key, form.lines, operands[form.key_array], pairs.keys_in, pairs.places_in});
  if (error == 0)
    error = backend.sort(static_cast<char *>(workspace) + pieces.used(), temporary, pairs, form.lines,
                         8 * form.key.bytes);
  for (int32_t a = 0; a < form.arrays && error == 0; ++a)
    error = backend.each(kept, Permute{form.lines, form.keep, form.element_bytes[a], operands[a],
                                       pairs.places_out, results[a]});
  if (error == 0 && form.gives_places)
    error = backend.each(
        kept, GivePlaces{form.lines, form.keep, pairs.places_out, static_cast<int32_t *>(results[1])});
  return error;
}

// Element i of the lines in the order in which they are accumulated.
struct LoadScanned {
  tw_cuda_scan_form form;
  const void *from;
  TW_BOTH int64_t place(int64_t i) const {
    const tw_cuda_lines &l = form.lines;
    const int64_t at = i % l.length;
    return first_of(l, l.length, i / l.length) + (form.backwards ? l.length - 1 - at : at) * l.step;
  }
  TW_BOTH uint64_t operator()(int64_t i) const {
    return to_scanned(form, load_bits(from, form.key.bytes, place(i)));
  }
};

struct StoreScanned {
  LoadScanned load;
  const void *initial;
  const uint64_t *sums;
  void *to;
  TW_BOTH void operator()(int64_t i) const {
    const tw_cuda_scan_form &form = load.form;
    const uint64_t begin = to_scanned(form, load_bits(initial, form.key.bytes, 0));
    const uint64_t sum = combine(
        form.combine, repeated(form.combine, begin, form.lines.length - i % form.lines.length), sums[i]);
    store_bits(to, form.key.bytes, load.place(i), from_scanned(form, sum));
  }
};

// Whole numbers, and extremes of anything.
struct CombineScanned {
  tw_cuda_combine how;
  TW_BOTH uint64_t operator()(uint64_t a, uint64_t b) const { return combine(how, a, b); }
};

// Sums and products of floats, one element after the other as the host's kernel has them: where the initial
// value with itself is itself, each is the one before with one element more.
template <class Float> struct AccumulateFloats {
  LoadScanned load;
  const Float *from, *initial;
  Float *to;
  TW_BOTH Float combined(Float a, Float b) const { return load.form.combine == TW_CUDA_ADD ? a + b : a * b; }
  TW_BOTH void operator()(int64_t line) const {
    const int64_t n = load.form.lines.length;
    const Float begin = *initial, twice = combined(begin, begin);
    const bool continues = load_bits(&begin, sizeof(Float), 0) == load_bits(&twice, sizeof(Float), 0);
    Float sum = begin;
    for (int64_t i = 0; i < n; ++i) {
      if (!continues) {
        sum = begin;
        for (int64_t outside = n - 1 - i; outside > 0; --outside)
          sum = combined(sum, begin);
        for (int64_t j = 0; j < i; ++j)
          sum = combined(sum, from[load.place(line * n + j)]);
      }
      sum = combined(sum, from[load.place(line * n + i)]);
      to[load.place(line * n + i)] = sum;
    }
  }
};

struct AccumulateBits {
  LoadScanned load;
  const void *initial;
  void *to;
  TW_BOTH void operator()(int64_t line) const {
    const tw_cuda_scan_form &form = load.form;
    const int64_t n = form.lines.length;
    const uint64_t begin = to_scanned(form, load_bits(initial, form.key.bytes, 0));
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      const uint64_t next = load(line * n + i);
      sum = i == 0 ? next : combine(form.combine, sum, next);
      store_bits(to, form.key.bytes, load.place(line * n + i),
                 from_scanned(form, combine(form.combine, repeated(form.combine, begin, n - i), sum)));
    }
  }
};

inline bool is_rounded(const tw_cuda_scan_form &form) {
  return form.key.order == TW_CUDA_FLOAT && (form.combine == TW_CUDA_ADD || form.combine == TW_CUDA_MULTIPLY);
}

template <class Backend> int32_t scan_bytes(Backend &backend, const tw_cuda_scan_form &form, size_t *out) {
  *out = 0;
  if (form.in_order)
    return 0;
  Pieces pieces(nullptr);
  uint64_t *const sums = pieces.take<uint64_t>(form.lines.count * form.lines.length);
  size_t temporary = 0;
  const int32_t error = backend.scan(nullptr, temporary, LoadScanned{form, nullptr}, sums);
  *out = pieces.used() + temporary;
  return error;
}

template <class Backend>
int32_t run_scan(Backend &backend, const tw_cuda_scan_form &form, const void *const *operands,
                 void *const *results, void *workspace, size_t bytes) {
  const LoadScanned load{form, operands[0]};
  const auto floats = [&](auto zero) {
    using Float = decltype(zero);
    return backend.each(form.lines.count,
                        AccumulateFloats<Float>{load, static_cast<const Float *>(operands[0]),
                                                static_cast<const Float *>(operands[1]),
                                                static_cast<Float *>(results[0])});
  };
  if (is_rounded(form))
    return form.key.bytes == 8 ? floats(double{}) : floats(float{});
  if (form.in_order)
    return backend.each(form.lines.count, AccumulateBits{load, operands[1], results[0]});
  const int64_t n = form.lines.count * form.lines.length;
  Pieces pieces(workspace);
  uint64_t *const sums = pieces.take<uint64_t>(n);
  size_t temporary = bytes - pieces.used();
  int32_t error = backend.scan(static_cast<char *>(workspace) + pieces.used(), temporary, load, sums);
  if (error == 0)
    error = backend.each(n, StoreScanned{load, operands[1], sums, results[0]});
  return error;
}

} // namespace tw::cub
