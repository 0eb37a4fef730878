// SPDX-License-Identifier: Apache-2.0
// What searches found, in a folder: who asks the same of a program that is the same but for names gets it
// from there. Several processes may use one folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/wide_hash.hpp"
#include "search/program_key.hpp"
#include "search/search.hpp"

namespace tw::search {

class Cache {
public:
  // The folder is made where it is not there; an error where nothing can be written into it.
  static Result<Cache> open(std::string folder);

  // What was found before, if it costs the same here; else what `search` finds, which is kept. What went
  // wrong with files is a note.
  Result<Found> search(const Question &question) const;

  // The parts of that. A key is of all that changes what is found, and of no names.
  struct Key {
    WideHash hash;
    ProgramKey program;
  };
  static Key key_of(const Question &question);
  // What the file of a key has: all but what make_answer knows. Nothing where there is none; one that is of
  // no use is noted.
  std::optional<Found> look_up(const Key &key, const partition::Plan &plan,
                               std::vector<std::string> &notes) const;
  void keep(const Key &key, const partition::Plan &plan, const Found &found,
            std::vector<std::string> &notes) const;
  std::string path_of(const Key &key) const;

private:
  explicit Cache(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

} // namespace tw::search
