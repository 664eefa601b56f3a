// Halves: how integers of 128 bits pass to Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "glasswood/base/exact_sum.hpp"

namespace glasswood::bind {

// As (high, low): 2⁶⁴ · high + low.
inline nanobind::tuple halves(base::Int128 whole) {
    return nanobind::make_tuple(static_cast<std::int64_t>(whole >> 64), static_cast<std::uint64_t>(whole));
}

}  // namespace glasswood::bind
