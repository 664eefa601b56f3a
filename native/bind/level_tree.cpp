#include "glasswood/boosting/level_tree.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "boosting.hpp"
#include "glasswood/boosting/grown_tree.hpp"
#include "interruptible.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

using boosting::LevelRecord;
using boosting::LevelTree;
using boosting::SentLevels;
using boosting::SentSplit;

bool is_large(const LevelTreeOwner& self) { return self.n_values >= least_interruptible; }

void check_stage(const LevelTreeOwner& self, LevelTree::Stage wanted, const char* call) {
    constexpr const char* names[] = {"begin", "fill", "scan", "choose", "finish"};
    const LevelTree::Stage stage = self.tree.stage();
    if (stage != wanted) {
        throw nb::value_error(
            (std::string("cannot call ") + call + " now; the next step is " + names[static_cast<int>(stage)]).c_str());
    }
    if (self.n_sets != self.statistics->n_sets) {
        throw nb::value_error("the statistics were set again while the tree was growing");
    }
}

void construct(LevelTreeOwner* self, Bins bins, Array2<std::uint8_t> by_column, const boosting::NodeRules& rules,
               std::size_t rank, std::size_t n_ranks, Wide wide) {
    if (rank >= n_ranks) throw nb::value_error("rank must be less than n_ranks");
    const boosting::BinnedRows rows = rows_of(bins, by_column, rules);
    new (self) LevelTreeOwner(rows, columns_of(wide, rules, rows.n_rows), rules, rank, n_ranks);
}

void begin(LevelTreeOwner& self, const StatisticsOwner& stats, Array1<std::uint32_t> rows,
           Array1<std::uint32_t> columns) {
    check_tree(self, stats, rows, columns);
    if (!std::ranges::is_sorted(view(columns))) throw nb::value_error("columns must ascend");
    if (stats.statistics.are_pairs() && !self.takes_pairs) throw nb::value_error("the rules take no pairs");
    {
        nb::gil_scoped_release release;
        self.tree.begin(stats.statistics.rows(view(rows)), view(columns));
    }
    self.statistics = &stats;
    self.n_sets = stats.n_sets;
    self.n_values = rows.size() * columns.size();
}

nb::object segments(const LevelTreeOwner& self) {
    check_stage(self, LevelTree::Stage::fill, "segments");
    const std::vector<std::size_t> sizes = self.tree.segments();
    return to_numpy(std::vector<std::int64_t>(sizes.begin(), sizes.end()));
}

void fill(LevelTreeOwner& self, Output1<std::int64_t> out, int n_threads) {
    check_stage(self, LevelTree::Stage::fill, "fill");
    const std::vector<std::size_t> sizes = self.tree.segments();
    check_size(out.size(), std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), "out");
    stoppable(is_large(self), [&] { self.tree.fill(writable(out), n_threads); });
}

std::vector<nb::bytes> levels(LevelTreeOwner& self, int n_threads) {
    check_stage(self, LevelTree::Stage::scan, "levels");
    std::vector<std::vector<LevelRecord>> records;
    stoppable(is_large(self), [&] { records = self.tree.levels(n_threads); });
    std::vector<nb::bytes> out;
    std::ranges::transform(records, std::back_inserter(out), [](const std::vector<LevelRecord>& own) {
        return nb::bytes(reinterpret_cast<const char*>(own.data()), own.size() * sizeof(LevelRecord));
    });
    return out;
}

using Levels = std::vector<std::vector<LevelRecord>>;

// What every rank found for this one.
Levels to_levels(const std::vector<nb::bytes>& parts) {
    Levels levels;
    std::ranges::transform(parts, std::back_inserter(levels), [](const nb::bytes& part) {
        if (part.size() % sizeof(LevelRecord) != 0) throw nb::value_error("levels have no whole number of entries");
        std::vector<LevelRecord> own(part.size() / sizeof(LevelRecord));
        if (!own.empty()) std::memcpy(own.data(), part.c_str(), part.size());
        return own;
    });
    return levels;
}

std::vector<SentLevels> check_own(const LevelTreeOwner& self, const Array1<std::int64_t>& own, const Levels& levels,
                                  const char* call) {
    check_stage(self, LevelTree::Stage::scan, call);
    check_size(own.size(), self.tree.segments()[self.tree.rank()], "own");
    std::vector<SentLevels> views(levels.begin(), levels.end());
    const std::string fault = self.tree.fault_of(views);
    if (!fault.empty()) throw nb::value_error(fault.c_str());
    return views;
}

nb::bytes to_bytes(const std::vector<SentSplit>& records) {
    const std::vector<std::byte> bytes = boosting::to_bytes(records);
    return nb::bytes(bytes.data(), bytes.size());
}

nb::bytes scan(LevelTreeOwner& self, Array1<std::int64_t> own, int n_threads, std::vector<nb::bytes> parts) {
    const Levels levels = to_levels(parts);
    const std::vector<SentLevels> views = check_own(self, own, levels, "scan");
    std::vector<SentSplit> records;
    stoppable(is_large(self), [&] { records = self.tree.scan(view(own), views, n_threads); });
    return to_bytes(records);
}

std::vector<SentSplit> to_records(const LevelTreeOwner& self, const nb::bytes& all) {
    std::vector<SentSplit> records;
    const std::span bytes(reinterpret_cast<const std::byte*>(all.c_str()), all.size());
    if (!boosting::read_records(bytes, self.tree.rules().features().n_wide, records)) {
        throw nb::value_error("records have no whole number of entries");
    }
    const std::string fault = self.tree.fault_of(records);
    if (!fault.empty()) throw nb::value_error(fault.c_str());
    return records;
}

