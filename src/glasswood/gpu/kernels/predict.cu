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

// Any trees of numbers. `row_step`, `column_step`: numbers from one row to the next, and from one feature to the next;
// `raw_step`, `output_step`: those of raw.
extern "C" __global__ void __launch_bounds__(256)
predict(const Value* __restrict__ X, i64 row_step, i64 column_step, u64 n, const Step* __restrict__ steps,
        const double* __restrict__ value, u32 width, const int* __restrict__ roots, const int* __restrict__ outputs,
        u32 n_trees, const double* __restrict__ baseline, u32 n_outputs, double* __restrict__ raw, u64 raw_step,
        u64 output_step) {
    for (u64 i = (u64)blockIdx.x * 256 + threadIdx.x; i < n; i += (u64)gridDim.x * 256) {
        const Value* row = X + (i64)i * row_step;
        double* own = raw + i * raw_step;
        for (u32 k = 0; k < n_outputs; ++k) own[k * output_step] = baseline[k];
        for (u32 t = 0; t < n_trees; ++t) {
            int at = roots[t];
            Step step = steps[at];
            while (step.feature >= 0) {
                const double x = (double)row[step.feature * column_step];
                const bool left = x != x ? step.missing_left != 0 : x <= step.threshold;
                at = left ? step.left : step.right;
                step = steps[at];
            }
            for (u32 k = 0; k < width; ++k) own[(outputs[t] + k) * output_step] += value[(u64)at * width + k];
        }
    }
}

// Small trees on rows of codes, one thread per row; the codes of its row lie in shared memory, four to a word, in a
// bank of the thread's own. A node is one word: its cut in the top byte, then how far left the code of its feature must
// be shifted to stand there too, then which word of the row has that code, then four times its left child; the right
// child follows. A step is `left + 4 * (code > cut)`. A leaf asks what no code answers and stays where it is.
#define WALK_THREADS 512
#define WALK_NODES 6144  // in shared memory at a time
#define SIDE_BY_SIDE 8   // trees

template <int TREES>
__device__ __forceinline__ double walk_trees(double sum, u32 words, const double* values, u32 codes, u32 mine,
                                             const u32* __restrict__ first, const u8* __restrict__ depth, u32 base) {
    u32 at[TREES], from[TREES];
    int steps = 0;
#pragma unroll
    for (int k = 0; k < TREES; ++k) {
        at[k] = 0;
        from[k] = first[k] - base;
        steps = steps > depth[k] ? steps : depth[k];
    }
#pragma unroll 1
    for (; steps; --steps) {
        u32 node[TREES], code[TREES];  // loads of one kind stand together, so that they need not wait for each other
#pragma unroll
        for (int k = 0; k < TREES; ++k) node[k] = load_shared(words + from[k] * 4 + at[k]);
#pragma unroll
        for (int k = 0; k < TREES; ++k) code[k] = load_shared(codes + ((node[k] & 0xF800u) | mine));
#pragma unroll
        for (int k = 0; k < TREES; ++k) {
            at[k] = node[k] & 0x7FCu;
            if (__funnelshift_l(0, code[k], node[k] >> 16) > (node[k] | 0xFFFFFFu)) at[k] += 4;
        }
    }
#pragma unroll
    for (int k = 0; k < TREES; ++k) sum += values[from[k] + at[k] / 4];
    return sum;
}

// Trees of one output. `first`: of each tree's nodes, and the end; trees from chunk_start[c] on are walked together.
extern "C" __global__ void __launch_bounds__(WALK_THREADS)
walk_codes(const u32* __restrict__ codes, u32 quads, u32 n, const u32* __restrict__ nodes,
           const double* __restrict__ value, const u32* __restrict__ first, const u8* __restrict__ depth,
           const u32* __restrict__ chunk_start, u32 n_chunks, double baseline, double* __restrict__ raw, u64 raw_step) {
    DYNAMIC_SHARED(u32, shared);
    u32* words = shared;
    double* values = (double*)(shared + WALK_NODES);
    u32* row_codes = shared + 3 * WALK_NODES + threadIdx.x;
    const u32 mine = threadIdx.x * 4;
    const u32 tiles = (n + WALK_THREADS - 1) / WALK_THREADS;
    for (u32 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const u64 row = (u64)tile * WALK_THREADS + threadIdx.x;
        for (u32 q = 0; q < quads; ++q) row_codes[q * WALK_THREADS] = row < n ? codes[row * quads + q] : 0;
        double sum = baseline;
        for (u32 c = 0; c < n_chunks; ++c) {
            const u32 begin = chunk_start[c], end = chunk_start[c + 1], base = first[begin];
            if (n_chunks > 1 || tile == blockIdx.x) {
                __syncthreads();
                for (u32 i = threadIdx.x; i < first[end] - base; i += WALK_THREADS) {
                    words[i] = nodes[base + i];
                    values[i] = value[base + i];
                }
                __syncthreads();
            }
            const u32 node_at = shared_address(words), code_at = shared_address(shared + 3 * WALK_NODES);
            u32 t = begin;
            for (; t + SIDE_BY_SIDE <= end; t += SIDE_BY_SIDE) {
                sum = walk_trees<SIDE_BY_SIDE>(sum, node_at, values, code_at, mine, first + t, depth + t, base);
            }
            for (; t + 2 <= end; t += 2) {
                sum = walk_trees<2>(sum, node_at, values, code_at, mine, first + t, depth + t, base);
            }
            if (t < end) sum = walk_trees<1>(sum, node_at, values, code_at, mine, first + t, depth + t, base);
        }
        if (row < n) raw[row * raw_step] = sum;
    }
}
