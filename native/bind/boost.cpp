#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/base/row_choice.hpp"
#include "glasswood/boosting/grown_tree.hpp"
#include "glasswood/boosting/loss.hpp"
#include "glasswood/boosting/row_statistics.hpp"
#include "glasswood/boosting/tree_grower.hpp"
#include "interruptible.hpp"
#include "names.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

using namespace boosting;

using Bins = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::device::cpu>;

boosting::BinnedRows rows_of(const Bins& bins) {
    const std::size_t stride =
        bins.shape(0) > 1 ? static_cast<std::size_t>(bins.stride(0)) : boosting::stride_of(bins.shape(1));
    if (stride != boosting::stride_of(bins.shape(1)) || (bins.shape(1) > 1 && bins.stride(1) != 1)) {
        throw nb::value_error("bins must come from bin_rows");
    }
    return {bins.data(), bins.shape(0), bins.shape(1), stride, nullptr};
}

// The statistics with the arrays they borrow.
struct StatisticsOwner {
    explicit StatisticsOwner(bool exact) : statistics(exact) {}

    boosting::RowStatistics statistics;
    Array1<double> grad, hess, weight;
};

void call_set(StatisticsOwner& self, Array1<double> grad, Array1<double> hess, Array1<double> weight,
              Array1<std::int64_t> number, std::uint64_t seed, std::uint64_t stream, int n_threads) {
    check_size(hess.size(), grad.size(), "hess");
    check_size_if_given(weight.size(), grad.size(), "weight");
    check_size_if_given(number.size(), grad.size(), "number");
    {
        nb::gil_scoped_release release;
        self.statistics.set(view(grad), view(hess), view(weight), base::RowKeys(seed, stream), view(number), n_threads);
    }
    self.grad = std::move(grad);
    self.hess = std::move(hess);
    self.weight = std::move(weight);
}

// softmax finds the output of a row by its target.
void check_classes(std::span<const double> y, std::size_t n_outputs) {
    const auto is_class = [&](double k) { return k >= 0.0 && k < static_cast<double>(n_outputs); };
    if (!std::ranges::all_of(y, is_class)) throw nb::value_error("y must hold numbers of classes, from 0");
}

// A byte holds the bin of a number, missing included, or of a level, missing and unseen included.
constexpr std::uint16_t most_bins = 255;

void construct(boosting::Grower* self, Bins bins, Array2<std::uint8_t> by_column, Array1<std::uint16_t> n_bins,
               Array1<bool> is_category, Array1<std::int32_t> monotone,
               std::vector<std::vector<std::uint32_t>> together, const std::string& gain, double l2, double power,
               double largest_step, double rho, double min_weight_leaf, double min_gain, std::uint32_t max_depth,
               std::uint32_t max_leaf_nodes, std::uint32_t min_samples_leaf) {
    boosting::BinnedRows rows = rows_of(bins);
    if (by_column.shape(0) != rows.n_features || by_column.shape(1) != rows.n_rows) {
        throw nb::value_error("bins by row and by column differ in shape");
    }
    check_size(n_bins.size(), rows.n_features, "n_bins");
    check_size(is_category.size(), rows.n_features, "is_category");
    check_size(monotone.size(), rows.n_features, "monotone");
    check_size_if_given(together.size(), rows.n_features, "together");
    check_below(view(n_bins), most_bins + 1, "n_bins");
    check_at_least(l2, 0.0, "l2");
    check_at_least(rho, 0.0, "rho");
    check_at_least(min_weight_leaf, 0.0, "min_weight_leaf");
    check_at_least(min_gain, 0.0, "min_gain");
    const auto category = bytes(is_category);
    boosting::BinnedFeatures features{{n_bins.data(), n_bins.data() + n_bins.size()},
                                      {category.begin(), category.end()},
                                      {monotone.data(), monotone.data() + monotone.size()},
                                      std::move(together)};
    rows.columns = by_column.data();
    new (self) boosting::Grower(rows, std::move(features),
                                {gain_names.find(gain),
                                 {l2, power, largest_step},
                                 rho,
                                 min_weight_leaf,
                                 min_gain,
                                 max_depth,
                                 max_leaf_nodes,
                                 min_samples_leaf});
}

// A tree on a large table takes long enough for somebody to lose patience.
constexpr std::size_t least_interruptible = std::size_t{1} << 22;  // values

