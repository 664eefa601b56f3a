#include "glasswood/boost.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "arrays.hpp"
#include "glasswood/grown.hpp"
#include "glasswood/loss.hpp"
#include "glasswood/pages.hpp"
#include "interruptible.hpp"
#include "rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood {
namespace {

using namespace boosting;

template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out2 = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Bins = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::device::cpu>;

BinnedRows rows_of(const Bins& bins) {
    const std::size_t stride = bins.shape(0) > 1 ? static_cast<std::size_t>(bins.stride(0)) : stride_of(bins.shape(1));
    if (stride != stride_of(bins.shape(1)) || (bins.shape(1) > 1 && bins.stride(1) != 1)) {
        throw nb::value_error("bins must come from bin_rows");
    }
    return {bins.data(), bins.shape(0), bins.shape(1), stride, nullptr};
}

// Statistics of every row, in memory that is used again round after round.
class RowStatistics {
 public:
    explicit RowStatistics(bool exact) : exact_(exact) {}

    void set(Array1<double> grad, Array1<double> hess, Array1<double> weight, std::uint64_t seed, std::uint64_t stream,
             int n_threads) {
        if (hess.size() != grad.size() || (weight.size() != 0 && weight.size() != grad.size())) {
            throw nb::value_error("grad, hess and weight differ in length");
        }
        grad_ = grad;
        hess_ = hess;
        weight_ = weight;
        nb::gil_scoped_release release;
        const std::size_t n = grad.size();
        if (n > room_) {
            room_ = n;
            (exact_ ? wide_ = make_pages<Sums>(n), 0 : (narrow_ = make_pages<Narrow>(n), 0));
        }
        unit_ = exact_ ? to_fixed_point(view(grad), view(hess), view(weight), n_threads, {wide_.get(), n})
                       : to_integers(view(grad), view(hess), view(weight), seed, stream, n_threads, {narrow_.get(), n});
    }

    std::size_t n_rows() const { return grad_.size(); }

    TreeRows rows(std::span<const std::uint32_t> rows) const {
        RowStats stats{{}, {}, unit_};
        if (exact_) {
            stats.wide = {wide_.get(), n_rows()};
        } else {
            stats.narrow = {narrow_.get(), n_rows()};
        }
        return {stats, view(grad_), view(hess_), view(weight_), rows};
    }

