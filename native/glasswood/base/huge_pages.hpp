// Huge pages: memory for large arrays that are read in no order. Where the system has huge pages it is asked for them:
// a row of bins then costs a cache line, not a walk through the page table as well.
#pragma once

#include <cstddef>
#include <memory>

namespace glasswood::base {

struct FreePages {
    void operator()(void* p) const noexcept;
};

// Memory of this many bytes, aligned to a cache line, not initialised.
void* take_pages(std::size_t bytes);

template <class T>
using Pages = std::unique_ptr<T[], FreePages>;

template <class T>
Pages<T> make_pages(std::size_t n) {
    return Pages<T>(static_cast<T*>(take_pages(n * sizeof(T))));
}

}  // namespace glasswood::base
