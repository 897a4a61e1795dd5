// Recipes by how near they come to a result: first on a few pixels, the near ones on all.

#include "app/studies/recipes/recipe_study.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>

#include "gpu/backend/recipe_rendering.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope {
namespace {

constexpr int band = 8;                  // pixels at each end and in the middle that all recipes are compared on
constexpr int jpeg_band = 16;            // of JPEGs, whose blocks are of eight
constexpr size_t nearest_compared = 12;  // on all pixels, where none is within a level
constexpr size_t most_compared = 48;     // on all pixels
constexpr size_t most_taps_kept = 64;

// The ends and the middle of an axis.
std::vector<int> bands_of(int count, int wide) {
    if (count <= 4 * wide) return all_pixels(count);
    std::vector<int> pixels;
    for (const int first : {0, count / 2 / wide * wide, (count - wide) / 8 * 8})
        for (int k = 0; k < wide; ++k) pixels.push_back(first + k);
    return pixels;
}

bool leaves_image(const LongTaps& taps, size_t i, int samples) {
    return taps.first[i] < 0 || taps.first[i] + taps.taps > samples;
}

// Appends pixel i of `from`; both have been made for as many samples.
void append(LongTaps& to, const LongTaps& from, size_t i, int samples) {
    // A shorter row ends where the window would leave the image.
    const int shift = leaves_image(from, i, samples) ? 0 : std::max(0, from.first[i] + to.taps - samples);
    to.first.push_back(from.first[i] - shift);
    const size_t at = to.weights.size();
    to.weights.resize(at + size_t(to.taps), 0.0f);
    std::copy_n(from.weights.begin() + std::ptrdiff_t(i) * from.taps, from.taps,
                to.weights.begin() + std::ptrdiff_t(at) + shift);
}

// The taps of some pixels of an axis. A library's own table is that of all pixels, as are positions that are sums.
LongTaps taps_of_pixels(const Rule& rule, int samples, int pixels, int first, const std::vector<int>& wanted) {
    const bool whole = rule.table.make || rule.stepping == Stepping::summed || int(wanted.size()) == pixels;
    std::vector<std::pair<LongTaps, std::vector<int>>> parts;  // taps, and which of them
    if (whole) {
        parts.push_back({taps_of(rule, {samples, double(pixels), 0, pixels}), wanted});
        for (int& pixel : parts.front().second) pixel += first;
    } else {
        for (size_t k = 0; k < wanted.size();) {
            size_t end = k + 1;
            while (end < wanted.size() && wanted[end] == wanted[end - 1] + 1) ++end;
            const int count = int(end - k);
            parts.push_back(
                {taps_of(rule, {samples, double(pixels), double(first + wanted[k]), count}), all_pixels(count)});
            k = end;
        }
    }
    LongTaps joined;
    for (const auto& part : parts) joined.taps = std::max(joined.taps, part.first.taps);
    for (const auto& part : parts)
        for (const int pixel : part.second) append(joined, part.first, size_t(pixel), samples);
    return joined;
}

Image without_alpha(Image image) {
    image.set_alpha(Alpha::none);
    return image;
}

// A hash of all samples, rounded to whole levels in 8 and 16 bits. Recipes with the same fingerprint are one answer.
uint64_t fingerprint(const Image& image, double unit, bool levels) {
    uint64_t hash = 14695981039346656037u;  // FNV-1a, 64 bits
    for (int y = 0; y < image.height(); ++y)
        for (size_t k = 0; k < size_t(image.width()) * size_t(image.channels()); ++k) {
            const float value = image.row_as<float>(y)[k];
            const auto bits = levels ? uint64_t(std::llround(std::clamp(double(value) * unit, 0.0, unit)))
                                     : uint64_t(std::bit_cast<uint32_t>(value));
            hash = (hash ^ bits) * 1099511628211u;
        }
    return hash;
}

Match match_of(const Closeness& close) {
    return close.exact() ? Match::exact : close.within_one() ? Match::within_one : Match::none;
}

bool is_nearer(const RankedRecipe& a, const RankedRecipe& b) {
    if (a.by_part != b.by_part) return b.by_part;
    if ((a.match == Match::exact) != (b.match == Match::exact)) return a.match == Match::exact;
    if (a.possible && b.possible && *a.possible != *b.possible) return *a.possible > *b.possible;
    return a.closeness.mean < b.closeness.mean;
}

// The second channel alone, of pictures whose channels are all resized alike.
Image one_channel(const Image& image) {
    Image green(image.width(), image.height(), 1, image.type());
    const size_t sample = bytes_per_sample(image.type());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            std::memcpy(green.row(y) + size_t(x) * sample,
                        image.row(y) + (size_t(x) * size_t(image.channels()) + 1) * sample, sample);
    return green;
}

// A recipe, and others with the same rule.
struct Candidate {
    RankedRecipe ranked;
    ResizeRule rule;  // for the channels of the original that was compared
};

inline constexpr WorkName ranking_recipes{"ranking recipes"};

// Calls body(originals, k) for k = 0 … n − 1: in all threads where these compute, each with a backend of its own. `progress` is
// called by the calling thread.
template <class Body>
void for_each_recipe(const std::shared_ptr<Backend>& backend, const Image& original, size_t n,
                     const StudyProgress& progress, const Body& body) {
    struct Scratch {
        std::unique_ptr<Originals> originals;
    };
    const bool in_threads = backend->info().kind == BackendKind::cpu;
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> done = 0;
    constexpr int chunk = 4;
    parallel_for_with<Scratch>(
        ranking_recipes, n, in_threads ? chunk : (long long)(n), [&](Scratch& scratch, size_t k) {
            const bool is_caller = std::this_thread::get_id() == caller;
            if (is_caller) progress(done, int(n));
            if (!scratch.originals)
                scratch.originals =
                    std::make_unique<Originals>(is_caller ? backend : make_backend_like(backend->info()), original);
            body(*scratch.originals, k);
            ++done;
        });
}

class Ranking {
public:
    Ranking(const std::shared_ptr<Backend>& backend, const Image& original, const Image& result,
            const Placement& placement, const StoredJpeg* jpeg)
        : backend_(backend),
          original_(original),
          result_(result),
          placement_(placement),
          columns_(bands_of(result.width(), jpeg ? jpeg_band : band)),
          rows_(bands_of(result.height(), jpeg ? jpeg_band : band)),
          luma_(jpeg ? std::optional<JpegLuma>(std::in_place, result, *jpeg) : std::nullopt) {}

