#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/base/bitset.hpp"
#include "glasswood/proofs/largest.hpp"
#include "glasswood/proofs/nearest.hpp"
#include "interruptible.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

using proofs::Pieces;
using proofs::Word;

// So many boxes take some milliseconds; a longer search is worth a thread that listens for Ctrl-C.
constexpr std::size_t few_nodes = 64;

struct NearestOwner {
    // The pieces are needed only while it is made.
    proofs::Nearest search;
};

void construct_pieces(Pieces* self, Array1<std::int64_t> tree_start, Array1<std::int64_t> n_cells,
                      Array1<std::int64_t> limit_start, Array1<std::int32_t> piece, Array1<Word> bits) {
    if (tree_start.size() == 0) throw nb::value_error("tree_start is empty");
    const auto n_pieces = static_cast<std::size_t>(view(tree_start).back());
    check_starts(view(tree_start), tree_start.size() - 1, n_pieces, "tree_start");
    check_starts(view(limit_start), n_cells.size(), piece.size(), "limit_start");
    check_below(view(piece), n_pieces, "piece");
    new (self) Pieces(proofs::make_pieces(view(tree_start), view(n_cells), view(limit_start), view(piece), view(bits)));
}

nb::tuple call_largest(const Pieces& pieces, double start, Array1<double> value, Array1<Word> open, double enough,
                       std::size_t max_nodes, double seconds, std::size_t most_leaves) {
    check_size(value.size(), pieces.n_pieces(), "value");
    check_size(open.size(), pieces.n_words(), "open");
    std::optional<proofs::Largest> search;
    stoppable(pieces.n_pieces() >= stoppable_steps / 64,
              [&] { search.emplace(pieces, proofs::Sum{start, view(value)}, view(open), enough, most_leaves); });
    bool over = false;
    stoppable(false, [&] { over = search->run({std::min(max_nodes, few_nodes), seconds}); });
    if (!over && max_nodes > few_nodes) stoppable(true, [&] { search->run({max_nodes, seconds}); });
    proofs::Found found = search->found();
    return nb::make_tuple(found.value, to_numpy(std::move(found.point)), found.bound, found.n_nodes);
}

void make_nearest(NearestOwner* self, const Pieces& pieces, Array1<double> start, Array2<double> value,
                  Array1<double> least, Array1<double> slack, Array1<Word> open, Array1<double> cost, double reach,
                  std::size_t most_leaves) {
    const std::size_t n = start.size();
    if (n == 0) throw nb::value_error("there must be a goal");
    check_size(value.size(), n * pieces.n_pieces(), "value");
    check_size(least.size(), n, "least");
    check_size(slack.size(), n, "slack");
    check_size(open.size(), pieces.n_words(), "open");
    check_size(cost.size(), pieces.n_cells(), "cost");
    const std::vector<proofs::Sum> sums = proofs::make_sums(view(start), view(value));
    nb::gil_scoped_release release;
    new (self) NearestOwner{
        proofs::Nearest(pieces, sums, to_vector(least), to_vector(slack), view(open), view(cost), reach, most_leaves)};
}

const char* call_run(NearestOwner& self, std::size_t max_nodes, double seconds) {
    proofs::Pause pause{};
    const std::size_t few = self.search.n_nodes() + few_nodes;
    stoppable(false, [&] { pause = self.search.run({std::min(max_nodes, few), seconds}); });
    if (pause == proofs::Pause::limit && max_nodes > few)
        stoppable(true, [&] { pause = self.search.run({max_nodes, seconds}); });
    return pause == proofs::Pause::point ? "point" : pause == proofs::Pause::limit ? "limit" : "end";
}

}  // namespace

void bind_proofs(nb::module_& m) {
    nb::class_<Pieces>(m, "Pieces", "The leaves of every tree as sets of cells of the features.")
        .def("__init__", &construct_pieces, "tree_start"_a, "n_cells"_a, "limit_start"_a, "piece"_a, "bits"_a)
        .def("largest", &call_largest, "start"_a, "value"_a, "open"_a, "enough"_a, "max_nodes"_a, "seconds"_a,
             "most_leaves"_a,
             nb::sig("def largest(self, start: float, value: numpy.typing.NDArray[numpy.float64], open: "
                     "numpy.typing.NDArray[numpy.uint64], enough: float, max_nodes: int, seconds: float, most_leaves: "
                     "int) -> tuple[float, numpy.typing.NDArray[numpy.int32], float, int]"),
             "Largest sum over the points of a domain: value, point, bound and boxes looked at.");
    nb::class_<NearestOwner>(m, "Nearest", "Search for the points that reach all goals, nearest first.")
        .def("__init__", &make_nearest, "pieces"_a, "start"_a, "value"_a, "least"_a, "slack"_a, "open"_a, "cost"_a,
             "reach"_a, "most_leaves"_a)
        .def("run", &call_run, "max_nodes"_a, "seconds"_a, "Search on: 'point', 'limit' or 'end'.")
        .def(
            "answer", [](NearestOwner& self, bool taken) { self.search.answer(taken); }, "taken"_a)
        .def_prop_ro("point", [](const NearestOwner& self) { return to_numpy(self.search.point()); })
        .def_prop_ro("distance", [](const NearestOwner& self) { return self.search.distance(); })
        .def_prop_ro("n_nodes", [](const NearestOwner& self) { return self.search.n_nodes(); });
}

}  // namespace glasswood::bind
