#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "glasswood/base/cpu_count.hpp"
#include "glasswood/base/cpu_level.hpp"
#include "glasswood/base/elementary_kernels.hpp"
#include "glasswood/base/exact_sum.hpp"
#include "glasswood/base/interrupt.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/base/row_choice.hpp"
#include "glasswood/base/thread_benchmark.hpp"
#include "glasswood/base/thread_pool.hpp"
#include "halves.hpp"
#include "names.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace glasswood::bind {
namespace {

std::string use_named_level(const std::string& name) { return level_names.of(base::use_level(level_names.find(name))); }

std::vector<std::size_t> benchmark_threads(std::size_t n_chunks, int n_threads, double expected, double taken,
                                           std::int64_t failing, std::size_t nested) {
    nb::gil_scoped_release release;
    return base::run_thread_benchmark({n_chunks, n_threads, expected, taken, failing, nested});
}

double call_sum(Array1<double> values) {
    nb::gil_scoped_release release;
    return base::exact_sum(view(values));
}

double call_mean(Array1<double> values, Array1<double> weight) {
    check_size_if_given(weight.size(), values.size(), "weight");
    nb::gil_scoped_release release;
    return base::exact_mean(view(values), view(weight));
}

nb::object call_groups(Array1<std::int64_t> group, Array1<double> values, std::size_t n_groups) {
    check_size(group.size(), values.size(), "group");
    check_below(view(group), n_groups, "group");
    std::vector<double> sums;
    {
        nb::gil_scoped_release release;
        sums = base::exact_group_sums(view(group), view(values), n_groups);
    }
    return to_numpy(std::move(sums));
}

nb::tuple call_fixed(Array1<double> values) {
    base::FixedNumbers fixed;
    {
        nb::gil_scoped_release release;
        fixed = base::fixed_numbers(view(values));
    }
    return nb::make_tuple(to_numpy(std::move(fixed.whole)), fixed.unit.size);
}

double call_auc(Array1<double> score, Array1<bool> positive, Array1<double> weight) {
    check_size(positive.size(), score.size(), "positive");
    check_size_if_given(weight.size(), score.size(), "weight");
    nb::gil_scoped_release release;
    return base::exact_auc(view(score), bytes(positive), view(weight));
}

nb::tuple call_range(Array1<double> values, Array1<double> weight) {
    check_size_if_given(weight.size(), values.size(), "weight");
    base::ValueRange range;
    {
        nb::gil_scoped_release release;
        range = base::value_range(view(values), view(weight));
    }
    return nb::make_tuple(range.lowest, range.highest, range.largest, range.heaviest, range.n, range.finite,
                          range.infinite_sum);
}

nb::tuple call_whole_sum(Array1<double> values, Array1<double> weight, int exponent) {
    check_size_if_given(weight.size(), values.size(), "weight");
    base::Int128 sum = 0;
    {
        nb::gil_scoped_release release;
        sum = base::whole_sum(view(values), view(weight), base::Unit::of_exponent(exponent));
    }
    return halves(sum);
}

nb::tuple call_pairs(Array1<double> score, Array1<bool> positive, Array1<std::int64_t> whole) {
    check_size(positive.size(), score.size(), "positive");
    check_size(whole.size(), score.size(), "whole");
    base::ScorePairs pairs;
    {
        nb::gil_scoped_release release;
        pairs = base::score_pairs(view(score), bytes(positive), view(whole));
    }
    return nb::make_tuple(halves(pairs.twice), pairs.below, pairs.above);
}

nb::object call_keys(Array1<std::uint32_t> rows, Array1<std::int64_t> number, std::uint64_t seed,
                     std::uint64_t stream) {
    if (number.size() != 0 && !base::all_below(view(rows), number.size())) {
        throw nb::value_error("number has no entry for a row");
    }
    std::vector<std::uint64_t> keys;
    {
        nb::gil_scoped_release release;
        keys = base::row_keys(view(rows), view(number), seed, stream);
    }
    return to_numpy(std::move(keys));
}

nb::object apply(base::ElementaryKernels::Function function, const Array1<double>& values) {
    std::vector<double> out(values.size());
    {
        nb::gil_scoped_release release;
        function(values.data(), values.size(), out.data());
    }
    return to_numpy(std::move(out));
}

nb::tuple call_choose(Array1<std::uint32_t> rows, Array1<std::int64_t> number, std::size_t n, std::uint64_t seed,
                      std::uint64_t stream) {
    if (n > rows.size()) throw nb::value_error("more rows asked for than there are");
    if (number.size() != 0 && !base::all_below(view(rows), number.size())) {
        throw nb::value_error("number has no entry for a row");
    }
    std::vector<std::uint32_t> drawn, left_out;
    {
        nb::gil_scoped_release release;
        base::choose_rows(view(rows), view(number), n, seed, stream, drawn, left_out);
    }
    return nb::make_tuple(to_numpy(std::move(drawn)), to_numpy(std::move(left_out)));
}

}  // namespace

