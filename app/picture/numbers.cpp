#include "app/picture/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "gpu/core/tile_source.h"

namespace texelscope {
namespace {

using Tells = Against::Tells;

// The metrics of the picture on the screen; null if nothing was measured.
const Metrics* measured(const AppState& state, int pane) {
    const PaneReport* report = report_of(state.report, pane);
    return report && report->metrics && report->metrics->pixels > 0 ? &*report->metrics : nullptr;
}

std::string meaning(std::string_view term) { return std::string(find_term(term)->meaning); }

void add_error_figures(std::vector<NumberMeaning>& lines, const Metrics& m, bool differs, const ValueScale& scale,
                       const std::string& place) {
    if (differs) {
        const double rmse = m.rmse * scale.factor(), peak = rmse * std::pow(10, m.psnr / 20);
        const std::string here = std::isfinite(m.psnr) && !only_rounding(m.psnr)
                                     ? fmt::format(" Here: 20 log₁₀ ({:.4g} / {:.3g}) = {:.1f}.", peak, rmse, m.psnr)
                                     : "",
                          rounding = only_rounding(m.psnr) ? " Both are the same but for rounding: at 100 %, methods "
                                                             "that interpolate show the stored samples."
                                                           : "";
        lines.push_back({"PSNR", psnr_text(m.psnr) + " dB", meaning("PSNR") + here + rounding});
        lines.push_back({"SSIM", ssim_text(m.ssim), meaning("SSIM")});
    }
    lines.push_back({"RMSE", scale.error(m.rmse), meaning("RMSE")});
    lines.push_back({"Largest error", scale.error(m.max_abs),
                     fmt::format("{} It is at {} of the picture: type that after Ctrl+L to go there.",
                                 meaning("largest error"), place)});
    lines.push_back({"ΔE", "–", meaning("ΔE") + " Panes do not show it; tables of restored pictures do."});
}

void add_cost(std::vector<NumberMeaning>& lines, const Machine& machine, const PaneReport& report) {
    lines.push_back(
        {"Time", time_text(report.render_ms),
         fmt::format("The time that the {} needed for this pane's last rendering.", machine.on_gpu ? "GPU" : "CPU")});
    const bool taps = report.cost.taps;
    lines.push_back({taps ? "Taps" : "Fetches", count_words(report.cost),
                     std::string(count_meaning(report.cost)) + " " + meaning(taps ? "tap" : "fetch")});
}

void add_value(std::vector<NumberMeaning>& lines, const AppState& state, int pane, const ValueScale& scale) {
    const PaneReport* report = report_of(state.report, pane);
    const std::string unit =
        std::string(row_of(state.ui.value_unit).meaning) + " Inspect ▸ Values … chooses another unit.";
    const auto known = report ? report->readout : std::nullopt;
    if (!known) {
        lines.push_back(
            {"Value under the cursor", "–",
             "Point at the picture: the status bar shows the position in samples, the interpolated value and the "
             "nearest stored sample. " +
                 unit});
        return;
    }
    if (!known->on_image && state.scene.outside == Outside::background) {
        lines.push_back({"Value under the cursor", "outside",
                         "The cursor is outside the image. The picture shows its background there, no value of the "
                         "image. Choosing an address mode extends the image."});
        return;
    }
    lines.push_back({"Value under the cursor", interpolated_text(*known, scale),
                     fmt::format("The interpolated value at {}, between the samples; the nearest stored one is {}. {}",
                                 position_text(known->position, false), stored_text(*known, scale), unit)});
}

}  // namespace

std::string numbers_in_short(const AppState& state, int pane) {
    const std::string name = pane_name(pane);
    std::string text =
        fmt::format("Pane {} shows {}.", name, name_in_text(*state.scene.panes[size_t(pane)].spec.method));
    const Metrics* m = measured(state, pane);
    const ValueScale scale = value_scale(state, pane);
    const Against against = against_of(state, pane);
    if (!m) {
        const std::string& why = state.report.findings.no_metrics;
        return text + " " + (why.empty() ? "Its figures are being measured." : "It has no figures: " + why);
    }
    switch (against.tells) {
        case Tells::difference:
            if (std::isnan(m->psnr))
                return text + fmt::format(" Its values differ from {} by {} (root mean square). {}.", against.name,
                                          scale.error(m->rmse), state.report.findings.no_psnr);
            return text +
                   fmt::format(" Against {} it reaches {} dB: its values differ from that by {} (root mean square).",
                               against.name, psnr_text(m->psnr), scale.error(m->rmse)) +
                   (against.likeness ? std::string(" ") + likeness_explained : "");
        case Tells::nothing:
            return text +
                   " It is the reference that other panes are measured against, so it has no decibels of its "
                   "own: a picture compared with itself says nothing.";
        case Tells::arithmetic:
            return text + fmt::format(
                              " It is measured against the same method computed exactly, so its arithmetic error of {} "
                              "is what path, prefilter and float32 lose; it does not say how good the method is.",
                              arithmetic_text(m->rmse * scale.factor()) + scale.of_whole());
    }
    return text;
}

std::vector<NumberMeaning> numbers_explained(const AppState& state, int pane) {
    const ValueScale scale = value_scale(state, pane);
    const Against against = against_of(state, pane);
    std::vector<NumberMeaning> lines;
    lines.push_back(
        {"Label", pane_label(state, pane),
         fmt::format(
             "The method, and those settings that are not the default or tell panes apart. In full: {}; that is "
             "the method, its prefilter if it has one, how it reads the image if that was chosen (the fetch path), and "
             "what else is done to the picture.",
             shown_words(state, pane))});
    const std::string reference = against.tells == Tells::nothing      ? "this pane"
                                  : against.tells == Tells::arithmetic ? "its own method, exact"
                                                                       : against.name;
    lines.push_back(
        {"Reference", reference,
         meaning("reference") + " Compare ▸ Reference chooses it, and holding Shift over a pane shows it."});
    if (const Metrics* m = measured(state, pane)) {
        const std::string left_out = left_out_words(state, pane, *m);
        lines.push_back({"Measured over", fmt::format("{} pixels", m->pixels),
                         (state.scene.selection
                              ? "The selected region. Esc clears it."
                              : "All of the image that the pane shows. Drag with the right button to measure a part.") +
                             (left_out.empty() ? "" : " " + left_out)});
        add_error_figures(lines, *m, against.tells == Tells::difference, scale, place_of_largest(state, pane, *m));
    }
    if (const PaneReport* report = report_of(state.report, pane); report && report->render_ms > 0)
        add_cost(lines, state.machine, *report);
    add_value(lines, state, pane, scale);
    return lines;
}

namespace {

constexpr int bits_of_piece = 22;  // so that float32 also holds the difference of a piece and a border
constexpr size_t most_channels = 4;

uint64_t bits_of(const std::byte* sample, size_t bytes) {
    uint64_t bits = 0;  // the machine is little-endian
    std::memcpy(&bits, sample, bytes);
    return bits;
}

ImageInfo info_of(const Image& image) {
    return {.width = image.width(),
            .height = image.height(),
            .channels = image.channels(),
            .type = image.type(),
            .alpha = image.alpha(),
            .dimensions = image.dimensions()};
}

}  // namespace

bool moves_numbers(const RenderRequest& request, const ImageInfo& image, Light light, SampleType written) {
    return !fits_float(image.type) && !fits_float(written) && image.alpha == Alpha::none && light == Light::stored &&
           request.spec.method->id == "nearest" && request.outside != Outside::background &&
           planned(request, {image.width, image.height, image.dimensions == 1}, light).plain();
}

NumberPieces::NumberPieces(int channels, SampleType type) : type_(type), channels_(channels) {
    for (int channel = 0; channel < channels; ++channel)
        for (int bit = 0; bit < 8 * bytes_per_sample(type); bit += bits_of_piece) pieces_.push_back({channel, bit});
}

int NumberPieces::pictures() const { return int((pieces_.size() + most_channels - 1) / most_channels); }

std::span<const NumberPieces::Piece> NumberPieces::pieces_of(int picture) const {
    const size_t first = size_t(picture) * most_channels;
    return std::span(pieces_).subspan(first, std::min(most_channels, pieces_.size() - first));
}

int NumberPieces::channels(int picture) const { return int(pieces_of(picture).size()); }

void NumberPieces::cut(const std::byte* samples, size_t pixels, int picture, float* to) const {
    constexpr uint64_t mask = (uint64_t(1) << bits_of_piece) - 1;
    const size_t bytes = size_t(bytes_per_sample(type_));
    for (size_t x = 0; x < pixels; ++x, samples += size_t(channels_) * bytes)
        for (const Piece& piece : pieces_of(picture))
            *to++ = float(bits_of(samples + size_t(piece.channel) * bytes, bytes) >> piece.bit & mask);
}

void NumberPieces::join(int picture, std::span<const float> pieces, std::byte* samples) const {
    const size_t bytes = size_t(bytes_per_sample(type_));
    const std::span<const Piece> cut = pieces_of(picture);
    const uint64_t no_number =
        type_ == SampleType::f64 ? std::bit_cast<uint64_t>(std::numeric_limits<double>::quiet_NaN()) : 0;
    for (size_t i = 0; i < pieces.size(); ++i) {
        const Piece& piece = cut[i % cut.size()];
        std::byte* sample = samples + (i / cut.size() * size_t(channels_) + size_t(piece.channel)) * bytes;
        const uint64_t bits =
            std::isnan(pieces[i]) ? no_number : bits_of(sample, bytes) | uint64_t(pieces[i]) << piece.bit;
        std::memcpy(sample, &bits, bytes);
    }
}

Image NumberPieces::picture(const Image& image, int picture) const {
    Image result(image.width(), image.height(), channels(picture), SampleType::f32);
    for (int y = 0; y < image.height(); ++y) cut(image.row(y), size_t(image.width()), picture, result.row_as<float>(y));
    result.set_one_dimensional(image.one_dimensional());
    return result;
}

// One picture of pieces, from an image that is read by regions.
class PieceTiles final : public TileSource {
public:
    PieceTiles(std::shared_ptr<const TileSource> image, const NumberPieces& pieces, int picture)
        : image_(std::move(image)), pieces_(pieces), picture_(picture), info_(image_->info()) {
        info_.channels = pieces.channels(picture);
        info_.type = SampleType::f32;
        info_.profile = nullptr;
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return image_->tile(); }
    Extent level_extent(int level) const override { return image_->level_extent(level); }
    bool reads_any_region() const override { return image_->reads_any_region(); }
    int samples_per_request() const override { return image_->samples_per_request(); }
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        check_region(*this, level, region);
        const ImageInfo& stored = image_->info();
        Image samples(region.width, region.height, stored.channels, stored.type);
        image_->read(level, region, samples.data(), samples.row_bytes());
        for (int y = 0; y < region.height; ++y, to += row_bytes)
            pieces_.cut(samples.row(y), size_t(region.width), picture_, reinterpret_cast<float*>(to));
    }

private:
    std::shared_ptr<const TileSource> image_;
    NumberPieces pieces_;
    int picture_;
    ImageInfo info_;
};