boosting::GrownTree grow(boosting::Grower& grower, const StatisticsOwner& stats, Array1<std::uint32_t> rows,
                         Array1<std::uint32_t> columns, int n_threads) {
    check_size(stats.statistics.n_rows(), grower.bins().n_rows, "stats");
    if (rows.size() == 0) throw nb::value_error("a tree needs at least one row");
    check_below(view(rows), grower.bins().n_rows, "rows");
    check_below(view(columns), grower.bins().n_features, "columns");
    boosting::GrownTree tree;
    const auto work = [&](const base::Interrupt& interrupt) {
        tree = boosting::finish(grower.grow(stats.statistics.rows(view(rows)), view(columns), n_threads, interrupt));
    };
    if (rows.size() * columns.size() >= least_interruptible) {
        interruptible(work);
    } else {
        nb::gil_scoped_release release;
        work(base::Interrupt());
    }
    return tree;
}

void check_grown(const boosting::GrownTree& tree, const boosting::Grower& grower) {
    if (tree.end.front() != grower.rows().size()) throw nb::value_error("the tree is not the grower's last one");
}

void renew(boosting::GrownTree& tree, const boosting::Grower& grower, Array1<double> y, Array1<double> raw,
           Array1<double> weight, double alpha, int n_threads) {
    check_grown(tree, grower);
    check_size(y.size(), grower.bins().n_rows, "y");
    check_size(raw.size(), grower.bins().n_rows, "raw");
    check_size_if_given(weight.size(), grower.bins().n_rows, "weight");
    check_between(alpha, 0.0, 1.0, "alpha");
    nb::gil_scoped_release release;
    boosting::renew_values(tree, grower.rows(), view(y), view(raw), view(weight), alpha, n_threads);
}

void add_to_grown(const boosting::GrownTree& tree, const boosting::Grower& grower, Output1<double> raw, int n_threads) {
    check_grown(tree, grower);
    check_size(raw.size(), grower.bins().n_rows, "raw");
    nb::gil_scoped_release release;
    boosting::add_grown(tree, grower.rows(), n_threads, writable(raw));
}

void add_to_rows(const boosting::GrownTree& tree, Bins bins, Array1<std::uint32_t> rows, Output1<double> raw,
                 int n_threads) {
    const boosting::BinnedRows binned = rows_of(bins);
    check_size(raw.size(), binned.n_rows, "raw");
    check_below(view(rows), binned.n_rows, "rows");
    if (std::cmp_greater_equal(std::ranges::max(tree.feature), binned.n_features)) {
        throw nb::value_error("the tree splits features that bins do not have");
    }
    nb::gil_scoped_release release;
    boosting::add_walking(tree, binned, view(rows), n_threads, writable(raw));
}

nb::dict arrays(const boosting::GrownTree& tree) {
    const std::size_t n = tree.n_nodes();
    const auto* words = tree.left_set.data()->data();
    nb::dict out;
    out["feature"] = to_numpy(std::vector(tree.feature));
    out["bin"] = to_numpy(std::vector(tree.bin));
    out["left_set"] = to_numpy(std::vector<std::uint64_t>(words, words + 4 * n), {n, 4});
    out["left"] = to_numpy(std::vector(tree.left));
    out["right"] = to_numpy(std::vector(tree.right));
    out["missing_left"] = to_numpy(std::vector(tree.missing_left));
    out["unseen_left"] = to_numpy(std::vector(tree.unseen_left));
    out["value"] = to_numpy(std::vector(tree.value));
    out["weight"] = to_numpy(std::vector(tree.weight));
    out["gain"] = to_numpy(std::vector(tree.gain));
    return out;
}

boosting::Loss loss_of(const std::string& name, double parameter) {
    const boosting::LossKind kind = loss_names.find(name);
    if (kind == boosting::LossKind::quantile) check_between(parameter, 0.0, 1.0, "alpha");
    if (kind == boosting::LossKind::tweedie) check_between(parameter, 1.0, 2.0, "power");
    return {kind, parameter};
}

boosting::Fitted fitted(boosting::LossKind kind, const Array1<double>& y, const Array2<double>& raw,
                        const Array1<double>& weight) {
    check_size(raw.shape(1), y.size(), "a row of raw");
    check_size_if_given(weight.size(), y.size(), "weight");
    if (kind == boosting::LossKind::softmax) {
        check_classes(view(y), raw.shape(0));
    } else {
        check_size(raw.shape(0), 1, "raw of a loss with one output");
    }
    return {view(y), view(raw), view(weight), raw.shape(0)};
}

void fill_gradients(const std::string& loss, double parameter, Array1<double> y, Array2<double> raw,
                    Array1<double> weight, Output2<double> grad, Output2<double> hess, int n_threads) {
    const boosting::Loss wanted = loss_of(loss, parameter);
    const boosting::Fitted at = fitted(wanted.kind, y, raw, weight);
    if (grad.size() != raw.size() || hess.size() != raw.size()) throw nb::value_error("grad and hess must be like raw");
    nb::gil_scoped_release release;
    boosting::gradients(wanted, at, n_threads, {grad.data(), grad.size()}, {hess.data(), hess.size()});
}

