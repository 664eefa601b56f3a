// Loss kernels: losses and slopes of many rows of one output, compiled per CPU level; every level gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "glasswood/base/cpu_level.hpp"
#include "glasswood/boosting/loss_formula.hpp"

namespace glasswood::boosting {

struct LossRows {
    const double* y;
    const double* raw;
    const double* weight;  // null: 1 each
    std::size_t n;
};

// Rows of several outputs: raw of output k begins at raw + k * pitch, and so do gradients and hessians.
struct SoftmaxRows {
    const double* y;  // number of the class
    const double* raw;
    const double* weight;  // null: 1 each
    std::size_t n;
    std::size_t n_outputs;
    std::size_t pitch;
};

// A sum of 64-bit numbers in two parts: 2³² · high + low.
struct SplitSum {
    std::int64_t high;
    std::int64_t low;
};

struct LossKernels {
    // Gradient and hessian times the weight, the hessian at least least_hess of it.
    void (*slopes)(LossKind kind, double parameter, const LossRows& rows, double* grad, double* hess);
    void (*softmax_slopes)(const SoftmaxRows& rows, double* grad, double* hess);
    // Losses times the weight, 0 without weight.
    void (*losses)(LossKind kind, double parameter, const LossRows& rows, double* out);
    void (*softmax_losses)(const SoftmaxRows& rows, double* out);
    // The largest size of finite values; `finite` is set to whether all are.
    double (*largest)(const double* values, std::size_t n, bool* finite);
    // The sum of at most 2³⁰ values in whole units; `per`: units in 1.
    SplitSum (*add)(const double* values, std::size_t n, double per);
};

const LossKernels& loss_kernels(base::CpuLevel level);

}  // namespace glasswood::boosting
