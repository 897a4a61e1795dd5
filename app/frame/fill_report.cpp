#include "app/frame/fill_report.h"

#include <algorithm>
#include <cmath>

#include <glad/gl.h>

namespace texelscope {
namespace {

// Colour divided by alpha, as the file has it.
void unpremultiply(std::array<float, 4>& value, int channels) {
    const float alpha = value[size_t(channels) - 1];
    for (int c = 0; c + 1 < channels; ++c) value[size_t(c)] = alpha > 0 ? value[size_t(c)] / alpha : 0;
}

// The nearest sample, by the address modes where it is none of the image's.
std::array<float, 4> stored_at(const Image& image, const AddressPair& address, Point p) {
    const auto index = [](AddressMode mode, double x, int n) {
        const double limited = std::clamp(std::floor(x + 0.5), -1e9, 1e9);
        return addressed(mode, int(limited), n);
    };
    const int x = index(address.x, p.x, image.width()), y = index(address.y, p.y, image.height());
    std::array<float, 4> value{};
    if (x >= 0 && y >= 0)
        for (int c = 0; c < image.channels(); ++c) value[size_t(c)] = image.value(x, y, c);
    return value;
}

Readout read(const Image& image, SourceImage& source, const MethodSpec& spec, Point position) {
    Readout readout;
    readout.position = position;
    readout.on_image = position.x >= -0.5 && position.y >= -0.5 && position.x < image.width() - 0.5 &&
                       position.y < image.height() - 0.5;
    readout.channels = image.channels();
    readout.stored = stored_at(image, spec.address, position);
    readout.interpolated = source.value_at(spec, position);
    if (image.alpha() != Alpha::none) unpremultiply(readout.interpolated, image.channels());
    if (image.alpha() == Alpha::premultiplied) unpremultiply(readout.stored, image.channels());
    return readout;
}

}  // namespace

void report_machine(Report& report, const Presenter& presenter) {
    const BackendInfo& info = presenter.backend->info();
    report.rung = name_of(presenter.target->rung());
    report.rung_reason = presenter.reason;
    report.device = info.device;
    report.device_detail = info.detail;
    report.on_gpu = info.kind == BackendKind::cuda;
    report.max_texture_width = info.max_texture_width;
    report.max_texture_height = info.max_texture_height;
    const auto text = [](GLenum what) {
        const GLubyte* s = glGetString(what);
        return std::string(s ? reinterpret_cast<const char*>(s) : "");
    };
    report.gl_renderer = text(GL_RENDERER) + ", OpenGL " + text(GL_VERSION);
}

void ReportFiller::fill(AppState& state, FrameRenderer& renderer) {
    const Document* document = state.scene.document();
    if (!document || !document->image || state.report.picture.empty()) {
        state.report.readout.reset();
        state.report.costs.clear();
        return;
    }
    try {
        SourceImage& source = renderer.sources().at(document->image);
        state.report.costs.clear();
        for (const Pane& pane : state.scene.panes) {
            const FetchPath path = resolved_path(pane.spec.path);
            const int along_axis =
                path == FetchPath::hardware ? pane.spec.method->hardware_fetches : pane.spec.method->taps;
            state.report.costs.push_back({path, along_axis * along_axis});
        }
        if (!state.pointer.inside) {
            state.report.readout.reset();
            asked_.reset();
            return;
        }
        const Question now{document->image, shown_spec(state),
                           apply(shown_affine(state), state.pointer.x, state.pointer.y), state.scene.outside};
        if (asked_ && state.report.readout && asked_->image == now.image && asked_->spec == now.spec &&
            asked_->position.x == now.position.x && asked_->position.y == now.position.y &&
            asked_->outside == now.outside)
            return;
        asked_ = now;
        state.report.readout = read(*document->image, source, now.spec, now.position);
    } catch (const Error&) {
        state.report.readout.reset();  // the frame itself has told what is wrong
    }
}

}  // namespace texelscope