double loss_mean(const std::string& loss, double parameter, Array1<double> y, Array2<double> raw, Array1<double> weight,
                 int n_threads) {
    const boosting::Loss wanted = loss_of(loss, parameter);
    const boosting::Fitted at = fitted(wanted.kind, y, raw, weight);
    nb::gil_scoped_release release;
    return boosting::mean_loss(wanted, at, n_threads);
}

nb::tuple draw(Array1<std::uint32_t> rows, Array1<std::int64_t> number, std::size_t n, std::uint64_t seed,
               std::uint64_t stream) {
    if (n > rows.size()) throw nb::value_error("more rows asked for than there are");
    if (number.size() != 0 && !base::all_below(view(rows), number.size())) {
        throw nb::value_error("number has no entry for a row");
    }
    std::vector<std::uint32_t> drawn;
    std::vector<std::uint32_t> left_out;
    {
        nb::gil_scoped_release release;
        base::choose_rows(view(rows), view(number), n, seed, stream, drawn, left_out);
    }
    return nb::make_tuple(to_numpy(std::move(drawn)), to_numpy(std::move(left_out)));
}

}  // namespace

void bind_boost(nb::module_& m) {
    m.def("gain_names", [] { return gain_names.tuple(); }, nb::sig("def gain_names() -> tuple[str, ...]"));
    m.def("loss_names", [] { return loss_names.tuple(); }, nb::sig("def loss_names() -> tuple[str, ...]"));
    nb::class_<StatisticsOwner>(
        m, "RowStatistics",
        "Gradients of every row as integers, for histograms: exact ones of 64 bits or quantised ones of 17.")
        .def(nb::init<bool>(), "exact"_a)
        .def("set", &call_set, "grad"_a, "hess"_a, "weight"_a, "number"_a, "seed"_a, "stream"_a, "n_threads"_a,
             "Read gradients, which must live until the tree is grown; seed and stream decide how they are rounded.");
    nb::class_<boosting::Grower>(m, "Grower", "Grows one tree after the other on binned rows.")
        .def("__init__", &construct, "bins"_a, "by_column"_a, "n_bins"_a, "is_category"_a, "monotone"_a, "together"_a,
             "gain"_a, "l2"_a, "power"_a, "largest_step"_a, "rho"_a, "min_weight_leaf"_a, "min_gain"_a, "max_depth"_a,
             "max_leaf_nodes"_a, "min_samples_leaf"_a = 1, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("grow", &grow, "stats"_a, "rows"_a, "columns"_a, "n_threads"_a);
    nb::class_<boosting::GrownTree>(m, "GrownTree", "A finished tree on bins.")
        .def("renew", &renew, "grower"_a, "y"_a, "raw"_a, "weight"_a, "alpha"_a, "n_threads"_a,
             "Replace the values of leaves by the weighted lower quantile of their residuals.")
        .def("scale", &boosting::scale_values, "factor"_a)
        .def("add_to_grown", &add_to_grown, "grower"_a, "raw"_a, "n_threads"_a,
             "Add the values to the rows of the grower's last tree, which must be this one.")
        .def("add_to_rows", &add_to_rows, "bins"_a, "rows"_a, "raw"_a, "n_threads"_a,
             "Add the values to rows that walk down the tree.")
        .def("arrays", &arrays, nb::sig("def arrays(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
             "The nodes, breadth first.");
    m.def("fill_gradients", &fill_gradients, "loss"_a, "parameter"_a, "y"_a, "raw"_a, "weight"_a, "grad"_a, "hess"_a,
          "n_threads"_a, "Gradient and hessian of the loss, (n_outputs, n), times the weight.");
    m.def("mean_loss", &loss_mean, "loss"_a, "parameter"_a, "y"_a, "raw"_a, "weight"_a, "n_threads"_a,
          "Weighted mean of the loss.");
    m.def(
        "choose_rows", &draw, "rows"_a, "number"_a, "n"_a, "seed"_a, "stream"_a,
        nb::sig("def choose_rows(rows: numpy.typing.NDArray[numpy.uint32], number: "
                "numpy.typing.NDArray[numpy.int64], n: int, seed: int, stream: int) -> "
                "tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32]]"),
        "Draw n of the rows without replacement: those drawn and those left out, in their order. The keys are those of "
        "number[row], or of the rows themselves where number is empty.");
}

}  // namespace glasswood::bind
