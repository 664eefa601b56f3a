// Gradients: slopes of the loss per row, their largest sizes, and what rows add to histograms.
#include "common.cuh"

#define THREADS 256

#if LOSS == 0
#define FORMULA gb::SquaredError{}
#elif LOSS == 1
#define FORMULA gb::AbsoluteError{}
#elif LOSS == 2
#define FORMULA gb::Quantile{parameter}
#elif LOSS == 3
#define FORMULA gb::Poisson{}
#elif LOSS == 4
#define FORMULA gb::Gamma{}
#elif LOSS == 5
#define FORMULA gb::Tweedie{parameter}
#elif LOSS == 6
#define FORMULA gb::Logistic{}
#endif

// Raises numbers to the largest of a block's threads, which are not negative or NaN.
template <int N>
__device__ void raise_of_block(u64* const (&to)[N], const double (&found)[N]) {
    __shared__ u64 of_block[N];
    if (threadIdx.x < N) of_block[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < N; ++k) {
        const double most = most_of_warp(found[k]);
        if ((threadIdx.x & 31) == 0) raise(&of_block[k], most);
    }
    __syncthreads();
    if (threadIdx.x < N && of_block[threadIdx.x]) atomicMax(to[threadIdx.x], of_block[threadIdx.x]);
    __syncthreads();
}

// Largest |gradient|, square and hessian of a block's threads.
__device__ void raise_all(u64* most, double grad, double square, double hess) {
    raise_of_block({most, most + 1, most + 2}, {grad, square, hess});
}

#if LOSS <= 7
// What the host asks of a table: the largest loss, the largest raw, the sum of the losses in fixed point in two parts,
// and whether there are numbers that are not finite (1: NaN, 2: infinite, 4: raw is NaN, 8: raw is infinite).
struct LossSum {
    u64 largest, largest_raw;
    u64 high, low;
    u64 flags;
};

// That of the round that was just finished; `tree`: number of the next tree.
__device__ __forceinline__ LossSum* of_round(LossSum* sums, const u64* tree, u64 first_tree, u32 n_outputs) {
    return sums + (*tree - first_tree) / n_outputs;
}

// What a thread finds in its rows.
struct Largest {
    double loss, raw;
    u32 flags;

    __device__ __forceinline__ void see_raw(double own) {
        const double finite = elementary::from_bits(0x7FEFFFFFFFFFFFFFull);
        raw = own > raw ? own : raw;
        flags |= own != own ? 4 : elementary::absolute(own) > finite ? 8 : 0;
    }
    __device__ __forceinline__ void see_loss(double own) {
        const double finite = elementary::from_bits(0x7FEFFFFFFFFFFFFFull), size = elementary::absolute(own);
        loss = size > loss ? size : loss;
        flags |= own != own ? 1 : size > finite ? 2 : 0;
    }
    __device__ __forceinline__ void write(LossSum* sum) const {
        raise_of_block({&sum->largest, &sum->largest_raw}, {loss, raw});
        if (flags) atomicOr(&sum->flags, (u64)flags);
    }
};

// The loss of a row times its weight.
__device__ __forceinline__ double weighted_loss(double loss, const double* weight, u64 i) {
    return !weight ? loss : weight[i] > 0.0 ? weight[i] * loss : 0.0;
}
#endif

