#include "glasswood/attributions/attributions.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "glasswood/attributions/deep_trees.hpp"
#include "glasswood/attributions/distinct_masks.hpp"
#include "glasswood/attributions/leaf_table.hpp"
#include "glasswood/attributions/row_lines.hpp"
#include "glasswood/attributions/wide_trees.hpp"
#include "glasswood/base/parallel.hpp"
#include "glasswood/base/pool.hpp"

namespace glasswood::attributions {
namespace {

constexpr std::size_t batch_bytes = 512U << 10;  // tables that go over the rows together: they stay in the second cache
constexpr std::size_t pair_batch_bytes = 4U << 20;  // of pairs, whose rows are long: fewer passes over them
constexpr std::size_t max_block = 2048;             // rows whose patterns are made together, at most
constexpr std::size_t min_block = 512;              // rows that are worth a chunk of their own
constexpr std::size_t few_rows = 64;                // rows that read little of each table
constexpr std::size_t max_rows_by_line = 32;  // up to this many rows, only the lines of tables that they need are made

AttributionSlots all_values(const model::Ensemble& e) {
    AttributionSlots slots;
    slots.slot.resize(e.n_features());
    std::iota(slots.slot.begin(), slots.slot.end(), 0);
    slots.n_kept = e.n_features();
    slots.n_outputs = e.n_outputs();
    return slots;
}

std::size_t table_bytes(const AttributionPlan& plan, std::size_t tree, bool pairs) {
    std::size_t bytes = 0;
    for (const AttributionGroup& group : plan.tree(tree).groups) {
        const std::size_t columns = group.features.size();
        bytes += (pairs ? n_pairs(columns) : columns) << group.n_bits();
    }
    return bytes * plan.ensemble().width * sizeof(double);
}

// The working memory of one thread for a block of rows and a batch of trees.
struct BlockScratch {
    AnswerPlanes planes;
    PatternWriter writer;
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint16_t> words;
    std::vector<LinesOfRows> lines;
    DistinctMasks distinct;
    TableMaker maker;          // of few rows
    std::vector<double> part;  // lines of few rows
};

// Rows of a block. Eight blocks, or a multiple of eight, keep 2, 4 and 8 threads equally busy.
std::size_t even_block(std::size_t n_rows) {
    const std::size_t n_blocks = std::min((n_rows + 8 * max_block - 1) / (8 * max_block) * 8, n_rows / min_block);
    const std::size_t rows = (n_rows + std::max<std::size_t>(n_blocks, 1) - 1) / std::max<std::size_t>(n_blocks, 1);
    return (rows + 63) / 64 * 64;
}

// Trees whose tables go over the rows together.
struct TreeBatch {
    std::size_t first = 0;
    std::size_t n_trees = 0;
    std::vector<TreeLines> made;
    std::vector<const TreeLines*> tables;
};

class TablePass {
 public:
    TablePass(const AttributionTask& task, const AttributionPlan& plan, const AttributionSlots& slots,
              const explain::Codes& codes, double* out)
        : task_(task),
          plan_(plan),
          slots_(slots),
          codes_(codes),
          block_(even_block(codes.n_rows())),
          batch_bytes_((slots.pairs ? pair_batch_bytes : batch_bytes) *
                       static_cast<std::size_t>(std::max(1, base::usable_threads(task.n_threads) / 2))),
          out_(out) {}

    // Trees [first, last), all of them with tables.
    void add(std::size_t first, std::size_t last) {
        if (task_.background == nullptr && !slots_.pairs && task_.cache == nullptr &&
            codes_.n_rows() <= max_rows_by_line) {
            add_few(first, last);
            return;
        }
        TreeBatch ready, next = batch_from(first, last);
        while (ready.n_trees + next.n_trees > 0) {
            add_and_make(ready, next);
            ready = std::move(next);
            next = batch_from(ready.first + ready.n_trees, last);
        }
    }

 private:
    TreeBatch batch_from(std::size_t first, std::size_t last) const {
        TreeBatch batch;
        batch.first = first;
        const bool cached = task_.cache != nullptr && first < last && task_.cache->lines_of(first) != nullptr;
        std::size_t bytes = 0;
        while (first + batch.n_trees < last && ((cached && codes_.n_rows() <= few_rows) || bytes < batch_bytes_))
            bytes += table_bytes(plan_, first + batch.n_trees++, slots_.pairs);
        batch.tables.resize(batch.n_trees);
        if (!cached) batch.made.resize(batch.n_trees);
        for (std::size_t i = 0; i < batch.n_trees; ++i)
            batch.tables[i] = cached ? task_.cache->lines_of(first + i) : &batch.made[i];
        return batch;
    }

