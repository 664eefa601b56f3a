// Tables: values → bins, and the bins of a table in the two orders that growing needs.
#include "common.cuh"

#if BINS
#define ROWS_IN_FLIGHT (WIDTH == 4 ? 2 : 4)

struct alignas(WIDTH * sizeof(Value)) Neighbours {
    Value at[WIDTH];
};

// The bin of a value is the number of edges below it; `missing` has the bin of NaN. A warp takes a row at a time, a
// lane WIDTH neighbouring features of it, and their edges lie in a memory bank of its own: [feature of the lane][edge]
// [lane], EDGES of them, a power of two less one, the last ones infinite. `source`: the column of each feature.
// `row_step`, `column_step`: numbers from one row to the next, and from one column to the next. `whole`: lanes may load
// all their features at once.
extern "C" __global__ void __launch_bounds__(BIN_THREADS)
bin_rows(const Value* __restrict__ X, i64 row_step, i64 column_step, u32 n, const Value* __restrict__ edges,
         const u8* __restrict__ missing, const u32* __restrict__ source, u32 n_features, u32 groups, u32 whole,
         u8* __restrict__ out, u32 stride) {
    DYNAMIC_SHARED(Value, shared);
    const u32 group = blockIdx.x % groups, lane = threadIdx.x & 31;
    const Value* given = edges + (u64)group * WIDTH * EDGES * 32;
    for (u32 i = threadIdx.x; i < WIDTH * EDGES * 32; i += BIN_THREADS) shared[i] = given[i];
    __syncthreads();
    const Value* own = shared + lane;
    const u32 first_feature = (group * 32 + lane) * WIDTH;
    if (first_feature >= stride) return;
    i64 column[WIDTH];
    u32 of_missing[WIDTH];
    for (int k = 0; k < WIDTH; ++k) {
        const bool inside = first_feature + k < n_features;
        column[k] = inside ? source[first_feature + k] * column_step : -1;
        of_missing[k] = inside ? missing[first_feature + k] : 0;
    }
    const u32 warps = BIN_THREADS / 32, step = gridDim.x / groups * warps;
    for (u64 r = blockIdx.x / groups * warps + threadIdx.x / 32; r < n; r += (u64)ROWS_IN_FLIGHT * step) {
        Neighbours x[ROWS_IN_FLIGHT];
        u32 bin[ROWS_IN_FLIGHT][WIDTH];
#pragma unroll
        for (int j = 0; j < ROWS_IN_FLIGHT; ++j) {
            const u64 row = r + (u64)j * step < n ? r + (u64)j * step : r;
            if (whole) {
                x[j] = *(const Neighbours*)(X + (i64)row * row_step + first_feature);
            } else {
#pragma unroll
                for (int k = 0; k < WIDTH; ++k) {
                    x[j].at[k] = column[k] < 0 ? (Value)0 : X[(i64)row * row_step + column[k]];
                }
            }
#pragma unroll
            for (int k = 0; k < WIDTH; ++k) bin[j][k] = 0;
        }
#pragma unroll
        for (u32 s = (EDGES + 1) / 2; s; s >>= 1) {
#pragma unroll
            for (int j = 0; j < ROWS_IN_FLIGHT; ++j) {
#pragma unroll
                for (int k = 0; k < WIDTH; ++k) {
                    const u32 next = bin[j][k] + s;
                    if (own[(k * EDGES + next - 1) * 32] < x[j].at[k]) bin[j][k] = next;
                }
            }
        }
#pragma unroll
        for (int j = 0; j < ROWS_IN_FLIGHT; ++j) {
            const u64 row = r + (u64)j * step;
            if (row >= n) break;
            u32 word = 0;
#pragma unroll
            for (int k = 0; k < WIDTH; ++k) {
                const u32 found = column[k] < 0 ? 0 : x[j].at[k] != x[j].at[k] ? of_missing[k] : bin[j][k];
                word |= found << (8 * k);
            }
            u8* to = out + row * stride + first_feature;
            if (WIDTH == 4) *(u32*)to = word;
            else if (WIDTH == 2) *(u16*)to = (u16)word;
            else *to = (u8)word;
        }
    }
}

#else
// What raw is before the first round, (n_outputs, n).
extern "C" __global__ void __launch_bounds__(256)
start_raw(const double* __restrict__ baseline, u32 n_outputs, u64 n, double* __restrict__ raw) {
    for (u32 k = 0; k < n_outputs; ++k) {
        const double own = baseline[k];
        for (u64 i = (u64)blockIdx.x * 256 + threadIdx.x; i < n; i += (u64)gridDim.x * 256) raw[k * n + i] = own;
    }
}

// Rows as the host has them → rows of whole words, zeros after the last feature.
extern "C" __global__ void __launch_bounds__(256)
pack_rows(const u8* __restrict__ plain, u64 plain_stride, u32 n_features, u32* __restrict__ packed, u32 words, u32 n) {
    for (u64 i = (u64)blockIdx.x * 256 + threadIdx.x; i < (u64)n * words; i += (u64)gridDim.x * 256) {
        const u64 row = i / words;
        const u32 first = (u32)(i % words) * 4;
        u32 word = 0;
        for (u32 k = 0; k < 4; ++k) {
            if (first + k < n_features) word |= (u32)plain[row * plain_stride + first + k] << (8 * k);
        }
        packed[i] = word;
    }
}

// Rows → columns, in tiles of 128 rows and 32 features.
extern "C" __global__ void __launch_bounds__(256)
to_columns(const u8* __restrict__ rows, u32 stride, u32 n_features, u8* __restrict__ columns, u64 column_bytes, u32 n) {
    __shared__ u8 tile[32][128 + 4];
    const u32 tiles = (n_features + 31) / 32, first_row = blockIdx.x / tiles * 128, first = blockIdx.x % tiles * 32;
    for (u32 i = threadIdx.x; i < 128 * 8; i += 256) {
        const u32 r = i / 8, w = i % 8;
        if (first_row + r >= n || first + 4 * w >= stride) continue;
        const u32 word = *(const u32*)(rows + (u64)(first_row + r) * stride + first + 4 * w);
        for (u32 k = 0; k < 4; ++k) tile[4 * w + k][r] = (u8)(word >> (8 * k));
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < 32 * 32; i += 256) {
        const u32 f = i / 32, r = i % 32 * 4;
        if (first + f >= n_features || first_row + r >= n) continue;
        u8* to = columns + (first + f) * column_bytes + first_row + r;
        if ((column_bytes & 3) == 0 && first_row + r + 4 <= n) {
            *(u32*)to = *(const u32*)&tile[f][r];
        } else {
            for (u32 k = 0; k < 4 && first_row + r + k < n; ++k) to[k] = tile[f][r + k];
        }
    }
}
#endif
