// Tables: bins of a table in the two orders that growing needs.
#include "common.cuh"

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
    for (u32 i = threadIdx.x; i < 32 * 128; i += 256) {
        const u32 f = i / 128, r = i % 128;
        if (first + f < n_features && first_row + r < n) {
            columns[(first + f) * column_bytes + first_row + r] = tile[f][r];
        }
    }
}
