# Hot kernels are compiled once per CPU level and chosen at run time, so that one wheel runs on any x86-64 (and on arm64, where
# only the plain level exists) and is still fast on a wide machine. A file NAME.simd.cpp is compiled three times, each
# time with GLASSWOOD_LEVEL set to the namespace its functions live in: plain, v3 (AVX2), v4 (AVX-512).
file(GLOB_RECURSE simd_sources CONFIGURE_DEPENDS native/glasswood/*.simd.cpp)
set(levels plain)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND levels v3 v4)
  target_compile_definitions(core PUBLIC GLASSWOOD_X86_LEVELS)
endif()
if(simd_sources)
  foreach(level ${levels})
    add_library(simd_${level} OBJECT ${simd_sources})
    target_include_directories(simd_${level} PRIVATE native)
    target_compile_definitions(simd_${level} PRIVATE GLASSWOOD_LEVEL=${level})
    # errno and traps are never used here; without them a square root or a selection is one vector instruction, with the same bits.
    target_compile_options(simd_${level} PRIVATE ${clang}-Wall -Wextra -Wshadow ${clang}-ffp-contract=off
                                                 ${clang}-fvisibility=hidden ${clang}-fno-math-errno
                                                 ${clang}-fno-trapping-math)
    # psabi: only functions that are always inlined pass wide vectors. uninitialized: GCC 12 finds it in its own AVX-512 header.
    target_compile_options(simd_${level} PRIVATE -Wno-psabi)
    if(level STREQUAL v4)
      target_compile_options(simd_${level} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized>)
    endif()
    if(NOT level STREQUAL plain)
      target_compile_options(simd_${level} PRIVATE -march=x86-64-${level})
    endif()
    if(GLASSWOOD_SANITIZE)
      target_compile_options(simd_${level} PRIVATE -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined)
    endif()
    target_sources(core PRIVATE $<TARGET_OBJECTS:simd_${level}>)
  endforeach()
endif()
