// The compiled module: one registration function per room.
#include <nanobind/nanobind.h>

#include "rooms.hpp"

NB_MODULE(_native, m) {
    m.doc() = "Compiled kernels of glasswood: stateless functions on arrays.";
    glasswood::bind_trees(m);
    glasswood::bind_bins(m);
    glasswood::bind_boost(m);
    glasswood::bind_boxes(m);
    glasswood::bind_credibility(m);
    glasswood::bind_nodes(m);
    glasswood::bind_encode(m);
    glasswood::bind_predict(m);
    glasswood::bind_paths(m);
    glasswood::bind_codes(m);
    glasswood::bind_effects(m);
    glasswood::bind_interactions(m);
    glasswood::bind_attributions(m);
    glasswood::bind_neighbours(m);
    glasswood::bind_threads(m);
    glasswood::bind_forest(m);
    glasswood::bind_rules(m);
    glasswood::bind_sums(m);
    glasswood::bind_ubjson(m);
}
