// Predict: raw of rows that already lie on the device. It starts at the baseline and gets the value of one tree after
// the other, as on the CPU.
#include "common.cuh"

struct Step {
    double threshold;  // the largest number that goes left
    int feature;       // -1: a leaf
    int left, right;
    u32 missing_left;
};
static_assert(sizeof(Step) == 24, "the host writes steps");

#if FLOAT64
typedef double Value;
#else
typedef float Value;
#endif

// `row_step`, `column_step`: numbers from one row to the next, and from one feature to the next.
extern "C" __global__ void __launch_bounds__(256)
predict(const Value* __restrict__ X, i64 row_step, i64 column_step, u64 n, const Step* __restrict__ steps,
        const double* __restrict__ value, u32 width, const int* __restrict__ roots, const int* __restrict__ outputs,
        u32 n_trees, const double* __restrict__ baseline, u32 n_outputs, double* __restrict__ raw) {
    for (u64 i = (u64)blockIdx.x * 256 + threadIdx.x; i < n; i += (u64)gridDim.x * 256) {
        const Value* row = X + (i64)i * row_step;
        double* own = raw + i * n_outputs;
        for (u32 k = 0; k < n_outputs; ++k) own[k] = baseline[k];
        for (u32 t = 0; t < n_trees; ++t) {
            int at = roots[t];
            Step step = steps[at];
            while (step.feature >= 0) {
                const double x = (double)row[step.feature * column_step];
                const bool left = x != x ? step.missing_left != 0 : x <= step.threshold;
                at = left ? step.left : step.right;
                step = steps[at];
            }
            for (u32 k = 0; k < width; ++k) own[outputs[t] + k] += value[(u64)at * width + k];
        }
    }
}
