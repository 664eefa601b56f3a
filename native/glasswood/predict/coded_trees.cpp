#include "glasswood/predict/coded_trees.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "glasswood/predict/tree_walk.hpp"

namespace glasswood::predict {
namespace {

constexpr std::size_t table_padding = 64;  // what a vector look-up may read
constexpr std::int32_t top_share = 64;     // a node with this part of a deep tree's leaves still belongs to its top

// Compiles one tree after the other into `out`; keeps its working memory between them.
template <class Code>
class Compiler {
 public:
    Compiler(const model::Ensemble& ensemble, const CategoryTests& categories, CodedTrees<Code>& out)
        : ensemble_(ensemble), categories_(categories), out_(out) {}

    // Deep trees are what takes memory: growing by doubling would touch all of it twice.
    void reserve(std::size_t first_tree, std::size_t last_tree) {
        std::size_t n_deep = 0;
        for (std::size_t tree = first_tree; tree < last_tree; ++tree) {
            const auto n_nodes = static_cast<std::size_t>(ensemble_.tree_start[tree + 1] - ensemble_.tree_start[tree]);
            if (n_nodes >= 2 * max_exits) n_deep += n_nodes;
        }
        out_.deep_nodes.reserve(n_deep);
        out_.deep_leaf_ids.reserve(n_deep);
        out_.values.reserve(n_deep * ensemble_.width);
    }

    void compile(std::size_t tree) {
        root_ = ensemble_.tree_start[tree];
        n_nodes_ = static_cast<std::size_t>(ensemble_.tree_start[tree + 1] - root_);
        count_leaves();
        CodedTree coded;
        coded.node = out_.select_nodes.size();
        coded.set = out_.sets.size();
        coded.exit = out_.exits.size();
        coded.value = out_.values.size();
        coded.deep = out_.deep_nodes.size();
        const bool deep = leaves_[0] > static_cast<std::int32_t>(max_exits);
        add_select(deep ? top_limit() : 2);
        coded.n_nodes = static_cast<std::uint32_t>(out_.select_nodes.size() - coded.node);
        coded.n_exits = static_cast<std::uint32_t>(out_.exits.size() - coded.exit);
        if (deep) {
            coded.kind = CodedTree::Kind::deep;
            add_deep(tree, coded);
        } else {
            const std::uint32_t depths = oblivious_depths(coded);
            if (depths > 0) {
                coded.kind = CodedTree::Kind::oblivious;
                coded.n_nodes = depths;
                out_.select_nodes.resize(coded.node + depths);
            }
            add_values(coded);
        }
        out_.trees.push_back(coded);
    }

 private:
    std::size_t node(std::size_t i) const { return static_cast<std::size_t>(root_) + i; }
    std::size_t left(std::size_t i) const { return static_cast<std::size_t>(ensemble_.left[node(i)] - root_); }
    std::size_t right(std::size_t i) const { return static_cast<std::size_t>(ensemble_.right[node(i)] - root_); }
    bool is_leaf(std::size_t i) const { return ensemble_.is_leaf(node(i)); }

    void count_leaves() {
        leaves_.assign(n_nodes_, 1);
        for (std::size_t i = n_nodes_; i-- > 0;) {
            if (!is_leaf(i)) leaves_[i] = leaves_[left(i)] + leaves_[right(i)];
        }
    }

    // Nodes with at least this many leaves form the top: a parent has more than its child, so they are
    // connected. There are fewer of them than exits, which a Code must be able to count.
    std::int32_t top_limit() {
        const std::int32_t limit = std::max<std::int32_t>(2, leaves_[0] / top_share);
        sorted_.clear();
        for (const std::int32_t n : leaves_) {
            if (n >= limit) sorted_.push_back(n);
        }
        if (sorted_.size() < max_exits) return limit;
        const auto last = sorted_.begin() + (max_exits - 1);
        std::nth_element(sorted_.begin(), last, sorted_.end(), std::greater<>());
        return *last + 1;
    }

    // Nodes with at least `limit` leaves become select nodes, what hangs below them exits, numbered left to
    // right.
    void add_select(std::int32_t limit) {
        const std::size_t first_exit = out_.exits.size();
        const auto in_top = [&](std::size_t i) { return !is_leaf(i) && leaves_[i] >= limit; };
        width_.assign(n_nodes_, 1);  // exits below
        for (std::size_t i = n_nodes_; i-- > 0;) {
            if (in_top(i)) width_[i] = width_[left(i)] + width_[right(i)];
        }
        out_.exits.resize(first_exit + static_cast<std::size_t>(width_[0]));
        lowest_.assign(n_nodes_, -1);  // -1: above or beside no select node
        depth_.assign(n_nodes_, 0);
        lowest_[0] = 0;
        for (std::size_t i = 0; i < n_nodes_; ++i) {
            if (lowest_[i] < 0) continue;
            if (!in_top(i)) {
                out_.exits[first_exit + static_cast<std::size_t>(lowest_[i])] = static_cast<std::int32_t>(node(i));
                continue;
            }
            const std::int32_t middle = lowest_[i] + width_[left(i)];
            lowest_[left(i)] = lowest_[i];
            lowest_[right(i)] = middle;
            depth_[left(i)] = depth_[right(i)] = depth_[i] + 1;
            const auto question = out_.columns.question(ensemble_, categories_, node(i));
            out_.select_nodes.push_back({static_cast<std::uint16_t>(question.column),
                                         static_cast<std::int16_t>(code_of(question.cut)),
                                         static_cast<std::uint8_t>(lowest_[i]), static_cast<std::uint8_t>(middle),
                                         static_cast<std::uint8_t>(question.set.size() / table_bytes)});
            out_.sets.insert(out_.sets.end(), question.set.begin(), question.set.end());
            select_depth_.resize(out_.select_nodes.size(), 0);
            select_depth_.back() = depth_[i];
        }
    }