    // Every recipe, on the bands of these pictures.
    void compare_bands(const Image& original, const Image& result, const StudyProgress& progress) {
        for (const BoundRecipe& recipe : all_bound_recipes()) {
            ResizeRule rule;
            try {
                rule = rule_of(recipe, original, placement_.whole);
            } catch (const UsageError&) {
                continue;  // options that do not go together
            }
            const auto same = std::find_if(candidates_.begin(), candidates_.end(),
                                           [&](const Candidate& each) { return each.rule == rule; });
            if (same != candidates_.end()) same->ranked.same.push_back(recipe.text);
            else candidates_.push_back({{recipe, {}, Match::none, {}, true}, std::move(rule)});
        }
        if (candidates_.empty()) throw Error("no recipe takes pictures of this kind");
        const Image wanted = picked(result, columns_, rows_);
        for_each_recipe(backend_, original, candidates_.size(), progress, [&](Originals& originals, size_t k) {
            const Image made = originals.pixels(candidates_[k].rule, placement_, columns_, rows_);
            compare(candidates_[k].ranked, made, wanted, columns_, rows_);
        });
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [](const Candidate& a, const Candidate& b) { return is_nearer(a.ranked, b.ranked); });
    }

    // Compares candidates that are near, on all pixels and channels; recipes with the same picture become one.
    std::vector<RankedRecipe> compare_all(const StudyProgress& progress) {
        const RankedRecipe& best = candidates_.front().ranked;
        const size_t within = size_t(std::count_if(candidates_.begin(), candidates_.end(), [&](const Candidate& each) {
            constexpr double slack = 0.02;  // of the coefficients of a part
            return each.ranked.match != Match::none ||
                   (luma_ && each.ranked.possible.value_or(0) >= best.possible.value_or(0) - slack);
        }));
        const size_t exact = size_t(std::count_if(candidates_.begin(), candidates_.end(), [](const Candidate& each) {
            return each.ranked.match == Match::exact;  // which are the first
        }));
        const size_t compared =
            std::min(std::max(exact, std::clamp(within, nearest_compared, most_compared)), candidates_.size());
        const std::vector<int> columns = all_pixels(result_.width()), rows = all_pixels(result_.height());
        const bool levels = result_.type() == SampleType::u8 || result_.type() == SampleType::u16;
        const double unit = result_.type() == SampleType::u8 ? 255 : result_.type() == SampleType::u16 ? 65535 : 1;
        std::vector<uint64_t> prints(compared);
        for_each_recipe(backend_, original_, compared, progress, [&](Originals& originals, size_t k) {
            RankedRecipe& each = candidates_[k].ranked;
            const Image made =
                originals.pixels(rule_of(each.recipe, original_, placement_.whole), placement_, columns, rows);
            prints[k] = fingerprint(made, unit, levels);
            compare(each, made, result_, columns, rows);
            each.by_part = false;
        });
        std::vector<RankedRecipe> all;
        for (size_t k = 0; k < candidates_.size(); ++k) {
            RankedRecipe& each = candidates_[k].ranked;
            if (k < compared) {
                const size_t twin = size_t(std::find(prints.begin(), prints.end(), prints[k]) - prints.begin());
                if (twin < k) {
                    const auto listed = std::find_if(all.begin(), all.end(), [&](const RankedRecipe& other) {
                        return other.recipe.text == candidates_[twin].ranked.recipe.text;
                    });
                    listed->same.push_back(each.recipe.text);
                    listed->same.insert(listed->same.end(), each.same.begin(), each.same.end());
                    continue;
                }
            } else {
                each.match = Match::none;  // nothing is claimed of what was compared on a part only
            }
            all.push_back(each);
        }
        std::stable_sort(all.begin(), all.end(), is_nearer);
        return all;
    }

private:
    void compare(RankedRecipe& recipe, const Image& made, const Image& wanted, const std::vector<int>& columns,
                 const std::vector<int>& rows) const {
        recipe.closeness = closeness(made, wanted);
        recipe.match = match_of(recipe.closeness);
        if (luma_) recipe.possible = luma_->possible(made, columns, rows);
    }

