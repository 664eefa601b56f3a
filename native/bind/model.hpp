// Trees: the arrays of an ensemble as kernels see them, checked once and kept alive as long as a kernel may
// read them.
#pragma once

#include <nanobind/nanobind.h>

#include <array>

#include "glasswood/model/ensemble.hpp"

namespace glasswood::bind {

struct Trees {
    model::Ensemble view;
    std::array<nanobind::object, 16> arrays;  // owners of what `view` borrows
};

}  // namespace glasswood::bind
