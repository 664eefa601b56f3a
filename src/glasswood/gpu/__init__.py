"""gpu: boosting on a GPU, with the trees of quantised statistics on the CPU to the bit.

The kernels are CUDA source, compiled at first use. CuPy is imported inside functions of `_cuda_device`, nowhere else.
"""

from glasswood.gpu._device import Device
from glasswood.gpu._device_rounds import start_device_rounds
from glasswood.gpu._predict import predict_raw

__all__ = ["Device", "predict_raw", "start_device_rounds"]