    // Adds the tables of one batch to the rows while those of the next batch are made: together they are enough chunks
    // to keep all threads busy. A row gets its batches one after the other.
    void add_and_make(const TreeBatch& ready, TreeBatch& next) {
        const std::size_t n_rows = codes_.n_rows(), n_made = next.made.size();
        const std::size_t n_blocks = ready.n_trees == 0 ? 0 : (n_rows + block_ - 1) / block_;
        const base::Work work = n_made > 0 ? base::large_work : base::work_of(n_rows * ready.n_trees, 10.0);
        base::parallel_for(n_made + n_blocks, task_.n_threads, work, [&](std::size_t chunk) {
            task_.interrupt.check();
            if (chunk < n_made) {
                const AttributionTree& tree = plan_.tree(next.first + chunk);
                next.made[chunk] = makers_.borrow()->make(plan_, tree, task_.background, slots_);
            } else {
                add_block(ready, (chunk - n_made) * block_, *scratch_.borrow());
            }
        });
    }

    // Adds the tables of a batch to the rows of a block.
    void add_block(const TreeBatch& batch, std::size_t first, BlockScratch& s) const {
        const std::size_t n = std::min(block_, codes_.n_rows() - first), padded = (n + 63) / 64 * 64;
        std::size_t n_bytes = 0, n_words = 0;
        for (std::size_t i = 0; i < batch.n_trees; ++i) {
            for (const AttributionGroup& group : plan_.tree(batch.first + i).groups)
                (group.n_bits() <= 8 ? n_bytes : n_words) += padded;
        }
        if (s.bytes.size() < n_bytes) s.bytes.resize(n_bytes);
        if (s.words.size() < n_words) s.words.resize(n_words);
        s.lines.clear();
        std::uint8_t* byte = s.bytes.data();
        std::uint16_t* word = s.words.data();
        for (std::size_t i = 0; i < batch.n_trees; ++i) {
            const AttributionTree& tree = plan_.tree(batch.first + i);
            s.planes.prepare(tree, plan_.splits(), codes_, first, n);
            for (std::size_t g = 0; g < tree.groups.size(); ++g) {
                const GroupLines& made = (*batch.tables[i])[g];
                if (made.layout.width() == 0) continue;
                if (tree.groups[g].n_bits() <= 8) {
                    s.writer.write(s.planes, tree.groups[g], byte);
                    s.lines.push_back({made.lines.data(), byte, made.layout.offset});
                    byte += padded;
                } else {
                    s.writer.write(s.planes, tree.groups[g], word);
                    s.lines.push_back({made.lines.data(), word, made.layout.offset});
                    word += padded;
                }
            }
        }
        const std::size_t stride = slots_.row_size();
        add_lines(s.lines, 0, n, stride, out_ + first * stride);
    }

    // The same numbers for few rows: makes only the lines of tables that some row needs.
    void add_few(std::size_t first, std::size_t last) const {
        BlockScratch s;
        const model::Ensemble& e = plan_.ensemble();
        const std::size_t n = codes_.n_rows(), stride = slots_.row_size();
        s.words.resize(64);
        for (std::size_t t = first; t < last; ++t) {
            const AttributionTree& tree = plan_.tree(t);
            task_.interrupt.check();
            s.planes.prepare(tree, plan_.splits(), codes_, 0, n);
            for (const AttributionGroup& group : tree.groups) {
                LineLayout layout;
                layout.prepare(group, slots_, static_cast<std::size_t>(e.tree_output[t]), e.width);
                s.writer.write(s.planes, group, s.words.data());
                s.distinct.prepare(group.n_bits());
                for (std::size_t r = 0; r < n; ++r)
                    s.words[r] = static_cast<std::uint16_t>(s.distinct.number(s.words[r]));
                s.part.resize(s.distinct.masks().size() * layout.width());
                s.maker.make_path_lines(plan_, group, layout, s.distinct.masks(), s.part.data());
                s.lines.assign(1, {s.part.data(), s.words.data(), layout.offset});
                add_lines(s.lines, 0, n, stride, out_);
            }
        }
    }