#if LOSS <= 6
// What a round ends with: rows get the value of their leaf, unless `slot` is null; their losses; and the slopes that
// the next round begins with.
extern "C" __global__ void __launch_bounds__(THREADS)
end_round(const double* __restrict__ y, double* __restrict__ raw, const double* __restrict__ weight, u32 n,
          double parameter, const double* __restrict__ value, u32 n_leaves, const u16* __restrict__ slot,
          double* __restrict__ grad, double* __restrict__ hess, u64* most, double* __restrict__ out, LossSum* sums,
          const u64* tree, u64 first_tree) {
    __shared__ double of_slot[1024];
    if (slot) {
        for (u32 i = threadIdx.x; i < n_leaves; i += THREADS) of_slot[i] = value[i];
        __syncthreads();
    }
    Largest largest{0.0, 0.0, 0};
    double most_grad = 0.0, most_square = 0.0, most_hess = 0.0;
    for (u64 i = (u64)blockIdx.x * THREADS + threadIdx.x; i < n; i += (u64)gridDim.x * THREADS) {
        double own = raw[i];
        if (slot) raw[i] = own = own + of_slot[slot[i]];
        largest.see_raw(own);
        const double loss = weighted_loss(FORMULA.loss(y[i], own), weight, i);
        largest.see_loss(loss);
        out[i] = loss;
        const gb::Slope slope = FORMULA.slope(y[i], own);
        double g = slope.grad, h = slope.hess > gb::least_hess ? slope.hess : gb::least_hess;
        if (weight) {
            g = weight[i] * g;
            h = weight[i] * h;
        }
        grad[i] = g;
        if (hess) hess[i] = h;
        const double size = elementary::absolute(g), square = gb::square_of(g, h);
        most_grad = size > most_grad ? size : most_grad;
        most_square = square > most_square ? square : most_square;
        most_hess = h > most_hess ? h : most_hess;
    }
    raise_all(most, most_grad, most_square, most_hess);
    largest.write(of_round(sums, tree, first_tree, 1));
}
#elif LOSS == 7
// softmax: raw, grad and hess are (n_outputs, n)
extern "C" __global__ void __launch_bounds__(THREADS)
slopes(const double* __restrict__ y, const double* __restrict__ raw, const double* __restrict__ weight, u32 n,
       u32 n_outputs, double parameter, double* __restrict__ grad, double* __restrict__ hess, u64* most) {
    // all threads of a block stay together: they compare what they find, output by output
    for (u64 first = (u64)blockIdx.x * THREADS; first < n; first += (u64)gridDim.x * THREADS) {
        const u64 i = first + threadIdx.x;
        const bool inside = i < n;
        double largest = inside ? raw[i] : 0.0, sum = 0.0;
        for (u32 k = 1; inside && k < n_outputs; ++k) {
            const double own = raw[k * (u64)n + i];
            largest = largest < own ? own : largest;
        }
        for (u32 k = 0; inside && k < n_outputs; ++k) {
            const double e = elementary::exp(raw[k * (u64)n + i] - largest);
            sum += e;
            grad[k * (u64)n + i] = e;
        }
        for (u32 k = 0; k < n_outputs; ++k) {
            double g = 0.0, h = 0.0;
            if (inside) {
                const u64 at = k * (u64)n + i;
                const double s = grad[at] / sum, variance = s * (1.0 - s);
                g = s - ((double)k == y[i] ? 1.0 : 0.0);
                h = variance < gb::least_hess ? gb::least_hess : variance;
                if (weight) {
                    g = weight[i] * g;
                    h = weight[i] * h;
                }
                grad[at] = g;
                hess[at] = h;
            }
            raise_all(most + 3 * k, elementary::absolute(g), gb::square_of(g, h), h);
        }
    }
}
#else
// Gradients that the host computed.
extern "C" __global__ void __launch_bounds__(THREADS)
largest(const double* __restrict__ grad, const double* __restrict__ hess, u32 n, u64* most) {
    double most_grad = 0.0, most_square = 0.0, most_hess = 0.0;
    for (u64 i = (u64)blockIdx.x * THREADS + threadIdx.x; i < n; i += (u64)gridDim.x * THREADS) {
        const double size = elementary::absolute(grad[i]), square = gb::square_of(grad[i], hess[i]);
        most_grad = size > most_grad ? size : most_grad;
        most_square = square > most_square ? square : most_square;
        most_hess = hess[i] > most_hess ? hess[i] : most_hess;
    }
    raise_all(most, most_grad, most_square, most_hess);
}
#endif

#if LOSS <= 7
// The loss of every row.
extern "C" __global__ void __launch_bounds__(THREADS)
losses(const double* __restrict__ y, const double* __restrict__ raw, const double* __restrict__ weight, u32 n,
       u32 n_outputs, double parameter, double* __restrict__ out, LossSum* sums, const u64* tree, u64 first_tree) {
    Largest largest{0.0, 0.0, 0};
    for (u64 i = (u64)blockIdx.x * THREADS + threadIdx.x; i < n; i += (u64)gridDim.x * THREADS) {
        for (u32 k = 0; k < n_outputs; ++k) largest.see_raw(raw[k * (u64)n + i]);
#if LOSS == 7
        double most = raw[i], all = 0.0;
        for (u32 k = 1; k < n_outputs; ++k) {
            const double own = raw[k * (u64)n + i];
            most = most < own ? own : most;
        }
        for (u32 k = 0; k < n_outputs; ++k) all += elementary::exp(raw[k * (u64)n + i] - most);
        all = elementary::log(all) + most;
        const double plain = all - raw[(u64)y[i] * n + i];
#else
        const double plain = FORMULA.loss(y[i], raw[i]);
#endif
        const double loss = weighted_loss(plain, weight, i);
        largest.see_loss(loss);
        out[i] = loss;
    }
    largest.write(of_round(sums, tree, first_tree, n_outputs));
}

// The sum of the losses in fixed point.
extern "C" __global__ void __launch_bounds__(THREADS)
sum_losses(const double* __restrict__ losses, u32 n, u32 n_outputs, LossSum* sums, const u64* tree, u64 first_tree) {
    __shared__ u64 of_block[2];
    if (threadIdx.x < 2) of_block[threadIdx.x] = 0;
    __syncthreads();
    LossSum* sum = of_round(sums, tree, first_tree, n_outputs);
    const double most = elementary::from_bits(sum->largest);
    const double per = gb::power_of_two(-gb::unit_exponent(most, 62));
    i64 high = 0, low = 0;
    for (u64 i = (u64)blockIdx.x * THREADS + threadIdx.x; i < n; i += (u64)gridDim.x * THREADS) {
        const i64 whole = __double2ll_rn(losses[i] * per);
        high += whole >> 32;
        low += whole & 0xFFFFFFFFll;
    }
    high = sum_of_warp(high);
    low = sum_of_warp(low);
    if ((threadIdx.x & 31) == 0) {
        atomicAdd(&of_block[0], (u64)high);
        atomicAdd(&of_block[1], (u64)low);
    }
    __syncthreads();
    if (threadIdx.x) return;
    atomicAdd(&sum->high, of_block[0]);
    atomicAdd(&sum->low, of_block[1]);
}
#endif