    const std::shared_ptr<Backend>& backend_;
    const Image& original_;
    const Image& result_;
    const Placement& placement_;
    std::vector<int> columns_, rows_;
    std::optional<JpegLuma> luma_;
    std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<int> all_pixels(int count) {
    std::vector<int> pixels(static_cast<size_t>(count));
    std::iota(pixels.begin(), pixels.end(), 0);
    return pixels;
}

Image picked(const Image& image, const std::vector<int>& columns, const std::vector<int>& rows) {
    Image part(int(columns.size()), int(rows.size()), image.channels(), image.type(), image.alpha());
    const size_t pixel = size_t(image.channels()) * bytes_per_sample(image.type());
    for (size_t j = 0; j < rows.size(); ++j)
        for (size_t i = 0; i < columns.size(); ++i)
            std::memcpy(part.row(int(j)) + i * pixel, image.row(rows[j]) + size_t(columns[i]) * pixel, pixel);
    return part;
}

Originals::Originals(const std::shared_ptr<Backend>& backend, const Image& original)
    : original_(original), premultiplied_(backend, original), channels_(backend, without_alpha(original)) {}

const LongTaps& Originals::taps(const Rule& rule, int samples, int pixels, int first, const std::vector<int>& wanted) {
    const auto found = std::find_if(made_.rbegin(), made_.rend(), [&](const std::unique_ptr<MadeTaps>& each) {
        return each->samples == samples && each->pixels == pixels && each->first == first && each->wanted == wanted &&
               each->rule == rule;
    });
    if (found != made_.rend()) return (*found)->taps;
    if (made_.size() >= most_taps_kept) made_.erase(made_.begin(), made_.begin() + most_taps_kept / 2);
    made_.push_back(std::make_unique<MadeTaps>(
        MadeTaps{rule, samples, pixels, first, wanted, taps_of_pixels(rule, samples, pixels, first, wanted)}));
    return made_.back()->taps;
}

Image Originals::pixels(const ResizeRule& rule, const Placement& placement, const std::vector<int>& columns,
                        const std::vector<int>& rows) {
    SourceImage& source = rule.premultiplied ? premultiplied_ : channels_;
    if (!rule.before.all().empty() || rule.passes.cell_width > 0) {
        const Image whole = image_by_rule(source, rule, placement.whole.width, placement.whole.height);
        std::vector<int> across = columns, down = rows;
        for (int& column : across) column += placement.x;
        for (int& row : down) row += placement.y;
        return unpremultiplied(picked(whole, across, down));
    }
    const LongTaps x = taps(rule.x, original_.width(), placement.whole.width, placement.x, columns);
    const LongTaps& y = taps(rule.y, original_.height(), placement.whole.height, placement.y, rows);
    return unpremultiplied(image_by_taps(source, rule, x, y));
}

std::vector<RankedRecipe> ranked(const std::shared_ptr<Backend>& backend, const Image& original, const Image& result,
                                 const Placement& placement, const StoredJpeg* jpeg, const StudyProgress& progress) {
    Ranking ranking(backend, original, result, placement, jpeg);
    // The luma of a JPEG is of all channels.
    if (original.channels() == 3 && original.alpha() == Alpha::none && !jpeg)
        ranking.compare_bands(one_channel(original), one_channel(result), progress);
    else ranking.compare_bands(original, result, progress);
    return ranking.compare_all(progress);
}

}  // namespace texelscope