#define GLASSWOOD_ELEMENTARY(name, text)                                                                              \
    m.def(                                                                                                            \
        #name, [](Array1<double> values) { return apply(base::elementary_kernels(base::cpu_level()).name, values); }, \
        "values"_a,                                                                                                   \
        nb::sig("def " #name "(values: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]"), \
        text)

void bind_base(nb::module_& m) {
    m.def(
        "cpu_level", [] { return level_names.of(base::cpu_level()); },
        "The CPU level kernels run at: plain, v3 or v4.");
    m.def("use_cpu_level", &use_named_level, "cap"_a,
          "Run kernels at most at this CPU level, in the whole process; returns the level now in use.");
    m.def("usable_threads", &base::usable_threads, "n_threads"_a,
          "Threads a kernel will use when asked for n_threads: not more than there are CPUs for this process.");
    m.def("available_cpus", &base::available_cpus,
          "CPUs this process may use at once, by its scheduler's mask and the quota of its control group.");
    m.def("cpu_quota", &base::cpu_quota, "membership"_a, "root"_a,
          "CPUs' worth of time that the control groups of a membership file allow; infinite without a quota.");
    m.def("pretend_cpus", &base::pretend_cpus, "n_cpus"_a,
          "Let kernels use so many CPUs instead of those available, 0 for the latter; returns the number before.");
    m.def(
        "wake_cost", [] { return base::ThreadPool::here().wake_cost(); },
        "Nanoseconds from the call for a sleeping thread until it runs, by recent calls.");
    m.def("run_thread_benchmark", &benchmark_threads, "n_chunks"_a, "n_threads"_a, "expected"_a, "taken"_a,
          "failing"_a = -1, "nested"_a = 0,
          "Run a region whose chunks only pass time: `expected` nanoseconds in all by estimate, `taken` each in truth. "
          "Chunk `failing` throws; with `nested`, each chunk opens a region of so many chunks. Returns the thread that "
          "took each chunk, numbered as they came, the caller's is 0.");
    m.def("press_at_check", &base::press_at_check, "number"_a,
          "For tests: press Ctrl-C when kernels have asked so many times whether to go on, from now; 0: never.");
    m.def("exact_sum", &call_sum, "values"_a, "Sum that does not depend on the order of the values.");
    m.def("exact_mean", &call_mean, "values"_a, "weight"_a,
          "Weighted mean that does not depend on the order of the rows; an empty weight means 1.");
    m.def("exact_group_sums", &call_groups, "group"_a, "values"_a, "n_groups"_a,
          nb::sig("def exact_group_sums(group: numpy.typing.NDArray[numpy.int64], values: "
                  "numpy.typing.NDArray[numpy.float64], n_groups: int) -> numpy.typing.NDArray[numpy.float64]"),
          "Sum of the values of each group, whatever their order.");
    m.def("fixed_numbers", &call_fixed, "values"_a,
          nb::sig("def fixed_numbers(values: numpy.typing.NDArray[numpy.float64]) -> "
                  "tuple[numpy.typing.NDArray[numpy.int64], float]"),
          "Finite numbers in whole units, and the unit; the sum of their sizes has at most 62 bits.");
    m.def("value_range", &call_range, "values"_a, "weight"_a,
          nb::sig("def value_range(values: numpy.typing.NDArray[numpy.float64], weight: "
                  "numpy.typing.NDArray[numpy.float64]) -> tuple[float, float, float, float, int, bool, float]"),
          "Lowest, highest, largest size of weight times value, largest weight, rows that count, whether all products "
          "are finite, and the sum of those that are not.");
    m.def("whole_sum", &call_whole_sum, "values"_a, "weight"_a, "exponent"_a,
          nb::sig("def whole_sum(values: numpy.typing.NDArray[numpy.float64], weight: "
                  "numpy.typing.NDArray[numpy.float64], exponent: int) -> tuple[int, int]"),
          "Sum of weight times value in units of 2^exponent, as (high, low): 2^64 high + low.");
    m.def(
        "unit_exponent", [](double largest, int bits) { return base::Unit::of(largest, bits).exponent; }, "largest"_a,
        "bits"_a, "Exponent of the unit in which numbers up to the largest have so many bits.");
    m.def("score_pairs", &call_pairs, "score"_a, "positive"_a, "whole"_a,
          nb::sig("def score_pairs(score: numpy.typing.NDArray[numpy.float64], positive: "
                  "numpy.typing.NDArray[numpy.bool_], whole: numpy.typing.NDArray[numpy.int64]) -> "
                  "tuple[tuple[int, int], int, int]"),
          "Twice the weight of pairs in the right order, as (high, low), and that of the negative and positive rows.");
    m.def("row_keys", &call_keys, "rows"_a, "number"_a, "seed"_a, "stream"_a,
          nb::sig("def row_keys(rows: numpy.typing.NDArray[numpy.uint32], number: numpy.typing.NDArray[numpy.int64], "
                  "seed: int, stream: int) -> numpy.typing.NDArray[numpy.uint64]"),
          "Keys of rows; `choose_rows` draws those with the smallest.");
    m.def("exact_auc", &call_auc, "score"_a, "positive"_a, "weight"_a,
          "Probability that a positive row scores above a negative one, ties counted half; an empty weight means 1.");
    m.def(
        "choose_rows", &call_choose, "rows"_a, "number"_a, "n"_a, "seed"_a, "stream"_a,
        nb::sig("def choose_rows(rows: numpy.typing.NDArray[numpy.uint32], number: "
                "numpy.typing.NDArray[numpy.int64], n: int, seed: int, stream: int) -> "
                "tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32]]"),
        "Draw n of the rows without replacement: those drawn and those left out, in their order. The keys are those of "
        "number[row], or of the rows themselves where number is empty.");
    GLASSWOOD_ELEMENTARY(exp, "eˣ, the same bits on every machine.");
    GLASSWOOD_ELEMENTARY(log, "Natural logarithm, the same bits on every machine.");
    GLASSWOOD_ELEMENTARY(log2, "Logarithm to base 2, the same bits on every machine.");
    GLASSWOOD_ELEMENTARY(log1p, "log(1 + x), the same bits on every machine.");
    GLASSWOOD_ELEMENTARY(expit, "1 / (1 + exp(-x)), the same bits on every machine.");
}

}  // namespace glasswood::bind
