// The elementary functions of many numbers for one CPU level. No standard header with inline functions may be included
// here: the linker could keep the copy compiled for a CPU the user does not have.
#include "glasswood/base/elementary_kernels.hpp"

#include "glasswood/base/elementary.hpp"

namespace glasswood::base::GLASSWOOD_LEVEL {
namespace {

void all_exp(const double* in, std::size_t n, double* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = elementary::exp(in[i]);
}

void all_log(const double* in, std::size_t n, double* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = elementary::log(in[i]);
}

void all_log2(const double* in, std::size_t n, double* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = elementary::log2(in[i]);
}

void all_log1p(const double* in, std::size_t n, double* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = elementary::log1p(in[i]);
}

void all_expit(const double* in, std::size_t n, double* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = elementary::expit(in[i]);
}

}  // namespace

extern const ElementaryKernels elementary_table;
const ElementaryKernels elementary_table = {all_exp, all_log, all_log2, all_log1p, all_expit};

}  // namespace glasswood::base::GLASSWOOD_LEVEL