std::size_t choose(LevelTreeOwner& self, nb::bytes all, int n_threads) {
    check_stage(self, LevelTree::Stage::choose, "choose");
    const std::vector<SentSplit> records = to_records(self, all);
    std::size_t n_open = 0;
    stoppable(is_large(self), [&] { n_open = self.tree.choose(records, n_threads); });
    return n_open;
}

void read(LevelTreeOwner& self, Array1<std::int64_t> own, int n_threads, std::vector<nb::bytes> parts) {
    const Levels levels = to_levels(parts);
    const std::vector<SentLevels> views = check_own(self, own, levels, "read");
    stoppable(is_large(self), [&] { self.tree.read(view(own), views, n_threads); });
}

std::vector<LevelTree*> check_shared(const std::vector<LevelTreeOwner*>& trees, const char* call) {
    if (trees.empty()) throw nb::value_error("there must be a tree");
    std::vector<LevelTree*> all;
    std::ranges::transform(trees, std::back_inserter(all), [&](LevelTreeOwner* tree) {
        check_stage(*tree, LevelTree::Stage::choose, call);
        if (!tree->is_symmetric) throw nb::value_error("only symmetric trees share their questions");
        return &tree->tree;
    });
    return all;
}

std::vector<nb::bytes> scan_shared(std::vector<LevelTreeOwner*> trees, int n_threads) {
    const std::vector<LevelTree*> all = check_shared(trees, "scan_shared");
    std::vector<std::vector<SentSplit>> records;
    stoppable(is_large(*trees.front()), [&] { records = LevelTree::scan_shared(all, n_threads); });
    std::vector<nb::bytes> out;
    std::ranges::transform(records, std::back_inserter(out), to_bytes);
    return out;
}

std::size_t choose_shared(std::vector<LevelTreeOwner*> trees, std::vector<nb::bytes> given, int n_threads) {
    const std::vector<LevelTree*> all = check_shared(trees, "choose_shared");
    check_size(given.size(), trees.size(), "records");
    std::vector<std::vector<SentSplit>> records;
    std::ranges::transform(trees, given, std::back_inserter(records),
                           [](LevelTreeOwner* tree, const nb::bytes& own) { return to_records(*tree, own); });
    const auto place = [](const SentSplit& record) { return std::pair(record.node, record.feature); };
    const auto is_like_first = [&](const std::vector<SentSplit>& own) {
        return std::ranges::equal(records.front(), own, {}, place, place);
    };
    if (!std::ranges::all_of(records, is_like_first)) throw nb::value_error("the trees do not share their questions");
    std::size_t n_open = 0;
    stoppable(is_large(*trees.front()), [&] { n_open = LevelTree::choose_shared(all, records, n_threads); });
    return n_open;
}

nb::object leaf_sums(const LevelTreeOwner& self, int n_threads) {
    check_stage(self, LevelTree::Stage::finish, "leaf_sums");
    std::vector<std::int64_t> sums;
    stoppable(is_large(self), [&] { sums = self.tree.leaf_sums(n_threads); });
    return to_numpy(std::move(sums));
}

boosting::GrownTree finish(LevelTreeOwner& self, Array1<std::int64_t> leaf_sums) {
    check_stage(self, LevelTree::Stage::finish, "finish");
    check_size(leaf_sums.size(), self.tree.n_leaf_sums(), "leaf_sums");
    nb::gil_scoped_release release;
    return boosting::finish(self.tree.finish(view(leaf_sums)));
}

}  // namespace

void bind_level_tree(nb::module_& m) {
    nb::class_<LevelTreeOwner>(m, "LevelTree",
                               "Grows trees level by level on the rows of one rank of several that share a table.")
        .def("__init__", &construct, "bins"_a, "by_column"_a, "rules"_a, "rank"_a, "n_ranks"_a,
             "wide"_a.noconvert() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 7>())
        .def("begin", &begin, "stats"_a, "rows"_a, "columns"_a, nb::keep_alive<1, 2>(),
             "Open the root. The statistics must stay as they are until the tree is finished.")
        .def("segments", &segments, nb::sig("def segments(self) -> numpy.typing.NDArray[numpy.int64]"),
             "Numbers in each rank's block of this level.")
        .def("fill", &fill, "out"_a, "n_threads"_a, "Write the sums of the rows here, block by block.")
        .def("levels", &levels, "n_threads"_a,
             "For each rank the levels that the rows here have of its wide categories; empty if there are none.")
        .def("scan", &scan, "own"_a, "n_threads"_a, "levels"_a = nb::list(),
             "Read this rank's block, added up over all ranks, and what each rank found of its `levels`; returns the "
             "splits that may be the best, as records.")
        .def("choose", &choose, "records"_a, "n_threads"_a,
             "Split the nodes by the records of all ranks, in any order; 0 when no node is left open.")
        .def("read", &read, "own"_a, "n_threads"_a, "levels"_a = nb::list(),
             "Read this rank's block, added up over all ranks, instead of `scan`; `scan_shared` follows.")
        .def("leaf_sums", &leaf_sums, "n_threads"_a,
             nb::sig("def leaf_sums(self, n_threads: int) -> numpy.typing.NDArray[numpy.int64]"),
             "Sums to be added up over all ranks before `finish`; none where statistics are exact.")
        .def("finish", &finish, "leaf_sums"_a, "The tree, the same on every rank except for the rows of its leaves.");
    m.def("scan_shared", &scan_shared, "trees"_a, "n_threads"_a,
          "Scan the trees of all outputs, which share their questions: the records of each tree.");
    m.def("choose_shared", &choose_shared, "trees"_a, "records"_a, "n_threads"_a,
          "Split the nodes of trees that share their questions by the records of all ranks, those of each tree in the "
          "same order of ranks; 0 when no node is left open.");
}

}  // namespace glasswood::bind
