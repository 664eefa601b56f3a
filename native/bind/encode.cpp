#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/table/encoder.hpp"
#include "rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

nb::object call_encode(nb::object column, Array1<double> thresholds, std::int32_t n_levels, bool zero_is_missing) {
    const std::size_t n_cells = n_levels > 0 ? static_cast<std::size_t>(n_levels) : thresholds.size();
    nb::list columns;
    columns.append(column);
    const table::FeatureKind kind = n_levels > 0 ? table::FeatureKind::category : table::FeatureKind::number;
    const RowsArgument table(columns, {&kind, 1});
    const table::Rows rows = table.rows();
    std::vector<std::uint32_t> out(rows.n_rows);
    {
        nb::gil_scoped_release release;
        const std::uint8_t zero = zero_is_missing ? 1 : 0;
        const table::Grid grid{{0, static_cast<std::int64_t>(thresholds.size())},
                               {thresholds.data(), thresholds.data() + thresholds.size()}};
        const table::Encoder encoder(grid, {&n_levels, 1}, {&zero, 1});
        if (encoder.encode(0, rows.columns[0], 0, rows.n_rows, out.data())) {
            encoder.write_missing(0, rows.columns[0], 0, rows.n_rows, static_cast<std::uint32_t>(n_cells + 1),
                                  out.data());
        }
    }
    return to_numpy(std::move(out));
}

}  // namespace

void bind_encode(nb::module_& m) {
    m.def("encode", &call_encode, "column"_a, "thresholds"_a, "n_levels"_a = 0, "zero_is_missing"_a = false,
          nb::sig("def encode(column: object, thresholds: numpy.typing.NDArray[numpy.float64], n_levels: int = 0, "
                  "zero_is_missing: bool = False) -> numpy.typing.NDArray[numpy.uint32]"),
          "Codes of one feature: the number of the ascending distinct `thresholds` below each value, or the "
          "level of a\n"
          "category (n_levels if unseen); one more than the largest code if missing.");
}

}  // namespace glasswood::bind
