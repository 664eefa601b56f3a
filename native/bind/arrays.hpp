// Arrays: how numpy arrays pass between Python and C++ without copying.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace glasswood::bind {

template <class T>
using Array1 = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Array2 = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

// An array of the caller's that a kernel writes to.
template <class T>
using Output1 = nanobind::ndarray<T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Output2 = nanobind::ndarray<T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

template <class T, class... Config>
std::span<const T> view(const nanobind::ndarray<const T, Config...>& array) {
    return {array.data(), array.size()};
}

template <class T>
std::span<T> writable(const Output1<T>& array) {
    return {array.data(), array.size()};
}

inline void check_size(std::size_t found, std::size_t wanted, const char* name) {
    if (found != wanted)
        throw nanobind::value_error(
            (std::string(name) + " has " + std::to_string(found) + " entries, expected " + std::to_string(wanted))
                .c_str());
}

// An array with an entry per row, or an empty one.
inline void check_size_if_given(std::size_t found, std::size_t wanted, const char* name) {
    if (found != 0) check_size(found, wanted, name);
}

// The weights of n_rows rows, or none.
inline std::span<const double> checked_weight(const std::optional<Array1<double>>& weight, std::size_t n_rows) {
    if (!weight) return {};
    check_size(weight->size(), n_rows, "weight");
    return view(*weight);
}

// Numbers of rows, features, leaves …: at least 0 and below `end`.
template <class T>
void check_below(std::span<const T> numbers, std::size_t end, const char* name) {
    if (numbers.empty()) return;
    T lowest = numbers.front(), highest = numbers.front();
    for (const T number : numbers) {  // a plain loop: the compiler looks at many numbers at once
        lowest = std::min(lowest, number);
        highest = std::max(highest, number);
    }
    if (!std::in_range<std::size_t>(lowest) || static_cast<std::size_t>(highest) >= end)
        throw nanobind::value_error((std::string(name) + " must hold numbers from 0 to " + std::to_string(end) +
                                     " (exclusive), found " + std::to_string(lowest < 0 ? lowest : highest))
                                        .c_str());
}

inline void check_features(std::span<const std::int32_t> features, std::size_t n_features) {
    const auto exists = [&](std::int32_t f) { return f >= 0 && static_cast<std::size_t>(f) < n_features; };
    if (!std::ranges::all_of(features, exists)) throw nanobind::value_error("a feature does not exist");
}

// The starts of n lists that stand one after the other: n + 1 of them, from 0 to `total`, never falling.
inline void check_starts(std::span<const std::int64_t> start, std::size_t n, std::size_t total, const char* name) {
    check_size(start.size(), n + 1, name);
    if (start.front() != 0 || !std::cmp_equal(start.back(), total) || !std::ranges::is_sorted(start))
        throw nanobind::value_error((std::string(name) + " must rise from 0 to " + std::to_string(total)).c_str());
}

// NaN is refused.
inline void check_at_least(double value, double lowest, const char* name) {
    if (!(value >= lowest))
        throw nanobind::value_error(
            (std::string(name) + " must be at least " + std::to_string(lowest) + ", found " + std::to_string(value))
                .c_str());
}

inline void check_between(double value, double lowest, double highest, const char* name) {
    if (!(value >= lowest && value <= highest))
        throw nanobind::value_error((std::string(name) + " must lie between " + std::to_string(lowest) + " and " +
                                     std::to_string(highest) + ", found " + std::to_string(value))
                                        .c_str());
}

// bool arrays are read as bytes: std::span<const bool> cannot be had from a numpy bool array on every
// compiler.
inline std::span<const std::uint8_t> bytes(const Array1<bool>& array) {
    return {reinterpret_cast<const std::uint8_t*>(array.data()), array.size()};
}

template <class T>
std::vector<T> to_vector(const Array1<T>& array) {
    return {array.data(), array.data() + array.size()};
}

// Hands a vector to Python as a numpy array that owns it.
template <class T>
nanobind::object to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    nanobind::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    (void)owned.release();
    return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(data, shape, owner));
}

template <class T>
nanobind::object to_numpy(std::vector<T>&& values) {
    const std::size_t size = values.size();
    return to_numpy(std::move(values), {size});
}

template <class Range>
nanobind::object copied(const Range& values) {
    return to_numpy(std::vector(values.begin(), values.end()));
}

// A new array for Python that a kernel fills. It is not initialised: the kernel writes every entry.
template <class T>
struct NewArray2 {
    NewArray2(std::size_t n_rows, std::size_t n_columns)
        : rows(n_rows), columns(n_columns), data(new T[n_rows * n_columns]) {}

    std::span<T> span() const { return {data.get(), rows * columns}; }
    nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<2>> to_numpy() {
        nanobind::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
        return {data.release(), {rows, columns}, owner};
    }

    std::size_t rows;
    std::size_t columns;
    std::unique_ptr<T[]> data;
};

}  // namespace glasswood::bind