    static Code code_of(std::uint32_t cut) {
        return static_cast<Code>(static_cast<std::int32_t>(cut) + std::numeric_limits<Code>::min());
    }

    // Depth of a complete tree whose nodes of one depth all ask the same, 0 if it is not one. Its questions,
    // in order of depth, are then moved to the front of its select nodes.
    std::uint32_t oblivious_depths(const CodedTree& coded) {
        std::uint32_t depths = 0;
        while ((1U << depths) < coded.n_exits) ++depths;
        if (depths < 2 || (1U << depths) != coded.n_exits) return 0;
        SelectNode* nodes = out_.select_nodes.data() + coded.node;
        std::vector<SelectNode> asked(depths);
        std::vector<std::span<const std::uint8_t>> sets(depths);
        std::vector<bool> known(depths, false);
        const std::uint8_t* set = out_.sets.data() + coded.set;
        for (std::size_t n = 0; n < coded.n_nodes; ++n) {
            const auto depth = static_cast<std::size_t>(select_depth_[coded.node + n]);
            if (depth >= depths) return 0;
            const std::span own(set, nodes[n].n_tables * table_bytes);
            set += own.size();
            if (!known[depth]) {
                asked[depth] = nodes[n];
                sets[depth] = own;
            }
            known[depth] = true;
            if (asked[depth].column != nodes[n].column || asked[depth].cut != nodes[n].cut) return 0;
            if (!std::ranges::equal(sets[depth], own)) return 0;
        }
        std::copy(asked.begin(), asked.end(), nodes);
        std::vector<std::uint8_t> joined;
        for (const auto& own : sets) joined.insert(joined.end(), own.begin(), own.end());
        out_.sets.resize(coded.set);
        out_.sets.insert(out_.sets.end(), joined.begin(), joined.end());
        return depths;
    }

    void add_values(const CodedTree& coded) {
        const std::size_t width = ensemble_.width;
        const std::size_t padded = (coded.n_exits * width + table_padding - 1) / table_padding * table_padding;
        out_.values.resize(coded.value + padded, 0.0);
        for (std::size_t e = 0; e < coded.n_exits; ++e) {
            const auto origin = static_cast<std::size_t>(out_.exits[coded.exit + e]);
            std::copy_n(&ensemble_.value[origin * width], width, &out_.values[coded.value + e * width]);
        }
    }

    // The whole tree again, siblings adjacent; exits become positions in it.
    void add_deep(std::size_t tree, const CodedTree& coded) {
        const std::size_t width = ensemble_.width;
        sibling_positions(ensemble_, tree, positions_);
        out_.deep_nodes.resize(coded.deep + n_nodes_);
        out_.deep_leaf_ids.resize(coded.deep + n_nodes_);
        out_.values.resize(coded.value + n_nodes_ * width);
        for (std::size_t i = 0; i < n_nodes_; ++i) {
            if (positions_[i] < 0) continue;
            const auto at = static_cast<std::size_t>(positions_[i]);
            out_.deep_leaf_ids[coded.deep + at] = ensemble_.leaf_id[node(i)];
            std::copy_n(&ensemble_.value[node(i) * width], width, &out_.values[coded.value + at * width]);
            DeepNode<Code>& deep = out_.deep_nodes[coded.deep + at];
            if (is_leaf(i)) {
                deep = {static_cast<std::uint32_t>(at), 0, std::numeric_limits<Code>::max()};
            } else {
                const auto question = out_.columns.question(ensemble_, categories_, node(i));
                deep = {static_cast<std::uint32_t>(positions_[left(i)]), static_cast<std::uint16_t>(question.column),
                        code_of(question.cut)};
            }
        }
        for (std::size_t e = 0; e < coded.n_exits; ++e) {
            std::int32_t& exit = out_.exits[coded.exit + e];
            exit = positions_[exit - root_];
        }
        out_.any_deep = true;
    }

    const model::Ensemble& ensemble_;
    const CategoryTests& categories_;
    CodedTrees<Code>& out_;
    std::int32_t root_ = 0;
    std::size_t n_nodes_ = 0;
    std::vector<std::int32_t> leaves_, width_, lowest_, depth_, select_depth_, positions_, sorted_;
};

}  // namespace

bool is_deep(const model::Ensemble& ensemble, std::size_t tree) {
    const auto n_nodes = static_cast<std::size_t>(ensemble.tree_start[tree + 1] - ensemble.tree_start[tree]);
    return n_nodes >= 2 * max_exits;
}

template <class Code>
CodedTrees<Code>::CodedTrees(const model::Ensemble& ensemble, const CategoryTests& categories, const table::Grid& grid,
                             std::size_t first, std::size_t last, bool with_sets)
    : first_tree(first), columns(ensemble, categories, grid, first, last, with_sets) {
    Compiler<Code> compiler(ensemble, categories, *this);
    compiler.reserve(first, last);
    for (std::size_t tree = first; tree < last; ++tree) compiler.compile(tree);
}

template struct CodedTrees<std::int8_t>;
template struct CodedTrees<std::int16_t>;

}  // namespace glasswood::predict
