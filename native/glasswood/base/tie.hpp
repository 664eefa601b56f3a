// tie: how close two gains must be to count as equal. Forests and boosting share it, so that equal splits are chosen by
// one rule everywhere. No standard header is needed, so that a GPU compiler can read this text as it is.
#pragma once

namespace glasswood::base {

// Two candidates tie when their gains differ by less than this share of the larger.
constexpr double tie = 1e-9;

}  // namespace glasswood::base