std::shared_ptr<const TileSource> NumberPieces::picture(const std::shared_ptr<const TileSource>& image,
                                                        int picture) const {
    return std::make_shared<PieceTiles>(image, *this, picture);
}

AddressPair NumberPieces::address(const AddressPair& address, int picture) const {
    Image border(1, 1, channels_, SampleType::f32);
    for (int c = 0; c < channels_; ++c)
        border.row_as<float>(0)[c] = address.border.value[address.border.count == 1 ? 0 : c];
    AddressPair result = address;
    result.border = {};
    result.border.count = channels(picture);
    cut(converted(border, type_).data(), 1, picture, result.border.value);
    return result;
}

Image moved_numbers(const std::shared_ptr<const Image>& image, const RenderRequest& request, Light light,
                    SampleType written,
                    const std::function<Image(const std::shared_ptr<const Image>&, const RenderRequest&)>& render) {
    if (!image->in_memory() || !moves_numbers(request, info_of(*image), light, written)) return render(image, request);
    const NumberPieces pieces(image->channels(), image->type());
    Image result;
    for (int k = 0; k < pieces.pictures(); ++k) {
        RenderRequest of_pieces = request;
        of_pieces.spec.address = pieces.address(request.spec.address, k);
        const Image part = render(std::make_shared<const Image>(pieces.picture(*image, k)), of_pieces);
        if (result.empty()) result = Image(part.width(), part.height(), image->channels(), image->type());
        for (int y = 0; y < part.height(); ++y)
            pieces.join(k, {part.row_as<float>(y), size_t(part.width()) * size_t(part.channels())}, result.row(y));
    }
    return result;
}

