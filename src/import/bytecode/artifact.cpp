// SPDX-License-Identifier: Apache-2.0
// Sections may stand in any order, each once.
#include "import/bytecode/artifact.hpp"

#include <charconv>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "import/bytecode/codes.hpp"

namespace tw::import::bytecode {

namespace {

using Part = Artifact::Part;

constexpr std::array<const char *, kSections> kNames = {
    "the strings",   "the dialects",  "the attributes and types", "the offsets of attributes and types",
    "the ops",       "the resources", "the offsets of resources", "the versions of dialects",
    "the properties"};

enum class ResourceKind : uint8_t { blob, boolean, string };

std::optional<Version> portable_version(std::string_view producer) {
  if (!producer.starts_with(kPortable))
    return std::nullopt;
  Version version;
  const char *at = producer.data() + kPortable.size(), *end = producer.data() + producer.size();
  for (uint32_t *part : {&version.major, &version.minor, &version.patch}) {
    const auto [stop, error] = std::from_chars(at, end, *part);
    if (error != std::errc() || (stop != end && *stop != '.'))
      return std::nullopt;
    at = stop + (stop != end ? 1 : 0);
  }
  return version;
}

// Padding up to a multiple of `alignment`, counted from the artifact's first byte.
bool skip_padding(Bytes &from, uint64_t alignment) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    return from.fail(fmt::format("the alignment {} is no power of 2", alignment));
  while (!from.fault().failed() && from.offset() % alignment != 0)
    if (from.byte() != kPadding)
      return from.fail("bytes between sections are no padding");
  return !from.fault().failed();
}

// Lengths stand from the last string to the first, each with the 0 behind the string.
bool read_strings(Bytes from, Artifact &artifact) {
  const size_t count = from.count("strings", 2);
  std::vector<size_t> sizes(count);
  size_t total = 0;
  for (size_t i = count; i-- > 0;) {
    sizes[i] = from.count("bytes of a string");
    if (sizes[i] == 0 && !from.fault().failed())
      return from.fail("a string has no end");
    total += sizes[i];
  }
  if (from.fault().failed())
    return false;
  if (total != from.left())
    return from.fail(fmt::format("{} bytes of strings, but their lengths add up to {}", from.left(), total));
  artifact.strings.reserve(count);
  for (const size_t size : sizes)
    artifact.strings.push_back(from.take(size).substr(0, size - 1));
  return true;
}

bool read_properties(Bytes from, Artifact &artifact) {
  const size_t count = from.count("properties");
  artifact.properties.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t size = from.count("bytes of properties");
    artifact.properties.push_back({from.offset(), size});
    from.take(size);
  }
  return from.at_end() ? !from.fault().failed() : from.fail("bytes behind the last properties");
}

bool read_dialects(Bytes from, Artifact &artifact, Fault &fault) {
  const std::vector<std::string_view> &strings = artifact.strings;
  const size_t count = from.count("dialects");
  for (size_t i = 0; i < count && !fault.failed(); ++i) {
    Artifact::Dialect dialect;
    bool versioned = false;
    const uint64_t name =
        artifact.format < kDialectVersions ? from.number() : from.number_with_flag(versioned);
    const uint32_t index = from.checked_index(name, strings.size(), "string");
    if (fault.failed())
      return false;
    dialect.name = strings[index];
    if (versioned && read_section(from, dialect.version) != kDialectVersion && !fault.failed())
      return from.fail(
          fmt::format("the dialect '{}' has no version where one should stand", shown(dialect.name)));
    artifact.dialects.push_back(dialect);
  }
  if (artifact.format >= kShortBlockArguments)
    from.number(); // how many names of ops follow
  while (!fault.failed() && !from.at_end()) {
    const uint32_t dialect = from.index(artifact.dialects.size(), "dialect");
    const size_t names = from.count("names of ops");
    for (size_t i = 0; i < names && !fault.failed(); ++i) {
      bool registered = false;
      const uint64_t name = artifact.format < kProperties ? from.number() : from.number_with_flag(registered);
      const uint32_t index = from.checked_index(name, strings.size(), "string");
      if (!fault.failed())
        artifact.ops.push_back({dialect, strings[index], registered});
    }
  }
  return !fault.failed();
}

// Entries of one kind, by dialect, each with its size.
bool read_entries(Bytes &from, size_t count, Artifact &artifact, Part data, size_t &at,
                  std::vector<Artifact::Entry> &entries) {
  entries.reserve(count);
  while (entries.size() < count && !from.fault().failed()) {
    const uint32_t dialect = from.index(artifact.dialects.size(), "dialect");
    const size_t group = from.count("entries");
    if (group > count - entries.size())
      return from.fail(
          fmt::format("a group of {} entries, where {} are left", group, count - entries.size()));
    for (size_t i = 0; i < group && !from.fault().failed(); ++i) {
      bool encoded = false;
      const uint64_t size = from.number_with_flag(encoded);
      if (size > data.size - at)
        return from.fail(fmt::format("an entry of {} bytes, where {} are left", size, data.size - at));
      entries.push_back({{data.begin + at, static_cast<size_t>(size)}, dialect, encoded});
      at += size;
    }
  }
  return !from.fault().failed();
}

