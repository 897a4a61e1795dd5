// Arbitrary bytes for the reader of session files: each must parse, or throw Error. A parsed session can be written,
// and is read back as the same.

#include "app/state/session/session.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace texelscope;

bool session(ByteSpan bytes) {
    return fuzz::accepts([&] {
        const Session session = session_from_json(std::string(text_of(bytes)), "/folder");
        const Scene& scene = session.scene;
        const int images = int(scene.documents.size()), panes = int(scene.panes.size());
        if (panes < 1 || panes > max_panes || scene.active < 0 || scene.active >= panes) __builtin_trap();
        if (scene.current < -1 || scene.current >= images || (images > 0) != (scene.current >= 0)) __builtin_trap();
        const std::string text = session_to_json(session, "/folder");
        if (session_to_json(session_from_json(text, "/folder"), "/folder") != text) __builtin_trap();
    });
}

}  // namespace

int fuzz::accepted(ByteSpan bytes) { return session(bytes); }

std::vector<std::string> fuzz::seeds() {
    return {
        R"({"texelscope": 1, "panes": [{"spec": "bspline"}]})",
        R"({"texelscope":1,"images":[{"source":"a.png"},{"source":"@step:8","view":{"scale":0.25,"rotate":10}}],)"
        R"("current":1,"panes":[{"spec":"bc:b=0.2","label":"x","difference":true,"against":1},{"spec":"nearest"}]})",
        R"({"texelscope":1,"panes":[{"spec":"bspline:prefilter=fir7","image":"a.png","view":{"scale":1e-3},)"
        R"("offset":{"translate_x":2.5},"antialias":false}],"reference":{"kind":"image","image":"b.png"}})",
        R"({"texelscope":1,"panes":[{"spec":"lanczos3"}],"wipe":{"at":0.25,"held":true},"display":{"exposure":-1,)"
        R"("gamma":2.2,"channel":"luma"},"difference":{"kind":"signed","gain":64,"map":"balance"}})",
        R"({"texelscope":1,"panes":[{"spec":"omoms"}],"profile":{"along":"line","a":{"x":1,"y":2},"b":{"x":-3}},)"
        R"("warp":{"kind":"swirl","strength":90},"selection":{"x0":0,"y0":1,"x1":2,"y1":3.5},"interface":{"plot":"taps"}})",
        R"({"texelscope":1,"image":"@step:8","region":{"x0":0,"y0":1,"x1":2,"y1":3.5},"panes":[{"spec":"bspline"}],)"
        R"("interface":{"zoom":{"weight":{"from":-1,"to":2}},"cursor":{"x":1,"y":2},"loupe_magnification":4,"channel":0}})",
    };
}

FUZZ_TARGET
