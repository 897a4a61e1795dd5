// The worst spot in the original and as the best methods restored it: on a sheet.

#include <fmt/format.h>

#include "app/drawing/sheet.h"
#include "app/files/reading/image_source.h"
#include "app/state/scene.h"
#include "app/studies/experiments/pictures.h"
#include "app/studies/restoring/restored_columns.h"
#include "app/studies/restoring/restoring_reports.h"
#include "app/studies/restoring/spot.h"

namespace texelscope {

std::vector<SheetPane> restored_panes(const RestoringResult& result) {
    if (!result.spot) throw Error("nothing was kept of the restored pictures: set RestoringPlan::panes");
    std::vector<SheetPane> panes;
    const auto add = [&](const Image& picture, std::string label) -> SheetPane& {
        SheetPane& pane = panes.emplace_back();
        pane.index = int(panes.size()) - 1;
        pane.badge = pane_name(pane.index);
        pane.picture = picture;
        pane.label = std::move(label);
        return pane;
    };
    const bool reduces = result.plan.restoration.kind == Restoration::Kind::reduce;
    SheetPane& original = add(result.spot->original, reduces ? "Ideal reduction" : "Original");
    original.metrics.emplace().pixels = 1;  // it is the reference: no figure is shown
    original.against.tells = Against::Tells::nothing;
    for (const RestoredMethod& method : result.methods) {
        if (!method.pane) continue;
        SheetPane& pane = add(*method.pane, method_words(method.spec));
        pane.metrics = method.inside.metrics;
        pane.against.name = reference_name(result.plan.restoration);
        pane.milliseconds = method.milliseconds;
        pane.fetches = method.fetches;
    }
    return panes;
}

std::string spot_place(const RestoringResult& result) {
    return "around the largest error of " + method_words(result.methods.front().spec);
}

std::string spot_words(const RestoringResult& result) {
    return fmt::format("{}×{} pixels {}", result.spot->size.width, result.spot->size.height, spot_place(result));
}

Image restoring_sheet(const RestoringResult& result, int columns) {
    const std::vector<SheetPane> panes = restored_panes(result);
    Document document;
    document.source = words_of_source(result.plan.source);
    const SheetText text = {fmt::format("{} · {}", document.title(), done_words(result.plan)),
                            fmt::format("{}; figures over {}", spot_words(result), words(result.interior)),
                            result.backend.device};
    return make_sheet(panes, text, columns);
}

}  // namespace texelscope