    const AttributionTask& task_;
    const AttributionPlan& plan_;
    const AttributionSlots& slots_;
    const explain::Codes& codes_;
    std::size_t block_;        // rows
    std::size_t batch_bytes_;  // more threads need more trees to share
    double* out_;
    base::Pool<TableMaker> makers_;
    base::Pool<BlockScratch> scratch_;
};

void add_trees(const AttributionTask& task, const AttributionSlots& slots, const explain::Codes& codes, double* out) {
    if (codes.n_rows() == 0 || slots.row_size() == 0) return;
    const AttributionPlan& plan = task.model.plan(slots.pairs);
    TablePass tables(task, plan, slots, codes, out);
    for (std::size_t t = 0; t < plan.n_trees();) {
        std::size_t end = t;
        while (end < plan.n_trees() && plan.kind(end) == AttributionKind::table) ++end;
        if (end > t) {
            tables.add(t, end);
            t = end;
            continue;
        }
        task.interrupt.check();
        if (plan.kind(t) == AttributionKind::deep) {
            const DeepTree* cached = task.cache == nullptr || slots.pairs ? nullptr : task.cache->deep(t);
            std::optional<DeepTree> made;
            if (cached == nullptr) made.emplace(plan, t, task.background, task.n_threads, task.interrupt);
            (cached == nullptr ? *made : *cached).add(codes, slots, task.n_threads, task.interrupt, out);
        } else {
            add_wide_tree(plan, t, task.background, codes, slots, task.n_threads, task.interrupt, out);
        }
        ++t;
    }
}

// Copies the lower triangle to the upper; the diagonal becomes a feature's value minus all its pairs.
void finish_pairs(std::span<const std::int32_t> kept, std::size_t n_outputs, const double* values, double* out) {
    const std::size_t n = kept.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t o = 0; o < n_outputs; ++o) {
            double rest = values[static_cast<std::size_t>(kept[i]) * n_outputs + o] - out[(i * n + i) * n_outputs + o];
            for (std::size_t j = 0; j < n; ++j) {
                if (j == i) continue;
                const double pair = out[(std::max(i, j) * n + std::min(i, j)) * n_outputs + o];
                rest -= pair;
                if (j > i) out[(i * n + j) * n_outputs + o] = pair;
            }
            out[(i * n + i) * n_outputs + o] = rest;
        }
    }
}

}  // namespace

AttributionModel::AttributionModel(const model::Ensemble& ensemble, std::span<const double> weight,
                                   std::span<const std::uint8_t> missing_routed, AttributionLimits limits)
    : ensemble_(ensemble),
      axes_(explain::make_axes(ensemble_, missing_routed)),
      weight_(weight),
      limits_(limits),
      empty_(axes_, ensemble_),
      values_(ensemble_, axes_, weight_, false, limits_) {}

const AttributionPlan& AttributionModel::plan(bool pairs) const {
    if (!pairs) return values_;
    std::call_once(paired_,
                   [this] { pairs_ = std::make_unique<AttributionPlan>(ensemble_, axes_, weight_, true, limits_); });
    return *pairs_;
}

TableCache::TableCache(const AttributionModel& model, const Background* background, std::size_t max_bytes,
                       int n_threads, const base::Interrupt& interrupt) {
    const AttributionPlan& plan = model.plan(false);
    for (std::size_t t = 0; t < plan.n_trees(); ++t)
        n_bytes_ += plan.kind(t) == AttributionKind::table ? table_bytes(plan, t, false) : 0;
    deep_.resize(plan.n_trees());
    if (n_bytes_ > max_bytes) {
        n_bytes_ = 0;
        return;
    }
    trees_.resize(plan.n_trees());
    const AttributionSlots slots = all_values(model.ensemble());
    base::Pool<TableMaker> makers;
    base::parallel_for(plan.n_trees(), n_threads, base::large_work, [&](std::size_t t) {
        interrupt.check();
        if (plan.kind(t) == AttributionKind::table)
            trees_[t] = makers.borrow()->make(plan, plan.tree(t), background, slots);
    });
    for (std::size_t t = 0; t < plan.n_trees(); ++t) {
        if (plan.kind(t) != AttributionKind::deep) continue;
        auto made = std::make_unique<DeepTree>(plan, t, background, n_threads, interrupt);
        if (n_bytes_ + made->n_bytes() > max_bytes) return;
        n_bytes_ += made->n_bytes();
        deep_[t] = std::move(made);
    }
}

TableCache::~TableCache() = default;
TableCache::TableCache(TableCache&&) noexcept = default;

void add_values(const AttributionTask& task, const explain::Codes& codes, double* out) {
    add_trees(task, all_values(task.model.ensemble()), codes, out);
}

void write_pairs(const AttributionTask& task, const explain::Codes& codes, std::span<const std::int32_t> kept,
                 const double* values, double* out) {
    const model::Ensemble& e = task.model.ensemble();
    AttributionSlots slots;
    slots.pairs = true;
    slots.n_kept = kept.size();
    slots.n_outputs = e.n_outputs();
    slots.slot.assign(e.n_features(), -1);
    for (std::size_t i = 0; i < kept.size(); ++i) slots.slot[kept[i]] = static_cast<std::int32_t>(i);
    add_trees(task, slots, codes, out);
    const std::size_t value_size = e.n_features() * e.n_outputs();
    constexpr std::size_t rows = 256;
    base::parallel_for((codes.n_rows() + rows - 1) / rows, task.n_threads,
                       base::work_of(codes.n_rows() * slots.row_size(), 1.0), [&](std::size_t chunk) {
                           for (std::size_t r = chunk * rows; r < std::min(codes.n_rows(), (chunk + 1) * rows); ++r)
                               finish_pairs(kept, e.n_outputs(), values + r * value_size, out + r * slots.row_size());
                       });
}

}  // namespace glasswood::attributions
