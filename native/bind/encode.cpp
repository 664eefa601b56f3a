#include "glasswood/encode.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "rooms.hpp"
#include "rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood {
namespace {

using Thresholds = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>>;

Codes encode(nb::object column, Thresholds thresholds, std::int32_t n_levels, bool zero_is_missing) {
    const std::size_t n_cells = n_levels > 0 ? static_cast<std::size_t>(n_levels) : thresholds.size();
    nb::list columns;
    columns.append(column);
    const FeatureKind kind = n_levels > 0 ? FeatureKind::category : FeatureKind::number;
    const RowsArgument table(columns, {&kind, 1});
    const Rows rows = table.rows();
    auto* out = new std::uint32_t[rows.n_rows];
    nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<std::uint32_t*>(p); });
    {
        nb::gil_scoped_release release;
        const std::uint8_t zero = zero_is_missing ? 1 : 0;
        const Grid grid{{0, static_cast<std::int64_t>(thresholds.size())},
                        {thresholds.data(), thresholds.data() + thresholds.size()}};
        const Encoder encoder(grid, {&n_levels, 1}, {&zero, 1});
        if (encoder.encode(0, rows.columns[0], 0, rows.n_rows, out)) {
            encoder.write_missing(0, rows.columns[0], 0, rows.n_rows, static_cast<std::uint32_t>(n_cells + 1), out);
        }
    }
    return Codes(out, {rows.n_rows}, owner);
}

}  // namespace

void bind_encode(nb::module_& m) {
    m.def("encode", &encode, "column"_a, "thresholds"_a, "n_levels"_a = 0, "zero_is_missing"_a = false,
          "Codes of one feature: the number of the ascending distinct `thresholds` below each value, or the "
          "level of a\n"
          "category (n_levels if unseen); one more than the largest code if missing.");
}

}  // namespace glasswood