bool moves_numbers(const SampleRequest& request, const Image& image, Light light, SampleType written) {
    RenderRequest unscaled;
    static_cast<Sampling&>(unscaled) = request;
    return moves_numbers(unscaled, info_of(image), light, written);
}

MovedValues::MovedValues(const std::shared_ptr<Backend>& backend, const Image& image, const SampleRequest& request)
    : channels_(image.channels()), type_(image.type()), pieces_(image.channels(), image.type()) {
    for (int k = 0; k < pieces_.pictures(); ++k) {
        pictures_.emplace_back(backend, pieces_.picture(image, k));
        requests_.push_back(request);
        requests_.back().spec.address = pieces_.address(request.spec.address, k);
    }
}

std::vector<StoredNumber> MovedValues::at(const PointsView& points) {
    const size_t bytes = size_t(bytes_per_sample(type_)), pixel = size_t(channels_);
    std::vector<std::byte> samples(points.count * pixel * bytes);
    std::vector<bool> beyond(points.count);
    for (int k = 0; k < pieces_.pictures(); ++k) {
        const std::vector<float> pieces = pictures_[size_t(k)].sample_to_host(requests_[size_t(k)], points);
        pieces_.join(k, pieces, samples.data());
        for (size_t i = 0; i < points.count; ++i) beyond[i] = std::isnan(pieces[i * size_t(pieces_.channels(k))]);
    }
    std::vector<StoredNumber> numbers;
    numbers.reserve(points.count * pixel);
    for (size_t i = 0; i < points.count * pixel; ++i)
        numbers.push_back(beyond[i / pixel] ? StoredNumber(NAN) : stored_number(&samples[i * bytes], type_));
    return numbers;
}

