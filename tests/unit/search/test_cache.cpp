// SPDX-License-Identifier: Apache-2.0
// What is asked again of the same program under other names is found in the folder; anything else, and any
// damage, leads to a search.
#include "search/cache.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "partition/spec.hpp"
#include "search/kept_words.hpp"
#include "support/asked_search.hpp"
#include "support/same_found.hpp"
#include "support/unit.hpp"

namespace tw::test_cache {

using partition::Plan;
using search::Cache;
using search::Found;
using test::Asked;
using test::letters;
using test::tower_text;

namespace {

class Folder {
public:
  Folder() : path_((std::filesystem::temp_directory_path() / "tw_cache_XXXXXX").string()) {
    REQUIRE(mkdtemp(path_.data()) != nullptr);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder &) = delete;
  const std::string &path() const { return path_; }
  Cache cache() const {
    auto made = Cache::open(path_);
    REQUIRE(made.has_value());
    return *std::move(made);
  }
  size_t files() const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

private:
  std::string path_;
};

std::string read(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace

TEST_CASE("what was found is found again, also under other names") {
  const Folder folder;
  const Cache cache = folder.cache();
  const Asked first(tower_text());
  const Found found = first.found_by(cache);
  CHECK(!found.cached);
  CHECK(found.notes.empty());
  CHECK(!found.actions.empty());
  CHECK(folder.files() == 1);

  const Found again = first.found_by(cache);
  CHECK(again.cached);
  CHECK(again.notes.empty());
  test::check_same(again, found);

  std::mt19937 random(48);
  for (int i = 0; i < 6; ++i) {
    const Asked other(tower_text(&random, i % 2 == 0, "layer"));
    const Found there = other.found_by(cache);
    CHECK(there.cached);
    CHECK(there.price.time() == found.price.time());
    CHECK(there.actions.size() >= found.actions.size()); // patterns may name less at once
    Plan plan = other.plan;
    REQUIRE(partition::apply_spec(plan, there.spec, "found"));
    for (partition::NodeId n = 0; n < plan.num_nodes(); ++n)
      CHECK(std::ranges::equal(plan.nest(n), there.plan->nest(n)));
    // Arguments have the nests that those have for which they stand.
    const auto one = search::key_of(first.plan), two = search::key_of(other.plan);
    REQUIRE(one.ops.size() == two.ops.size());
    for (size_t number = 0; number < one.ops.size(); ++number) {
      const auto a = found.plan->nest(one.ops[number]), b = there.plan->nest(two.ops[number]);
      CHECK(std::ranges::equal(
          a, b, [](const auto &x, const auto &y) { return x.axis == y.axis && x.factor == y.factor; }));
    }
  }
  CHECK(folder.files() == 1);
}

TEST_CASE("damage at any byte is noted, and the file replaced") {
  const Folder folder;
  const Cache cache = folder.cache();
  Asked asked(letters("xy", "p+xyq-xyr*pq", "r"));
  asked.limits.episodes = 5;
  const Found found = asked.found_by(cache);
  const Cache::Key key = Cache::key_of(asked.question());
  const std::string path = cache.path_of(key), bytes = read(path);
  REQUIRE(bytes.size() > 100);
  const auto is_of_use = [&] {
    std::vector<std::string> notes;
    const bool there = cache.look_up(key, asked.plan, notes).has_value();
    CHECK(notes.size() == (there ? 0 : 1));
    return there;
  };
  CHECK(is_of_use());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string other = bytes;
    other[i] = static_cast<char>(other[i] ^ (1 << i % 8));
    write(path, other);
    CHECK(!is_of_use());
    write(path, bytes.substr(0, i));
    CHECK(!is_of_use());
  }
  for (const std::string &foreign : {bytes + "more", bytes + bytes, std::string("{}")}) {
    write(path, foreign);
    const Found searched = asked.found_by(cache);
    CHECK(!searched.cached);
    REQUIRE(searched.notes.size() == 1);
    CHECK(searched.notes[0].find(path) != std::string::npos);
    CHECK(searched.spec == found.spec);
    CHECK(asked.found_by(cache).cached);
  }
  // One of another question, under this name.
  Asked second(tower_text());
  (void)second.found_by(cache);
  write(path, read(cache.path_of(Cache::key_of(second.question()))));
  CHECK(!is_of_use());
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  const Found searched = asked.found_by(cache);
  CHECK(searched.spec == found.spec);
  CHECK(searched.notes.size() == 2); // nor can it be replaced
}

TEST_CASE("words that nobody wrote are refused, or make a plan") {
  const Asked asked(tower_text());
  const auto found = search::search(asked.question());
  REQUIRE(found.has_value());
  const auto key = search::key_of(asked.plan);
  const std::vector<uint64_t> words = search::words_of(*found, key, asked.plan);
  REQUIRE(search::found_in(words, key, asked.plan).has_value());
  CHECK(search::words_of(*search::found_in(words, key, asked.plan), key, asked.plan) == words);
  for (size_t i = 0; i < words.size(); ++i) {
    CHECK(!search::found_in(std::span(words).first(i), key, asked.plan).has_value());
    for (const uint64_t wild : {uint64_t{0}, uint64_t{1}, uint64_t{5}, words[i] + 1, words[i] - 1,
                                uint64_t{255}, uint64_t{1} << 16, uint64_t{1} << 40, ~uint64_t{0}}) {
      std::vector<uint64_t> other = words;
      other[i] = wild;
      if (const auto read = search::found_in(other, key, asked.plan))
        (void)search::write_spec(asked.plan, read->steps_taken);
    }
  }
}

TEST_CASE("what does not cost what it did is searched again") {
  const Folder folder;
  const Cache cache = folder.cache();
  const Asked asked(tower_text());
  const Found found = asked.found_by(cache);
  const Cache::Key key = Cache::key_of(asked.question());
  std::vector<std::string> notes;
  const auto replaced = [&](const std::function<void(Found &)> &change, const char *why) {
    Found other = found;
    change(other);
    cache.keep(key, asked.plan, other, notes);
    const Found searched = asked.found_by(cache);
    CHECK(!searched.cached);
    REQUIRE(searched.notes.size() == 1);
    CAPTURE(searched.notes[0]);
    CHECK(searched.notes[0].find(why) != std::string::npos);
    CHECK(searched.spec == found.spec);
    CHECK(asked.found_by(cache).cached);
  };
  replaced([](Found &f) { f.price.computing += 1; }, "here, not");
  replaced(
      [](Found &f) {
        f.ending = search::Ending::infeasible;
        f.peak_bytes += 1;
      },
      "here, not");
  replaced([](Found &f) { f.steps_taken.clear(); }, "here, not");
  replaced([](Found &f) { f.steps_taken[0].lines[0].dim = 7; }, "not possible here");
  CHECK(notes.empty());
}

TEST_CASE("what fits nowhere is kept too, and what was ended by hand is not") {
  const Folder folder;
  const Cache cache = folder.cache();
  Asked asked(tower_text());
  asked.limits.cap_bytes = 1000;
  const Found found = asked.found_by(cache);
  CHECK(found.ending == search::Ending::infeasible);
  const Found again = asked.found_by(cache);
  CHECK(again.cached);
  test::check_same(again, found);

  search::Control control;
  asked.limits.control = &control;
  asked.limits.seed = 5;
  control.cancel();
  (void)asked.found_by(cache);
  CHECK(folder.files() == 1);

  search::Control other;
  asked.limits.control = &other;
  asked.limits.seed = 0;
  CHECK(asked.found_by(cache).cached);
  CHECK(other.progress().cost == cost::in_seconds(found.price.time()));
  CHECK(other.progress().bound == cost::in_seconds(found.bound));
  CHECK(other.progress().episodes == found.episodes);
}

TEST_CASE("several threads use one folder") {
  const Folder folder;
  const std::string wanted = Asked(tower_text()).found_by(Folder().cache()).spec;
  std::vector<std::thread> threads;
  std::vector<int> right(4, 0);
  for (size_t t = 0; t < right.size(); ++t)
    threads.emplace_back([&, t] {
      const auto cache = Cache::open(folder.path());
      for (uint64_t i = 0; cache && i < 6; ++i) {
        Asked asked(tower_text());
        asked.limits.seed = 1 + i % 2;
        asked.limits.episodes = 20;
        if (i % 3 == 0) {
          asked.limits.seed = 0;
          asked.limits.episodes = 60;
        }
        const auto found = cache->search(asked.question());
        right[t] += found && found->notes.empty() && (i % 3 != 0 || found->spec == wanted);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const int of : right)
    CHECK(of == 6);
  CHECK(folder.files() == 3);
}

TEST_CASE("a folder that cannot be made or written is an error before the search") {
  const Folder folder;
  write(folder.path() + "/file", "x");
  for (const std::string &path :
       {folder.path() + "/file", folder.path() + "/file/below", std::string("/proc/x")}) {
    const auto cache = Cache::open(path);
    REQUIRE(!cache.has_value());
    CHECK(cache.error().message().find(path) != std::string::npos);
    CHECK(cache.error().info().id == std::string("TW-482"));
  }
  CHECK(Cache::open(folder.path() + "/deep/er").has_value());
  CHECK(folder.files() == 2);
}

} // namespace tw::test_cache
