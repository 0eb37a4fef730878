// SPDX-License-Identifier: Apache-2.0
// The page holds the figures that the JSON documents have, on 200 random plans, and names from outside are
// text in it, whatever they hold.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cost/estimate.hpp"
#include "report/page/page.hpp"
#include "report/program_json.hpp"
#include "spmd/program.hpp"
#include "support/number_of.hpp"
#include "support/plans.hpp"
#include "support/random_program.hpp"
#include "system/system.hpp"

namespace tw::test_page {

using namespace tw::test;
using Json = nlohmann::ordered_json;

namespace {

// Of a page's facts: the text that stands under a number.
struct Facts {
  Json all;
  const Json &at(const char *section) const { return all.at("sections").at(section); }
  std::string text(const Json &number) const { return all.at("texts").at(number.get<size_t>()); }
};

// The facts as they stand in the page.
Facts facts_in(const std::string &html) {
  const std::string_view begin = R"(<script type="application/json" id="facts">)", end = "</script>";
  const size_t at = html.find(begin);
  REQUIRE(at != std::string::npos);
  const size_t from = at + begin.size();
  return {Json::parse(html.substr(from, html.find(end, from) - from))};
}

void check_values(const Facts &page, const char *which, const Json &wanted) {
  const Json &values = page.at("shardings").at(which);
  REQUIRE(values.at("name").size() == wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (const char *key : {"name", "type", "sharding", "cause"})
      CHECK(page.text(values.at(key)[i]) == wanted[i].at(key));
    CHECK(values.at("local")[i] == wanted[i].at("local"));
    CHECK(values.at("bytes")[i] == wanted[i].at("bytes"));
    Json locals = Json::array();
    for (const Json &one : values.at("locals").value(std::to_string(i), Json::array()))
      locals.push_back({{"shape", one[0]}, {"devices", one[1]}});
    CHECK(locals == wanted[i].value("locals", Json::array()));
  }
  for (const Json &alike : values.at("alike")) // one row on the page
    for (const Json &member : alike[1])
      for (const char *key : {"type", "sharding", "bytes", "cause"})
        CHECK(values.at(key)[member.get<size_t>()] == values.at(key)[alike[1][0].get<size_t>()]);
}

void check_collectives(const Facts &page, const Json &wanted) {
  const Json &rows = page.at("collectives");
  REQUIRE(rows.at("kind").size() == wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    for (const char *key : {"kind", "reduction", "type", "local_type", "value", "op", "location", "cause"})
      CHECK(page.text(rows.at(key)[i]) == wanted[i].at(key));
    std::string axes;
    for (const Json &axis : wanted[i].at("axes"))
      axes += (axes.empty() ? "" : ",") + axis.get<std::string>();
    CHECK(page.text(rows.at("axes")[i]) == axes);
    CHECK(rows.at("bytes_received")[i] == wanted[i].at("bytes_received"));
    CHECK(rows.at("times")[i] == wanted[i].at("times"));
    const Json values = rows.at("values").value(std::to_string(i), Json::array());
    REQUIRE(values.size() == wanted[i].value("values", Json::array()).size());
    for (size_t v = 0; v < values.size(); ++v)
      CHECK(page.text(values[v]) == wanted[i].at("values")[v]);
  }
}

void check_conflicts(const Facts &page, const char *which, const Json &wanted) {
  const Json &rows = page.at("conflicts").at(which);
  REQUIRE(rows.at("kind").size() == wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const std::string value = page.text(rows.at("value")[i]), op = page.text(rows.at("op")[i]);
    CHECK((op.empty() ? value : value + " = " + op) == wanted[i].at("op"));
    for (const char *key : {"kind", "axis", "location"})
      CHECK(page.text(rows.at(key)[i]) == wanted[i].at(key));
    const Json &ways = rows.at("ways")[i], &candidates = wanted[i].at("candidates");
    REQUIRE(ways.size() == candidates.size());
    for (size_t w = 0; w < ways.size(); ++w) {
      CHECK(page.text(ways[w][0]) == candidates[w].at("factor"));
      CHECK(page.text(ways[w][1]) == candidates[w].at("source"));
      CHECK(ways[w][2] == candidates[w].at("bytes"));
      CHECK(ways[w][3] == candidates[w].at("more"));
      CHECK((ways[w][4] == 1) == candidates[w].value("counted", true));
    }
  }
}

void check_verdict(const Facts &page, const Json &wanted) {
  const Json &verdict = page.at("verdict");
  for (const char *key : {"tilewright", "module", "mesh", "ops", "counts", "executed", "bytes_received",
                          "peak_bytes", "expectations", "notes"})
    CHECK(verdict.at(key) == wanted.at(key));
  CHECK(verdict.at("unknown_trips") == wanted.value("unknown_trips", false));
}

// At each place, what is alive adds up to what is held, and at the peak it is what the JSON says.
void check_memory(const Facts &page, const Json *estimate, const Json &wanted) {
  const Json &memory = page.at("memory"), &lives = memory.at("lives");
  std::vector<int64_t> bytes(memory.at("bytes").size(), 0);
  std::vector<std::pair<int64_t, std::string>> peak;
  for (size_t i = 0; i < lives.at("bytes").size(); ++i) {
    REQUIRE(lives.at("last")[i].get<size_t>() < bytes.size());
    for (auto place = lives.at("first")[i].get<size_t>(); place <= lives.at("last")[i].get<size_t>();
         ++place) {
      bytes[place] += lives.at("bytes")[i].get<int64_t>();
      if (place == memory.at("peak").get<size_t>())
        peak.emplace_back(lives.at("bytes")[i].get<int64_t>(), page.text(lives.at("value")[i]));
    }
  }
  CHECK(Json(bytes) == memory.at("bytes"));
  CHECK(bytes.at(memory.at("peak").get<size_t>()) == *std::ranges::max_element(bytes));
  if (estimate == nullptr) {
    CHECK(bytes.at(memory.at("peak").get<size_t>()) <= wanted.at("peak_bytes").get<int64_t>());
    return;
  }
  CHECK(memory.at("cap_bytes") == estimate->at("cap_bytes"));
  for (const Json &top : estimate->at("peak").at("top"))
    CHECK(std::ranges::count(
              peak, std::pair(top.at("bytes").get<int64_t>(), top.at("value").get<std::string>())) > 0);
}

void check_timeline(const Facts &page, const Json &estimate) {
  const Json &steps = page.at("timeline").at("simulated");
  double all = 0;
  for (size_t i = 0; i < steps.at("seconds").size(); ++i)
    all += steps.at("seconds")[i].get<double>() * steps.at("times")[i].get<double>();
  CHECK(all * 1e3 == doctest::Approx(estimate.at("time_ms").at("serial").get<double>()));
  CHECK(steps.at("overlapped_s").get<double>() * 1e3 ==
        estimate.at("time_ms").at("overlapped").get<double>());
}

// The simulated trace adds up to the estimate, on each device and on links, and its counter to the memory
// that the page draws.
void check_trace(const Facts &page, const report::Estimated &of) {
  const Json trace = Json::parse(report::estimate_trace(of));
  const Json &bytes = page.at("memory").at("bytes");
  double end = 0;
  size_t places = 0;
  std::vector<double> longest(of.estimate.steps.size(), 0); // of the rows in which a step stands
  std::map<std::pair<int, int>, double> free;               // when the last slice of a row ends
  for (const Json &event : trace.at("traceEvents"))
    if (event.at("ph") == "X") {
      const double begin = event.at("ts").get<double>(), lasts = event.at("dur").get<double>();
      const auto step = event.at("args").at("step").get<size_t>();
      CHECK(event.at("pid") == (of.estimate.steps.at(step).moves ? 2 : 1));
      longest[step] = std::max(longest[step], begin + lasts - of.estimate.steps[step].begin_s * 1e6);
      double &row = free[{event.at("pid").get<int>(), event.at("tid").get<int>()}];
      CHECK_MESSAGE(begin >= row * (1 - 1e-9), event.dump());
      row = begin + lasts;
      end = std::max(end, row);
    } else if (event.at("ph") == "C") {
      CHECK(event.at("args").at("bytes") == bytes.at(places++));
    }
  CHECK(places == bytes.size());
  for (size_t i = 0; i < longest.size(); ++i)
    if (of.estimate.steps[i].times == 0)
      CHECK(longest[i] == 0);
    else if (!of.estimate.kind_of.empty() && of.estimate.part_of_most.size() == 1)
      CHECK(longest[i] == doctest::Approx(of.estimate.steps[i].lasts_s * 1e6));
    else
      CHECK(longest[i] <= of.estimate.steps[i].lasts_s * 1e6 * (1 + 1e-6));
  if (end > 0) // else nothing takes time
    CHECK(end == doctest::Approx(of.estimate.overlapped_s * 1e6));
}

struct Made {
  report::Subject subject;
  std::optional<cost::Estimate> estimate;
  std::optional<report::EstimateFacts> facts;
  std::string system = "h100-sxm";
};

Facts page_of(const Made &made, std::string_view command = "tw report x.mlir") {
  report::PageOf of{made.subject, nullptr, {}, command};
  std::optional<report::Estimated> estimated;
  if (made.estimate)
    of.estimated =
        &estimated.emplace(report::Estimated{made.subject, *made.estimate, *made.facts, made.system});
  const auto html = report::page(of);
  REQUIRE_MESSAGE(html.has_value(), html.error().message());
  for (const char *mark : {"{{title}}", "{{style}}", "{{scripts}}"})
    CHECK(html->find(mark) == std::string::npos);
  Facts facts = facts_in(*html);
  CHECK(facts.all == *report::page_facts(of));
  return facts;
}

} // namespace

TEST_CASE("the page of 200 random plans has the figures of their JSON") {
  const auto system = system::load("h100-sxm");
  REQUIRE(system.has_value());
  size_t pages = 0, collectives = 0, conflicts = 0;
  for (uint64_t seed = 1; seed <= slice_of(600, 220); ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    import::Imported imported;
    imported.graph = random_program(random).graph;
    partition::Plan plan(imported.graph, random_mesh(random));
    static_cast<void>(random_actions(plan, random));
    spmd::Options lowering;
    if (plan.mesh().num_devices() % 2 == 0 && random.chance(3))
      lowering.levels = "node=2";
    const auto program = spmd::lower(plan, lowering);
    if (!program)
      continue; // not every random plan can be
    Made made;
    made.subject.imported = std::make_shared<const import::Imported>(imported);
    made.subject.plan = std::make_shared<const partition::Plan>(plan);
    made.subject.program = *program;
    if (random.chance(2))
      if (auto estimate = cost::estimate(*program, *system)) {
        made.estimate = std::move(*estimate);
        made.facts = report::estimate_facts(made.subject, *made.estimate);
      }
    const Json wanted = report::program_json(made.subject);
    const Facts page = page_of(made);
    check_verdict(page, wanted);
    check_values(page, "arguments", wanted.at("arguments"));
    check_values(page, "results", wanted.at("results"));
    check_collectives(page, wanted.at("collectives"));
    check_conflicts(page, "conflicts", wanted.at("conflicts"));
    check_conflicts(page, "disagreements", wanted.at("disagreements"));
    std::optional<Json> estimate;
    if (made.estimate) {
      const report::Estimated of{made.subject, *made.estimate, *made.facts, made.system};
      estimate = report::estimate_json(of);
      check_trace(page, of);
      CHECK(page.at("verdict").at("estimate") == *estimate);
      check_timeline(page, *estimate);
    }
    check_memory(page, estimate ? &*estimate : nullptr, wanted);
    ++pages;
    collectives += wanted.at("collectives").size();
    conflicts += wanted.at("conflicts").size() + wanted.at("disagreements").size();
  }
  CHECK(pages >= 200);
  CHECK(collectives > pages);
  CHECK(conflicts > pages / 4);
}

TEST_CASE("names with markup, quotes, marks of direction and 10,000 characters are text") {
  const std::string names[] = {R"(</script><script>window.broken = 1</script>)",
                               R"(<img src=x onerror=alert(1)>)",
                               R"("quoted' `and` \u003c \\ {{facts}})",
                               "left\u202eright\u2066 \u200bend \u2028",
                               std::string(10'000, 'x'),
                               "<!--<script>"};
  import::ImportOptions options;
  std::string text = "module @\"<b>m</b>\" {\n  func.func public @main(";
  std::string lines;
  for (size_t i = 0; i < std::size(names); ++i) {
    text += fmt::format("{}%arg{}: tensor<8xf32>", i == 0 ? "" : ", ", i);
    lines += i == 5 ? names[i] : (i == 3 ? names[i] : names[i]) + "\n";
  }
  text += ") -> tensor<8xf32> {\n    %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>\n    return %0 : "
          "tensor<8xf32>\n  }\n}\n";
  options.names = lines;
  const auto imported = import::import_text(text, options);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  auto mesh = sharding::Mesh::parse("a=2");
  Made made;
  made.subject.imported = std::make_shared<const import::Imported>(*imported);
  made.subject.plan = std::make_shared<const partition::Plan>(imported->graph, std::move(*mesh));
  made.subject.program = *spmd::lower(*made.subject.plan, {});
  const Facts page = page_of(made, "tw report '</script>'");
  for (size_t i = 0; i < std::size(names); ++i)
    CHECK(page.text(page.at("shardings").at("arguments").at("name")[i]) == names[i]);
  CHECK(page.at("again").at("command") == "tw report '</script>'");
  const auto html = report::page({made.subject});
  CHECK(html->find("window.broken = 1</script>") == std::string::npos);
  CHECK(html->find("<img src=x") == std::string::npos);
  CHECK(html->find("\u202e") == std::string::npos);
  CHECK(html->find("<title>&lt;b&gt;m&lt;/b&gt;") != std::string::npos);
}

TEST_CASE("a measured run is shown, and what is none is refused") {
  import::Imported imported;
  Dice random(7);
  imported.graph = random_program(random).graph;
  Made made;
  made.subject.imported = std::make_shared<const import::Imported>(imported);
  made.subject.program = *spmd::lower_unpartitioned(imported.graph);
  const std::string trace = R"({"traceEvents":[
    {"name":"thread_name","ph":"M","pid":1,"tid":3,"args":{"name":"device 3"}},
    {"name":"add","ph":"X","pid":1,"tid":3,"ts":20,"dur":5,"args":{}},
    {"name":"dot","ph":"X","pid":1,"tid":3,"ts":10,"dur":4,"args":{}}]})";
  const auto html = report::page({made.subject, nullptr, trace});
  REQUIRE(html.has_value());
  const Facts page = facts_in(*html);
  const Json &measured = page.at("timeline").at("measured");
  CHECK(page.text(measured.at("rows")[0]) == "device 3");
  CHECK(page.text(measured.at("what")[0]) == "dot");
  CHECK(measured.at("begin_s")[1].get<double>() == doctest::Approx(10e-6));
  CHECK(measured.at("lasts_s")[0].get<double>() == doctest::Approx(4e-6));
  for (const char *wrong : {"", "[]", "{}", "{\"traceEvents\":3}", R"({"traceEvents":[1]})",
                            R"({"traceEvents":[{"ph":"X","ts":"soon"}]})", "\xff"}) {
    CAPTURE(wrong);
    const auto refused = report::page({made.subject, nullptr, std::string_view(wrong)});
    if (std::string_view(wrong).empty())
      CHECK(refused.has_value());
    else
      CHECK(!refused.has_value());
  }
}

} // namespace tw::test_page
