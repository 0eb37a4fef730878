// SPDX-License-Identifier: Apache-2.0
// Pickles as data: the machine of Python's pickle module, of which a call makes a description.
#include "store/pickle.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

namespace tw::store {

using Id = Pickle::Id;
using Kind = Pickle::Kind;

namespace {

constexpr Id kMark = UINT32_MAX;
constexpr size_t kMostFields = 256; // that are looked through: objects have few

bool allowed(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view known) {
    if (!known.ends_with('*'))
      return name == known;
    known.remove_suffix(1);
    return name.starts_with(known);
  });
}

} // namespace

class PickleReader {
public:
  PickleReader(Pickle &pickle, std::span<const std::string_view> names, const std::string &what)
      : pickle_(pickle), bytes_(*pickle.bytes_), names_(names), what_(what) {}

  Status run() {
    pickle_.values_ = {{Kind::none, 0, {}, {}}, {Kind::boolean, 0, {}, {}}, {Kind::boolean, 1, {}, {}}};
    for (;;) {
      at_ = next_;
      uint8_t code = 0;
      TW_TRY(number(code));
      if (code == '.')
        break;
      TW_TRY(step(code));
    }
    if (stack_.size() != 1 || stack_[0] == kMark)
      return bad(fmt::format("it ends with {} values on its stack", stack_.size()));
    pickle_.root_ = stack_[0];
    return {};
  }

private:
  Pickle &pickle_;
  const std::string_view bytes_;
  const std::span<const std::string_view> names_;
  const std::string &what_;
  size_t at_ = 0, next_ = 0; // of this opcode, and of what is read next
  std::vector<Id> stack_;
  std::unordered_map<uint32_t, Id> memo_;

  tl::unexpected<Error> bad(const std::string &why) const {
    return fail(Code::invalid_argument, "TW-901",
                fmt::format("{}: byte {} of the pickle: {}", what_, at_, why));
  }
  template <class T> Status number(T &value) {
    if (bytes_.size() - next_ < sizeof value)
      return bad("it is cut off");
    std::memcpy(&value, bytes_.data() + next_, sizeof value);
    next_ += sizeof value;
    return {};
  }
  Result<std::string_view> text(uint64_t size) {
    if (size > bytes_.size() - next_)
      return bad("it is cut off");
    next_ += size;
    return bytes_.substr(next_ - size, size);
  }
  template <class Length> Status counted(Kind kind) {
    Length size = 0;
    TW_TRY(number(size));
    TW_ASSIGN(const auto found, text(size));
    return push({kind, 0, found, {}});
  }
  Result<std::string_view> line() {
    const size_t end = bytes_.find('\n', next_);
    if (end == std::string_view::npos)
      return bad("a line has no end");
    const auto found = bytes_.substr(next_, end - next_);
    next_ = end + 1;
    return found;
  }
  template <class T> Status integer() {
    T value = 0;
    TW_TRY(number(value));
    return push({Kind::integer, static_cast<int64_t>(value), {}, {}});
  }

  Status push(Pickle::Value value) {
    pickle_.values_.push_back(std::move(value));
    stack_.push_back(static_cast<Id>(pickle_.values_.size() - 1));
    return {};
  }
  Result<Id> pop() {
    if (stack_.empty() || stack_.back() == kMark)
      return bad("nothing is on its stack");
    const Id top = stack_.back();
    stack_.pop_back();
    return top;
  }
  Result<std::vector<Id>> pop_to_mark() {
    const auto mark = std::find(stack_.rbegin(), stack_.rend(), kMark);
    if (mark == stack_.rend())
      return bad("no mark is on its stack");
    std::vector<Id> items(mark.base(), stack_.end());
    stack_.resize(stack_.size() - items.size() - 1);
    return items;
  }
  // The container on top of the stack, which items go into.
  Result<Pickle::Value *> top(std::initializer_list<Kind> kinds) {
    if (stack_.empty() || stack_.back() == kMark ||
        std::ranges::find(kinds, pickle_.kind(stack_.back())) == kinds.end())
      return bad("items go into what takes none");
    return &pickle_.values_[stack_.back()];
  }
  Status tuple(size_t n) {
    std::vector<Id> items(n);
    for (size_t i = n; i-- > 0;) {
      TW_ASSIGN(items[i], pop());
    }
    return push({Kind::tuple, 0, {}, std::move(items)});
  }
  Status collect(Kind kind) {
    TW_ASSIGN(auto items, pop_to_mark());
    if (kind == Kind::dict && items.size() % 2 != 0)
      return bad("a key has no value");
    return push({kind, 0, {}, std::move(items)});
  }
  Status add(std::initializer_list<Kind> kinds, bool pairs) {
    TW_ASSIGN(const auto items, pop_to_mark());
    TW_ASSIGN(Pickle::Value * into, top(kinds));
    if (pairs && items.size() % 2 != 0)
      return bad("a key has no value");
    into->items.insert(into->items.end(), items.begin(), items.end());
    return {};
  }

