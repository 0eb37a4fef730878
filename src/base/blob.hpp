// SPDX-License-Identifier: Apache-2.0
// Immutable bytes that many may share: documents that leave the library, constants that enter it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/ref_counted.hpp"

namespace tw {

class Blob : public RefCounted {
public:
  using Destroy = void (*)(void *user);

  static Ref<const Blob> from(std::string text) { return Ref<const Blob>::adopt(new Blob(std::move(text))); }
  static Ref<const Blob> copy(std::span<const std::byte> bytes) {
    return from(std::string(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
  }
  // Bytes that stay with their owner; `destroy(user)`, where given, is called once nobody needs them any
  // more.
  static Ref<const Blob> borrow(std::span<const std::byte> bytes, Destroy destroy, void *user) {
    return Ref<const Blob>::adopt(new Blob(bytes, destroy, user));
  }

  std::span<const std::byte> bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  std::string_view text() const { return {reinterpret_cast<const char *>(bytes_.data()), bytes_.size()}; }

private:
  explicit Blob(std::string text) : owned_(std::move(text)), bytes_(std::as_bytes(std::span(owned_))) {}
  Blob(std::span<const std::byte> bytes, Destroy destroy, void *user)
      : bytes_(bytes), destroy_(destroy), user_(user) {}
  ~Blob() override {
    if (destroy_)
      destroy_(user_);
  }

  std::string owned_;
  std::span<const std::byte> bytes_;
  Destroy destroy_ = nullptr;
  void *user_ = nullptr;
};

} // namespace tw
