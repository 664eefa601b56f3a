#include "glasswood/boosting/shared_grower.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
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

using boosting::SharedGrower;

void construct(SharedGrower* self, const boosting::Grower& like, std::size_t n_outputs) {
    if (!like.rules().options().is_symmetric) throw nb::value_error("only symmetric trees share their questions");
    if (n_outputs == 0) throw nb::value_error("n_outputs must be at least 1");
    new (self) SharedGrower(like, n_outputs);
}

std::vector<boosting::GrownTree> grow(SharedGrower& grower, std::vector<const StatisticsOwner*> statistics,
                                      Array1<std::uint32_t> rows, Array1<std::uint32_t> columns, int n_threads) {
    check_size(statistics.size(), grower.n_outputs(), "statistics");
    if (rows.size() == 0) throw nb::value_error("a tree needs at least one row");
    std::vector<boosting::TreeRows> outputs;
    std::ranges::transform(statistics, std::back_inserter(outputs), [&](const StatisticsOwner* own) {
        check_tree(grower, *own, rows, columns);
        boosting::TreeRows output = own->statistics.rows(view(rows));
        if (output.stats.wide.empty()) throw nb::value_error("trees share their questions by exact statistics");
        return output;
    });
    std::vector<boosting::GrownTree> trees;
    interruptible_if(rows.size() * columns.size() * outputs.size() >= least_interruptible,
                     [&](const base::Interrupt& interrupt) {
                         const auto grown = grower.grow(outputs, view(columns), n_threads, interrupt);
                         std::ranges::transform(grown, std::back_inserter(trees), boosting::finish);
                     });
    return trees;
}

}  // namespace

void bind_shared_grower(nb::module_& m) {
    nb::class_<SharedGrower>(m, "SharedGrower",
                             "Grows the symmetric trees of all outputs, which share their questions.")
        .def("__init__", &construct, "like"_a, "n_outputs"_a, nb::keep_alive<1, 2>(),
             "On the table of another grower and by its rules.")
        .def("grow", &grow, "statistics"_a, "rows"_a, "columns"_a, "n_threads"_a, "A tree for each of the statistics.");
}

}  // namespace glasswood::bind
