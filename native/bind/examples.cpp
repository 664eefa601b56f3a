#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/examples/leaf_index.hpp"
#include "interruptible.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

// A search over at least so many leaves is worth a thread that listens for Ctrl-C: each may hold thousands of rows.
constexpr std::size_t min_stoppable_leaves = 1024;

examples::ReachedLeaves reached(const Array2<std::int32_t>& leaf) { return {view(leaf), leaf.shape(0), leaf.shape(1)}; }

examples::RowMass mass_of(const Array2<std::int32_t>& leaf, const Array1<double>& weight,
                          const Array2<std::uint32_t>& copies) {
    if (weight.size() != 0 && weight.size() != leaf.shape(0)) throw nb::value_error("weight and leaf differ in rows");
    if (copies.size() != 0 && copies.size() != leaf.size()) throw nb::value_error("copies and leaf differ in shape");
    return {view(weight), view(copies)};
}

void call_count(Array2<std::int32_t> leaf, Array1<double> weight, Array2<std::uint32_t> copies,
                Output1<std::int64_t> n_rows, Output1<std::int64_t> n_entries, Output1<std::int64_t> mass, double unit,
                int n_threads) {
    const examples::RowMass counted = mass_of(leaf, weight, copies);
    if (n_rows.size() != mass.size() || n_entries.size() != mass.size())
        throw nb::value_error("n_rows, n_entries and mass differ in length");
    check_below(view(leaf), mass.size(), "leaf");
    const bool is_one = n_rows.data() == n_entries.data() || n_rows.data() == mass.data();
    const bool are_all_one = n_rows.data() == n_entries.data() && n_rows.data() == mass.data();
    if (is_one && (!are_all_one || weight.size() != 0 || copies.size() != 0)) {
        throw nb::value_error("n_rows, n_entries and mass may be one array only where every row counts 1");
    }
    stoppable(leaf.size() >= stoppable_steps, [&] {
        examples::count_leaf_rows(reached(leaf), counted, unit, n_threads,
                                  {writable(n_rows), writable(n_entries), writable(mass)});
    });
}

void call_fill(Array2<std::int32_t> leaf, Array1<double> weight, Array2<std::uint32_t> copies, std::uint32_t first_row,
               Output1<std::int64_t> next, Output1<std::uint32_t> row, int n_threads) {
    const examples::RowMass counted = mass_of(leaf, weight, copies);
    check_below(view(leaf), next.size(), "leaf");
    stoppable(leaf.size() >= stoppable_steps, [&] {
        examples::fill_leaf_rows(reached(leaf), counted, first_row, n_threads, writable(next), writable(row));
    });
}

examples::LeafIndex index_of(const Array2<std::int32_t>& leaf, const Array1<std::int64_t>& start,
                             const Array1<std::uint32_t>& row, const Array1<double>& unit,
                             const Array1<double>& tree_weight, const Array1<double>& row_weight, std::size_t n_rows,
                             const Array1<double>& total) {
    check_size_if_given(total.size(), leaf.shape(0), "total");
    check_starts(view(start), unit.size(), row.size(), "start");
    check_below(view(leaf), unit.size(), "leaf");
    check_below(view(row), n_rows, "row");
    if (tree_weight.size() != leaf.shape(1)) throw nb::value_error("tree_weight and leaf differ in trees");
    if (row_weight.size() != 0 && row_weight.size() != n_rows) throw nb::value_error("row_weight has a wrong length");
    return {view(start), view(row), view(unit), view(tree_weight), view(row_weight), n_rows, view(total)};
}

nb::tuple call_nearest(Array2<std::int32_t> leaf, Array1<std::int64_t> start, Array1<std::uint32_t> row,
                       Array1<double> unit, Array1<double> tree_weight, Array1<double> row_weight, std::size_t n_rows,
                       std::size_t k, Array1<double> total, int n_threads) {
    const examples::LeafIndex index = index_of(leaf, start, row, unit, tree_weight, row_weight, n_rows, total);
    const std::size_t n_queries = leaf.shape(0);
    std::vector<std::int64_t> found(n_queries * k);
    std::vector<double> similarity(n_queries * k);
    stoppable(leaf.size() >= min_stoppable_leaves,
              [&] { examples::nearest_rows(reached(leaf), index, k, n_threads, found, similarity); });
    return nb::make_tuple(to_numpy(std::move(found), {n_queries, k}), to_numpy(std::move(similarity), {n_queries, k}));
}

