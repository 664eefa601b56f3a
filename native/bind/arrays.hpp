// Arrays: how numpy arrays cross the door, in both directions, without copying.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace glasswood {

template <class T>
using Array1 = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Array2 = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

// An array of the caller's that a kernel writes to.
template <class T>
using Output1 = nanobind::ndarray<T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

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

// bool arrays are read as bytes: std::span<const bool> cannot be had from a numpy bool array on every
// compiler.
inline std::span<const std::uint8_t> bytes(const Array1<bool>& array) {
    return {reinterpret_cast<const std::uint8_t*>(array.data()), array.size()};
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

}  // namespace glasswood