 private:
    bool exact_;
    Array1<double> grad_, hess_, weight_;
    std::size_t room_ = 0;
    Pages<Sums> wide_;
    Pages<Narrow> narrow_;
    NodeSums unit_{};
};

void construct(Grower* self, Bins bins, Array2<std::uint8_t> by_column, Array1<std::uint16_t> n_bins,
               Array1<bool> is_category, Array1<std::int32_t> monotone,
               std::vector<std::vector<std::uint32_t>> together, int gain, double l2, double rho,
               double min_weight_leaf, double min_gain, std::uint32_t max_depth, std::uint32_t max_leaf_nodes) {
    const auto category = bytes(is_category);
    BinnedFeatures features{{n_bins.data(), n_bins.data() + n_bins.size()},
                            {category.begin(), category.end()},
                            {monotone.data(), monotone.data() + monotone.size()},
                            std::move(together)};
    BinnedRows rows = rows_of(bins);
    if (by_column.shape(0) != rows.n_features || by_column.shape(1) != rows.n_rows) {
        throw nb::value_error("bins by row and by column differ in shape");
    }
    rows.columns = by_column.data();
    new (self) Grower(rows, std::move(features),
                      {static_cast<GainKind>(gain), l2, rho, min_weight_leaf, min_gain, max_depth, max_leaf_nodes});
}

// A tree on a large table takes long enough for somebody to lose patience.
constexpr std::size_t least_interruptible = std::size_t{1} << 22;  // values

GrownTree grow(Grower& grower, const RowStatistics& stats, Array1<std::uint32_t> rows, Array1<std::uint32_t> columns,
               int n_threads) {
    if (stats.n_rows() != grower.bins().n_rows) throw nb::value_error("statistics and bins differ in rows");
    GrownTree tree;
    const auto work = [&](const Interrupt& interrupt) {
        tree = finish(grower.grow(stats.rows(view(rows)), view(columns), n_threads, interrupt));
    };
    if (rows.size() * columns.size() >= least_interruptible) {
        interruptible(work);
    } else {
        nb::gil_scoped_release release;
        work(Interrupt());
    }
    return tree;
}

void renew(GrownTree& tree, const Grower& grower, Array1<double> y, Array1<double> raw, Array1<double> weight,
           double alpha, int n_threads) {
    nb::gil_scoped_release release;
    renew_values(tree, grower.rows(), view(y), view(raw), view(weight), alpha, n_threads);
}

void add_to_grown(const GrownTree& tree, const Grower& grower, Out<double> raw, int n_threads) {
    nb::gil_scoped_release release;
    add_grown(tree, grower.rows(), n_threads, {raw.data(), raw.size()});
}

void add_to_rows(const GrownTree& tree, Bins bins, Array1<std::uint32_t> rows, Out<double> raw, int n_threads) {
    nb::gil_scoped_release release;
    add_walking(tree, rows_of(bins), view(rows), n_threads, {raw.data(), raw.size()});
}

nb::dict arrays(const GrownTree& tree) {
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

Fitted fitted(const Array1<double>& y, const Array2<double>& raw, const Array1<double>& weight) {
    if (raw.shape(1) != y.size() || (weight.size() != 0 && weight.size() != y.size())) {
        throw nb::value_error("y, raw and weight differ in rows");
    }
    return {view(y), view(raw), view(weight), raw.shape(0)};
}

void fill_gradients(int loss, double parameter, Array1<double> y, Array2<double> raw, Array1<double> weight,
                    Out2<double> grad, Out2<double> hess, int n_threads) {
    const Fitted at = fitted(y, raw, weight);
    if (grad.size() != raw.size() || hess.size() != raw.size()) throw nb::value_error("grad and hess must be like raw");
    nb::gil_scoped_release release;
    gradients({static_cast<LossKind>(loss), parameter}, at, n_threads, {grad.data(), grad.size()},
              {hess.data(), hess.size()});
}

double loss_mean(int loss, double parameter, Array1<double> y, Array2<double> raw, Array1<double> weight,
                 int n_threads) {
    const Fitted at = fitted(y, raw, weight);
    nb::gil_scoped_release release;
    return mean_loss({static_cast<LossKind>(loss), parameter}, at, n_threads);
}

nb::tuple draw(Array1<std::uint32_t> rows, std::size_t n, std::uint64_t seed, std::uint64_t stream) {
    if (n > rows.size()) throw nb::value_error("more rows asked for than there are");
    std::vector<std::uint32_t> drawn;
    std::vector<std::uint32_t> left_out;
    {
        nb::gil_scoped_release release;
        choose_rows(view(rows), n, seed, stream, drawn, left_out);
    }
    return nb::make_tuple(to_numpy(std::move(drawn)), to_numpy(std::move(left_out)));
}

}  // namespace

void bind_boost(nb::module_& m) {
    nb::class_<RowStatistics>(
        m, "RowStatistics",
        "Gradients of every row as integers, for histograms: exact ones of 64 bits or quantised ones of 17.")
        .def(nb::init<bool>(), "exact"_a)
        .def("set", &RowStatistics::set, "grad"_a, "hess"_a, "weight"_a, "seed"_a, "stream"_a, "n_threads"_a,
             "Read gradients, which must live until the tree is grown; seed and stream decide how they are rounded.");
    nb::class_<Grower>(m, "Grower", "Grows one tree after the other on binned rows.")
        .def("__init__", &construct, "bins"_a, "by_column"_a, "n_bins"_a, "is_category"_a, "monotone"_a, "together"_a,
             "gain"_a, "l2"_a, "rho"_a, "min_weight_leaf"_a, "min_gain"_a, "max_depth"_a, "max_leaf_nodes"_a,
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("grow", &grow, "stats"_a, "rows"_a, "columns"_a, "n_threads"_a);
    nb::class_<GrownTree>(m, "GrownTree", "A finished tree on bins.")
        .def("renew", &renew, "grower"_a, "y"_a, "raw"_a, "weight"_a, "alpha"_a, "n_threads"_a,
             "Replace the values of leaves by the weighted lower quantile of their residuals.")
        .def("scale", &scale_values, "factor"_a)
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
    m.def("choose_rows", &draw, "rows"_a, "n"_a, "seed"_a, "stream"_a,
          nb::sig("def choose_rows(rows: numpy.typing.NDArray[numpy.uint32], n: int, seed: int, stream: int) -> "
                  "tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32]]"),
          "Draw n of the rows without replacement: those drawn and those left out, ascending.");
}

}  // namespace glasswood