MovedRows::MovedRows(const std::shared_ptr<Backend>& backend, const std::shared_ptr<const TileSource>& image,
                     const RenderRequest& request, size_t memory, std::function<void(double part)> progress)
    : info_(image->info()),
      width_(request.width),
      height_(request.height),
      pieces_(info_.channels, info_.type),
      progress_(std::move(progress)) {
    const size_t share = std::max(memory / size_t(pieces_.pictures()), least_tiled_memory);
    for (int k = 0; k < pieces_.pictures(); ++k) {
        RenderRequest of_pieces = request;
        of_pieces.spec.address = pieces_.address(request.spec.address, k);
        planned_.push_back(
            pictures_.emplace_back(backend, pieces_.picture(image, k), TiledOptions{.memory = share}).plan(of_pieces));
    }
}

RowSource MovedRows::source() {
    return {width_,     height_,         info_.channels,
            info_.type, Alpha::none,     [this](int first, int last) { return rows(first, last); },
            {},         info_.dimensions};
}

Image MovedRows::rows(int first, int last) {
    Image result(width_, last - first, info_.channels, info_.type);
    for (int k = 0; k < pieces_.pictures(); ++k) {
        const Image part =
            pictures_[size_t(k)].rows(planned_[size_t(k)], RenderTarget::Format::floats, first, last - first);
        pieces_.join(k, {part.row_as<float>(0), part.size_bytes() / sizeof(float)}, result.data());
    }
    progress_(double(last) / height_);
    return result;
}

}  // namespace texelscope
