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

// Largest |gradient|, square and hessian of a block's threads.
__device__ void raise_all(u64* most, double grad, double square, double hess) {
    grad = most_of_warp(grad);
    square = most_of_warp(square);
    hess = most_of_warp(hess);
    if ((threadIdx.x & 31) == 0) {
        raise(most, grad);
        raise(most + 1, square);
        raise(most + 2, hess);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) start_round(u64* most, u32 n) {
    for (u32 i = threadIdx.x; i < n; i += THREADS) most[i] = 0;
}

#if LOSS <= 6
extern "C" __global__ void __launch_bounds__(THREADS)
slopes(const double* __restrict__ y, const double* __restrict__ raw, const double* __restrict__ weight, u32 n,
       u32 n_outputs, double parameter, double* __restrict__ grad, double* __restrict__ hess, u64* most) {
    double most_grad = 0.0, most_square = 0.0, most_hess = 0.0;
    for (u64 i = (u64)blockIdx.x * THREADS + threadIdx.x; i < n; i += (u64)gridDim.x * THREADS) {
        const gb::Slope slope = FORMULA.slope(y[i], raw[i]);
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
// The loss of every row, times its weight, and what the host asks of a table: the largest loss, the largest raw, and
// whether there are numbers that are not finite (1: NaN, 2: infinite, 4: raw is NaN, 8: raw is infinite).
struct LossSum {
    u64 largest, largest_raw;
    u64 high, low;
    u64 flags;
};

extern "C" __global__ void start_losses(LossSum* sum) { *sum = LossSum{0, 0, 0, 0, 0}; }

extern "C" __global__ void __launch_bounds__(THREADS)
losses(const double* __restrict__ y, const double* __restrict__ raw, const double* __restrict__ weight, u32 n,
       u32 n_outputs, double parameter, double* __restrict__ out, LossSum* sum) {
    const double finite = elementary::from_bits(0x7FEFFFFFFFFFFFFFull);
    double largest_loss = 0.0, largest_raw = 0.0;
    u32 flags = 0;
    for (u64 i = (u64)blockIdx.x * THREADS + threadIdx.x; i < n; i += (u64)gridDim.x * THREADS) {
        for (u32 k = 0; k < n_outputs; ++k) {
            const double own = raw[k * (u64)n + i];
            largest_raw = own > largest_raw ? own : largest_raw;
            flags |= own != own ? 4 : elementary::absolute(own) > finite ? 8 : 0;
        }
#if LOSS == 7
        double most = raw[i], all = 0.0;
        for (u32 k = 1; k < n_outputs; ++k) {
            const double own = raw[k * (u64)n + i];
            most = most < own ? own : most;
        }
        for (u32 k = 0; k < n_outputs; ++k) all += elementary::exp(raw[k * (u64)n + i] - most);
        all = elementary::log(all) + most;
        double loss = all - raw[(u64)y[i] * n + i];
#else
        double loss = FORMULA.loss(y[i], raw[i]);
#endif
        if (weight) loss = weight[i] > 0.0 ? weight[i] * loss : 0.0;
        out[i] = loss;
        const double size = elementary::absolute(loss);
        largest_loss = size > largest_loss ? size : largest_loss;
        flags |= loss != loss ? 1 : size > finite ? 2 : 0;
    }
    largest_loss = most_of_warp(largest_loss);
    largest_raw = most_of_warp(largest_raw);
    if ((threadIdx.x & 31) == 0) {
        raise(&sum->largest, largest_loss);
        raise(&sum->largest_raw, largest_raw);
    }
    if (flags) atomicOr(&sum->flags, (u64)flags);
}

// The sum of the losses in fixed point, in two parts.
extern "C" __global__ void __launch_bounds__(THREADS) sum_losses(const double* __restrict__ losses, u32 n, LossSum* sum) {
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
        atomicAdd(&sum->high, (u64)high);
        atomicAdd(&sum->low, (u64)low);
    }
}
#endif
