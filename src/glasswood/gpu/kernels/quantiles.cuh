// Quantiles: leaves whose value is a quantile of the residuals of their rows, the smallest residual with at least this
// share of the weight below or at it. It is found byte by byte, from the first: sums of weights are whole numbers.
struct Quantile {
    u64 prefix;  // the bytes found so far
    i64 below;   // weight of residuals below them
    i64 total;
    double wanted;
};
static_assert(sizeof(Quantile) == 32, "the host allocates quantiles");

// Numbers in an order that their bits, as whole numbers, have too.
__device__ __forceinline__ u64 key_of(double y, double raw) {
    const u64 bits = elementary::bits_of(y - raw + 0.0);  // + 0: of −0 and 0, which are equal, any could come first
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

__device__ __forceinline__ double number_of(u64 key) {
    return elementary::from_bits(key >> 63 ? key & ~(1ull << 63) : ~key);
}

// Weight of the residuals that have the bytes found so far, by their next byte. `per`: units of a weight of 1.
extern "C" __global__ void __launch_bounds__(256)
count_bytes(const double* __restrict__ y, const double* __restrict__ raw, const double* __restrict__ weight, double per,
            const u32* __restrict__ list, const u16* __restrict__ slot, u32 n, const State* state,
            const Quantile* __restrict__ quantiles, u64* __restrict__ counts, int pass) {
    const int shift = 56 - 8 * pass;
    for (u64 i = (u64)blockIdx.x * 256 + threadIdx.x; i < n; i += (u64)gridDim.x * 256) {
        const u32 row = list ? list[i] : (u32)i, leaf = state->slot[slot[row]];
        const u64 key = key_of(y[row], raw[row]);
        if (pass > 0 && key >> (shift + 8) != quantiles[leaf].prefix) continue;
        atomicAdd(&counts[leaf * 256 + (key >> shift & 255)], weight ? (u64)__double2ll_rn(weight[row] * per) : 1ull);
    }
}

// The next byte of every leaf; clears the counts. After the last byte: the values of the leaves.
extern "C" __global__ void __launch_bounds__(32)
choose_byte(const Node* nodes, State* state, Quantile* quantiles, u64* __restrict__ counts, double share, u32 weighted,
            int pass) {
    const u32 leaf = blockIdx.x;
    u64* own = counts + leaf * 256;
    if (threadIdx.x == 0) {
        Quantile q = quantiles[leaf];
        if (pass == 0) {
            q = Quantile{0, 0, 0, 0.0};
            for (int k = 0; k < 256; ++k) q.total += (i64)own[k];
            const double wanted = share * (double)q.total * (1.0 - 1e-15);  // the product may round either way
            const double whole = elementary::nearest_whole(wanted);
            const double above = whole < wanted ? whole + 1.0 : whole;
            q.wanted = weighted ? wanted : above > 1.0 ? above : 1.0;
        }
        int byte = 0;
        i64 below = q.below;
        for (int k = 0; k < 256; ++k) {
            if (own[k] == 0) continue;
            byte = k;
            below = q.below;
            q.below += (i64)own[k];
            if ((double)q.below >= q.wanted) break;
        }
        q.below = below;
        q.prefix = q.prefix << 8 | (u64)byte;
        quantiles[leaf] = q;
        if (pass == 7 && q.total > 0) {
            const Node& node = nodes[leaf_of(nodes, leaf)];
            state->value[leaf] = clip(number_of(q.prefix), node.lower, node.upper);
        }
    }
    __syncwarp();
    for (int k = threadIdx.x; k < 256; k += 32) own[k] = 0;
}