bool read_offsets(Bytes from, Part data, Artifact &artifact) {
  const size_t attributes = from.count("attributes");
  const size_t types = from.count("types");
  size_t at = 0;
  if (!read_entries(from, attributes, artifact, data, at, artifact.attributes) ||
      !read_entries(from, types, artifact, data, at, artifact.types))
    return false;
  return from.at_end() || from.fail("bytes behind the offsets of the last type");
}

// Groups of tools first, whose resources nothing here names; then those of dialects, which attributes name in
// this order.
bool read_resources(Bytes from, Part data, Artifact &artifact, Fault &fault) {
  const uint64_t external = from.number();
  size_t at = data.begin;
  const size_t end = data.begin + data.size;
  for (uint64_t group = 0; !fault.failed() && (group < external || !from.at_end()); ++group) {
    from.index(group < external ? artifact.strings.size() : artifact.dialects.size(),
               group < external ? "string" : "dialect");
    const size_t count = from.count("resources", 3);
    for (size_t i = 0; i < count && !fault.failed(); ++i) {
      const uint32_t key = from.index(artifact.strings.size(), "string");
      const uint64_t size = from.number();
      const uint8_t kind = from.byte();
      if (fault.failed())
        return false;
      if (size > end - at)
        return from.fail(fmt::format("a resource of {} bytes, where {} are left", size, end - at));
      Artifact::Resource resource{
          artifact.strings[key], {}, kind == static_cast<uint8_t>(ResourceKind::blob)};
      if (kind == static_cast<uint8_t>(ResourceKind::blob) && size != 0) {
        Bytes value = artifact.reader({at, static_cast<size_t>(size)}, kNames[kResources], fault);
        const uint64_t alignment = value.number(), bytes = value.number();
        if (!skip_padding(value, alignment))
          return false;
        resource.blob = value.take(bytes);
      } else if (kind > static_cast<uint8_t>(ResourceKind::string)) {
        return from.fail(
            fmt::format("the resource '{}' is of an unknown kind {}", shown(resource.key), kind));
      }
      at += size;
      if (group >= external)
        artifact.resources.push_back(resource);
    }
  }
  return !fault.failed();
}

} // namespace

std::string to_text(const Version &version) {
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

bool is_bytecode(std::string_view bytes) { return bytes.starts_with(kMagic); }

uint8_t read_section(Bytes &from, Part &data) {
  const uint8_t id = from.byte();
  const uint64_t size = from.number();
  if ((id & 0x80) != 0 && !skip_padding(from, from.number()))
    return kSections;
  data.begin = from.offset();
  data.size = from.take(size).size();
  return id & 0x7f;
}

bool read_artifact(std::string_view bytes, Fault &fault, Artifact &artifact) {
  artifact.bytes = bytes;
  Bytes from(bytes, 0, bytes.size(), "the header", fault);
  from.take(kMagic.size());
  artifact.format = from.number();
  if (!fault.failed() && artifact.format > kNewest)
    return from.fail(fmt::format("version {} of MLIR bytecode is newer than {}, the newest that is read",
                                 artifact.format, static_cast<uint64_t>(kNewest)),
                     "TW-121");
  artifact.producer = from.zero_terminated();
  artifact.stablehlo = portable_version(artifact.producer);
  std::array<std::optional<Part>, kSections> parts;
  while (!fault.failed() && !from.at_end()) {
    Part part;
    const uint8_t id = read_section(from, part);
    if (fault.failed())
      return false;
    if (id >= kSections || id == kDialectVersion)
      return from.fail(fmt::format("there is no section {}", id));
    if (parts[id])
      return from.fail(fmt::format("{} stand twice", kNames[id]));
    parts[id] = part;
  }
  for (const uint8_t id : {kStrings, kDialects, kEntries, kEntryOffsets, kIr})
    if (!fault.failed() && !parts[id])
      return from.fail(fmt::format("{} are missing", kNames[id]));
  if (!fault.failed() && parts[kResources].has_value() != parts[kResourceOffsets].has_value())
    return from.fail("resources and their offsets do not stand together");
  if (fault.failed())
    return false;
  const auto reader = [&](uint8_t id) { return artifact.reader(*parts[id], kNames[id], fault); };
  artifact.ir = *parts[kIr];
  return read_strings(reader(kStrings), artifact) &&
         (!parts[kPropertyTable] || read_properties(reader(kPropertyTable), artifact)) &&
         read_dialects(reader(kDialects), artifact, fault) &&
         (!parts[kResources] ||
          read_resources(reader(kResourceOffsets), *parts[kResources], artifact, fault)) &&
         read_offsets(reader(kEntryOffsets), *parts[kEntries], artifact);
}

} // namespace tw::import::bytecode
