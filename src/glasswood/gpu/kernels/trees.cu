// Trees: the kernels that grow one tree, in the order in which they run.
#include "common.cuh"
#include "statistics.cuh"
#include "histograms.cuh"
#if !ROOT_ONLY
#include "splits.cuh"
#include "partition.cuh"
#include "leaves.cuh"
#include "quantiles.cuh"
#endif