nb::tuple call_similar(Array2<std::int32_t> leaf, Array1<std::int64_t> start, Array1<std::uint32_t> row,
                       Array1<double> unit, Array1<double> tree_weight, Array1<double> row_weight, std::size_t n_rows,
                       Array1<double> total, int n_threads) {
    const examples::LeafIndex index = index_of(leaf, start, row, unit, tree_weight, row_weight, n_rows, total);
    examples::SimilarRows found;
    stoppable(leaf.size() >= min_stoppable_leaves,
              [&] { found = examples::similar_rows(reached(leaf), index, n_threads); });
    return nb::make_tuple(to_numpy(std::move(found.count)), to_numpy(std::move(found.row)),
                          to_numpy(std::move(found.similarity)));
}

}  // namespace

void bind_examples(nb::module_& m) {
    m.def("count_leaf_rows", &call_count, "leaf"_a, "weight"_a, "copies"_a, "n_rows"_a, "n_entries"_a, "mass"_a,
          "unit"_a, "n_threads"_a,
          nb::sig("def count_leaf_rows(leaf: numpy.typing.NDArray[numpy.int32], weight: "
                  "numpy.typing.NDArray[numpy.float64], copies: numpy.typing.NDArray[numpy.uint32], n_rows: "
                  "numpy.typing.NDArray[numpy.int64], n_entries: numpy.typing.NDArray[numpy.int64], mass: "
                  "numpy.typing.NDArray[numpy.int64], unit: float, n_threads: int) -> None"),
          "Add rows to the counts of the leaves they reach.");
    m.def("fill_leaf_rows", &call_fill, "leaf"_a, "weight"_a, "copies"_a, "first_row"_a, "next"_a, "row"_a,
          "n_threads"_a,
          nb::sig("def fill_leaf_rows(leaf: numpy.typing.NDArray[numpy.int32], weight: "
                  "numpy.typing.NDArray[numpy.float64], copies: numpy.typing.NDArray[numpy.uint32], first_row: int, "
                  "next: numpy.typing.NDArray[numpy.int64], row: numpy.typing.NDArray[numpy.uint32], n_threads: int) "
                  "-> None"),
          "Write row numbers into the lists of the leaves they reach.");
    m.def("nearest_rows", &call_nearest, "leaf"_a, "start"_a, "row"_a, "unit"_a, "tree_weight"_a, "row_weight"_a,
          "n_rows"_a, "k"_a, "total"_a, "n_threads"_a,
          nb::sig("def nearest_rows(leaf: numpy.typing.NDArray[numpy.int32], start: "
                  "numpy.typing.NDArray[numpy.int64], row: numpy.typing.NDArray[numpy.uint32], unit: "
                  "numpy.typing.NDArray[numpy.float64], tree_weight: numpy.typing.NDArray[numpy.float64], row_weight: "
                  "numpy.typing.NDArray[numpy.float64], n_rows: int, k: int, total: "
                  "numpy.typing.NDArray[numpy.float64], n_threads: int) -> "
                  "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64]]"),
          "The k most similar rows of every query and their similarity, (n_queries, k) each; -1 and 0 where there is "
          "none. `total`, if not empty, is what the sums of each query are divided by.");
    m.def("similar_rows", &call_similar, "leaf"_a, "start"_a, "row"_a, "unit"_a, "tree_weight"_a, "row_weight"_a,
          "n_rows"_a, "total"_a, "n_threads"_a,
          nb::sig("def similar_rows(leaf: numpy.typing.NDArray[numpy.int32], start: "
                  "numpy.typing.NDArray[numpy.int64], row: numpy.typing.NDArray[numpy.uint32], unit: "
                  "numpy.typing.NDArray[numpy.float64], tree_weight: numpy.typing.NDArray[numpy.float64], row_weight: "
                  "numpy.typing.NDArray[numpy.float64], n_rows: int, total: numpy.typing.NDArray[numpy.float64], "
                  "n_threads: int) -> "
                  "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], "
                  "numpy.typing.NDArray[numpy.float64]]"),
          "Every row that shares a leaf with a query: how many per query, their numbers, their similarity.");
}

}  // namespace glasswood::bind