  Status global(std::string_view module, std::string_view name) {
    std::string full = fmt::format("{}.{}", module, name);
    if (!allowed(full, names_))
      return fail(
          Error(Code::unimplemented, "TW-901",
                fmt::format("{}: byte {} of the pickle: '{}' is none of the names that such files need",
                            what_, at_, full.substr(0, 100)))
              .note("nothing of a pickle is executed, and what is not known is refused"));
    pickle_.made_.push_back(std::make_unique<std::string>(std::move(full)));
    return push({Kind::global, 0, *pickle_.made_.back(), {}});
  }
  Status call(size_t parts) {
    std::vector<Id> items(parts);
    for (size_t i = parts; i-- > 0;) {
      TW_ASSIGN(items[i], pop());
    }
    items.resize(2); // keywords mean nothing to us
    if (!pickle_.is(items[0], Kind::global))
      return bad("what is called is no name");
    return push({Kind::object, 0, {}, std::move(items)});
  }
  Status remember(uint32_t number) {
    if (stack_.empty() || stack_.back() == kMark)
      return bad("nothing is on its stack");
    memo_[number] = stack_.back();
    return {};
  }
  template <class T> Status remember_as() {
    T number_of = 0;
    TW_TRY(number(number_of));
    return remember(number_of);
  }
  template <class T> Status recall() {
    T number_of = 0;
    TW_TRY(number(number_of));
    const auto found = memo_.find(number_of);
    if (found == memo_.end())
      return bad(fmt::format("nothing is remembered as {}", number_of));
    stack_.push_back(found->second);
    return {};
  }
  Status build() {
    TW_ASSIGN(const Id state, pop());
    if (stack_.empty() || stack_.back() == kMark)
      return bad("a state has no object");
    Pickle::Value &object = pickle_.values_[stack_.back()];
    if (object.kind != Kind::object)
      return bad("a state goes to what is no object");
    object.items.resize(2);
    object.items.push_back(state);
    return {};
  }
  Status long_integer(uint64_t size) {
    TW_ASSIGN(const auto raw, text(size));
    if (size > sizeof(int64_t))
      return bad(fmt::format("an integer of {} bytes", size));
    int64_t value = size != 0 && (raw.back() & 0x80) != 0 ? -1 : 0;
    std::memcpy(&value, raw.data(), size);
    return push({Kind::integer, value, {}, {}});
  }
  Status protocol() {
    uint8_t stated = 0;
    TW_TRY(number(stated));
    return stated < 2 || stated > 5 ? bad(fmt::format("protocol {}; 2 to 5 are read", stated)) : Status();
  }
  Status step(uint8_t code);
  Status collection(uint8_t code);
};

