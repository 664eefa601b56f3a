// Integers of known size for formulas, which include no standard header: a GPU compiler that runs inside a program
// (NVRTC) has none. They are the types that <cstdint> names.
#pragma once

namespace glasswood::base {

#if defined(__CUDACC_RTC__)
using Int32 = int;
using Int64 = long long;
using UInt8 = unsigned char;
using UInt32 = unsigned int;
using UInt64 = unsigned long long;
#else
using Int32 = __INT32_TYPE__;
using Int64 = __INT64_TYPE__;
using UInt8 = __UINT8_TYPE__;
using UInt32 = __UINT32_TYPE__;
using UInt64 = __UINT64_TYPE__;
#endif

static_assert(sizeof(UInt8) == 1 && sizeof(Int32) == 4 && sizeof(UInt32) == 4);
static_assert(sizeof(Int64) == 8 && sizeof(UInt64) == 8);

}  // namespace glasswood::base
