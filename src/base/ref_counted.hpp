// SPDX-License-Identifier: Apache-2.0
// Objects with an atomic reference count inside: what the handles of the C API point to.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/status.hpp"

namespace tw {

// Starts with one reference, which belongs to whoever made the object. Counting is safe from any thread.
class RefCounted {
public:
  RefCounted() = default;
  RefCounted(const RefCounted &) = delete;
  RefCounted &operator=(const RefCounted &) = delete;

  void retain() const noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    const uint32_t before = references_.fetch_sub(1, std::memory_order_acq_rel);
    TW_ASSERT(before != 0);
    if (before == 1)
      delete this;
  }
  uint32_t references() const noexcept { return references_.load(std::memory_order_relaxed); } // for tests

protected:
  virtual ~RefCounted() = default;

private:
  mutable std::atomic<uint32_t> references_{1};
};

// Holds one reference to a T, or none.
template <class T> class Ref {
public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  Ref(const Ref &other) : object_(other.object_) {
    if (object_)
      object_->retain();
  }
  template <class U> Ref(const Ref<U> &other) : Ref(share(other.get())) {}
  Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_)
      object_->release();
  }

  // Takes over the reference that the caller owns.
  static Ref adopt(T *object) { return Ref(object); }
  // Adds a reference of its own.
  static Ref share(T *object) {
    if (object)
      object->retain();
    return Ref(object);
  }
  // Gives the reference to the caller, who releases it.
  [[nodiscard]] T *leak() { return std::exchange(object_, nullptr); }

  T *get() const { return object_; }
  T *operator->() const { return object_; }
  T &operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  bool operator==(const Ref &) const = default;

private:
  explicit Ref(T *object) : object_(object) {}
  T *object_ = nullptr;
};

template <class T, class... Args> Ref<T> make_ref(Args &&...args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

} // namespace tw
