// The compiled module: one registration function per room.
#include <nanobind/nanobind.h>

#include "bindings.hpp"

NB_MODULE(_native, m) {
    m.doc() = "Compiled kernels of glasswood: stateless functions on arrays.";
    glasswood::bind::bind_trees(m);
    glasswood::bind::bind_bins(m);
    glasswood::bind::bind_boost(m);
    glasswood::bind::bind_boxes(m);
    glasswood::bind::bind_credibility(m);
    glasswood::bind::bind_nodes(m);
    glasswood::bind::bind_encode(m);
    glasswood::bind::bind_predict(m);
    glasswood::bind::bind_paths(m);
    glasswood::bind::bind_codes(m);
    glasswood::bind::bind_effects(m);
    glasswood::bind::bind_interactions(m);
    glasswood::bind::bind_attributions(m);
    glasswood::bind::bind_neighbours(m);
    glasswood::bind::bind_threads(m);
    glasswood::bind::bind_forest(m);
    glasswood::bind::bind_rules(m);
    glasswood::bind::bind_sums(m);
    glasswood::bind::bind_ubjson(m);
}