Status PickleReader::step(uint8_t code) {
  switch (code) {
  case 0x80: return protocol();
  case 0x95: { // FRAME, whose size says nothing new
    uint64_t size = 0;
    return number(size);
  }
  case 'N': return stack_.push_back(0), Status();
  case 0x89: return stack_.push_back(1), Status();
  case 0x88: return stack_.push_back(2), Status();
  case 'K': return integer<uint8_t>();
  case 'M': return integer<uint16_t>();
  case 'J': return integer<int32_t>();
  case 0x8a: { // LONG1
    uint8_t size = 0;
    TW_TRY(number(size));
    return long_integer(size);
  }
  case 'G': { // BINFLOAT
    TW_TRY(text(8));
    return push({Kind::real, 0, {}, {}});
  }
  case 0x8c:
  case 'U': return counted<uint8_t>(Kind::text);
  case 'X':
  case 'T': return counted<uint32_t>(Kind::text);
  case 0x8d: return counted<uint64_t>(Kind::text);
  case 'C': return counted<uint8_t>(Kind::bytes);
  case 'B': return counted<uint32_t>(Kind::bytes);
  case 0x8e:
  case 0x96: return counted<uint64_t>(Kind::bytes);
  case '(': return stack_.push_back(kMark), Status();
  case '0': {
    if (!stack_.empty() && stack_.back() == kMark)
      return stack_.pop_back(), Status();
    TW_TRY(pop());
    return {};
  }
  case '1': {
    TW_TRY(pop_to_mark());
    return {};
  }
  case '2': {
    if (stack_.empty() || stack_.back() == kMark)
      return bad("nothing is on its stack");
    return stack_.push_back(stack_.back()), Status();
  }
  case 'c': {
    TW_ASSIGN(const auto module, line());
    TW_ASSIGN(const auto name, line());
    return global(module, name);
  }
  case 0x93: { // STACK_GLOBAL
    TW_ASSIGN(const Id name, pop());
    TW_ASSIGN(const Id module, pop());
    if (!pickle_.is(name, Kind::text) || !pickle_.is(module, Kind::text))
      return bad("a name is no text");
    return global(pickle_.text(module), pickle_.text(name));
  }
  case 'R':
  case 0x81: return call(2);
  case 0x92: return call(3);
  case 'Q': { // BINPERSID
    TW_ASSIGN(const Id id, pop());
    return push({Kind::object, 0, {}, {0, id}});
  }
  case 'b': return build();
  case 'q': return remember_as<uint8_t>();
  case 'r': return remember_as<uint32_t>();
  case 0x94: return remember(static_cast<uint32_t>(memo_.size()));
  case 'h': return recall<uint8_t>();
  case 'j': return recall<uint32_t>();
  default: return collection(code);
  }
}

// Tuples, lists, dicts and sets.
Status PickleReader::collection(uint8_t code) {
  switch (code) {
  case ')': return tuple(0);
  case 0x85: return tuple(1);
  case 0x86: return tuple(2);
  case 0x87: return tuple(3);
  case 't': return collect(Kind::tuple);
  case ']': return push({Kind::list, 0, {}, {}});
  case 'l': return collect(Kind::list);
  case '}': return push({Kind::dict, 0, {}, {}});
  case 'd': return collect(Kind::dict);
  case 0x8f: return push({Kind::set, 0, {}, {}});
  case 0x91: return collect(Kind::set);
  case 'a': {
    TW_ASSIGN(const Id item, pop());
    TW_ASSIGN(Pickle::Value * into, top({Kind::list}));
    return into->items.push_back(item), Status();
  }
  case 'e': return add({Kind::list}, false);
  case 's': {
    TW_ASSIGN(const Id value, pop());
    TW_ASSIGN(const Id key, pop());
    TW_ASSIGN(Pickle::Value * into, top({Kind::dict, Kind::object}));
    if (into->kind == Kind::dict)
      into->items.insert(into->items.end(), {key, value});
    return {};
  }
  case 'u': {
    // A dict that a call makes, such as an OrderedDict, is taken for its items.
    if (const auto mark = std::find(stack_.rbegin(), stack_.rend(), kMark);
        mark != stack_.rend() && mark + 1 != stack_.rend() && *(mark + 1) != kMark &&
        pickle_.is(*(mark + 1), Kind::object))
      pickle_.values_[*(mark + 1)] = {Kind::dict, 0, {}, {}};
    return add({Kind::dict}, true);
  }
  case 0x90: return add({Kind::set}, false);
  default: return bad(fmt::format("opcode 0x{:02x} is not read", code));
  }
}

Result<Pickle> Pickle::read(std::string bytes, std::span<const std::string_view> names,
                            const std::string &what) {
  if (bytes.size() >= UINT32_MAX / 2)
    return fail(Code::resource_exhausted, "TW-901",
                fmt::format("{}: a pickle of {} bytes", what, bytes.size()));
  Pickle pickle;
  pickle.bytes_ = std::make_unique<std::string>(std::move(bytes));
  TW_TRY(PickleReader(pickle, names, what).run());
  return pickle;
}

bool Pickle::is_object(Id id, std::string_view name) const {
  return is(id, Kind::object) && is(items(id)[0], Kind::global) && text(items(id)[0]) == name;
}

Id Pickle::find(Id id, std::string_view key) const {
  if (is(id, Kind::object))
    id = items(id).size() > 2 ? items(id)[2] : 0;
  if (!is(id, Kind::dict))
    return 0;
  const auto all = items(id).first(std::min<size_t>(items(id).size(), 2 * kMostFields));
  for (size_t i = 0; i + 1 < all.size(); i += 2)
    if (is(all[i], Kind::text) && text(all[i]) == key)
      return all[i + 1];
  return 0;
}

} // namespace tw::store
