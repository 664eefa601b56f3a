// The compiled module: one registration function per folder.
#include <nanobind/nanobind.h>

#include "bindings.hpp"

NB_MODULE(_native, m) {
    m.doc() = "Compiled kernels of glasswood: stateless functions on arrays.";
    glasswood::bind::bind_base(m);
    glasswood::bind::bind_table(m);
    glasswood::bind::bind_model(m);
    glasswood::bind::bind_predict(m);
    glasswood::bind::bind_bins(m);
    glasswood::bind::bind_row_statistics(m);
    glasswood::bind::bind_loss(m);
    glasswood::bind::bind_level_tree(m);
    glasswood::bind::bind_boost(m);
    glasswood::bind::bind_shared_grower(m);
    glasswood::bind::bind_gains(m);
    glasswood::bind::bind_forest(m);
    glasswood::bind::bind_explain(m);
    glasswood::bind::bind_effects(m);
    glasswood::bind::bind_interactions(m);
    glasswood::bind::bind_attributions(m);
    glasswood::bind::bind_proofs(m);
    glasswood::bind::bind_rules(m);
    glasswood::bind::bind_examples(m);
    glasswood::bind::bind_formats(m);
    glasswood::bind::bind_formulas(m);
}
