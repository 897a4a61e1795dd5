// A session from JSON text.

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/bytes/json_text.h"
#include "app/files/test_images/test_images.h"
#include "app/state/session/fields.h"
#include "app/state/session/session.h"
#include "gpu/core/colour.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;
namespace names = session_names;

constexpr double any = std::numeric_limits<double>::max();
constexpr size_t max_images = 4096, max_label = 200;

void take_value(const JsonValue& from, bool& value, double, double) { value = from.boolean(); }
void take_value(const JsonValue& from, int& value, double low, double high) {
    value = from.integer(int(low), int(high));
}
void take_value(const JsonValue& from, float& value, double low, double high) { value = float(from.number(low, high)); }
void take_value(const JsonValue& from, double& value, double low, double high) { value = from.number(low, high); }

template <class Object, class Of, class Value>
void take(const JsonValue& from, Object& object, const fields::Field<Of, Value>& field) {
    if (const auto value = from.find(field.key)) take_value(*value, object.*field.member, field.low, field.high);
}

template <class Object, class Of, class Choice>
void take(const JsonValue& from, Object& object, const fields::ChoiceField<Of, Choice>& field) {
    if (const auto value = from.find(field.key)) object.*field.member = value->choice(field.choices);
}

// The members of a table that the value has.
template <class Object, class Table> void take_all(const JsonValue& from, Object& object, const Table& table) {
    fields::for_each(table, [&](const auto& field) { take(from, object, field); });
}

void take(const JsonValue& from, std::string_view key, bool& value) {
    if (const auto field = from.find(key)) value = field->boolean();
}

template <HasNames Choice> void take(const JsonValue& from, std::string_view key, Choice& value) {
    if (const auto field = from.find(key)) value = field->choice<Choice>(all_values<Choice>);
}

// The bytes of a name that is not UTF-8, whose other bytes are written in hexadecimal.
std::string bytes_of(const JsonValue& value, std::string_view escaped) {
    std::string text;
    for (size_t i = 0; i < escaped.size(); ++i) {
        unsigned code = static_cast<unsigned char>(escaped[i]);
        if (escaped[i] == '%') {
            const std::string_view digits = escaped.substr(i + 1, 2);
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
            if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2)
                value.complain("has a % without two hexadecimal digits behind it");
            i += 2;
        }
        text += char(code);
    }
    return text;
}

std::string source_of(const JsonValue& value, const fs::path& folder) {
    std::string text = value.text();
    if (text.starts_with(names::bytes)) text = bytes_of(value, text.substr(names::bytes.size()));
    if (text.empty()) value.complain("must name a file, or a test image such as \"@zone-plate:512\"");
    if (text.find('\0') != text.npos) value.complain("holds a character that no file name has");
    if (text.starts_with('@')) return text;
    return (folder / text).lexically_normal().string();
}

MethodSpec spec_of(const JsonValue& value) {
    const std::string text = value.text();
    try {
        return parse_spec(text);
    } catch (const Error& error) {
        value.complain(error.what());
    }
}

View view_of(const JsonValue& value) {
    View view;
    take_all(value, view, fields::view);
    return view;
}

Point point_of(const JsonValue& value) {
    Point point;
    take_all(value, point, fields::point);
    return point;
}

Region region_of(const JsonValue& value) {
    const auto side = [&](std::string_view key) { return value.at(key).number(-any, any); };
    const Region region{side("x0"), side("y0"), side("x1"), side("y1")};
    if (!(region.x0 < region.x1 && region.y0 < region.y1))
        value.complain("x0 must be less than x1, and y0 less than y1");
    return region;
}

Levels levels_of(const JsonValue& value) {
    Levels levels;
    take_all(value, levels, fields::levels);
    if (!(levels.black < levels.white)) value.complain("black must be below white");
    return levels;
}

Document document_of(const JsonValue& value, const fs::path& folder) {
    Document document;
    document.source = source_of(value.at("source"), folder);
    if (const auto view = value.find("view")) document.view = view_of(*view);
    if (const auto region = value.find("region")) document.region = region_of(*region);
    if (const auto levels = value.find("levels")) document.levels = levels_of(*levels);
    take(value, "keep_fit", document.keep_fit);
    return document;
}

Pane pane_of(const JsonValue& value, int panes, const fs::path& folder) {
    Pane pane;
    pane.spec = spec_of(value.at("spec"));
    if (const auto label = value.find("label")) {
        pane.label = label->text();
        if (pane.label.size() > max_label) label->complain(fmt::format("must have at most {} bytes", max_label));
    }
    if (const auto image = value.find("image")) pane.source = source_of(*image, folder);
    if (const auto offset = value.find("offset")) pane.offset = view_of(*offset);
    if (const auto view = value.find("view")) pane.own_view = view_of(*view);
    if (const auto antialias = value.find("antialias")) pane.antialias = antialias->boolean();
    if (const auto linear = value.find("linear_light")) pane.light = linear->boolean() ? Light::linear : Light::stored;
    take(value, "difference", pane.difference);
    if (const auto against = value.find("against")) pane.against = against->integer(Pane::reference_pane, panes - 1);
    return pane;
}

// One image in short form: "image", and "view" or "region" unless it is fitted.
void take_document(const JsonValue& root, Scene& scene, const fs::path& folder) {
    const auto image = root.find("image"), view = root.find("view"), region = root.find("region"),
               levels = root.find("levels");
    if (!image) {
        for (const auto& part : {view, region, levels})
            if (part) part->complain("belongs beside \"image\" or in an element of \"images\"");
        return;
    }
    Document document;
    document.source = source_of(*image, folder);
    if (view) document.view = view_of(*view);
    if (region) document.region = region_of(*region);
    if (levels) document.levels = levels_of(*levels);
    document.keep_fit = region || !view;
    scene.documents.push_back(std::move(document));
}

void take_documents(const JsonValue& root, Scene& scene, const fs::path& folder) {
    take_document(root, scene, folder);
    const auto images = root.find("images");
    if (images && !scene.documents.empty())
        images->complain("cannot be used together with \"image\"; keep one of them");
    if (images)
        for (const JsonValue& image : images->elements(0, max_images))
            scene.documents.push_back(document_of(image, folder));
    const int count = int(scene.documents.size());
    scene.current = count > 0 ? 0 : -1;
    if (const auto current = root.find("current")) scene.current = current->integer(count > 0 ? 0 : -1, count - 1);
}

void take_arrangement(const JsonValue& root, Scene& scene) {
    take(root, "arrangement", scene.arrangement);
    if (const auto wipe = root.find("wipe")) take_all(*wipe, scene.wipe, fields::wipe);
}

void take_panes(const JsonValue& root, Scene& scene, const fs::path& folder) {
    scene.panes.clear();
    const auto panes = root.at("panes").elements(1, max_panes);
    for (const JsonValue& pane : panes) scene.panes.push_back(pane_of(pane, int(panes.size()), folder));
    if (const auto active = root.find("active")) scene.active = active->integer(0, int(panes.size()) - 1);
    take_arrangement(root, scene);
}

void take_reference(const JsonValue& root, Reference& reference, const fs::path& folder) {
    const auto value = root.find("reference");
    if (!value) return;
    take(*value, "kind", reference.kind);
    if (const auto spec = value->find("spec")) reference.spec = spec_of(*spec);
    if (const auto image = value->find("image")) reference.source = source_of(*image, folder);
    if (reference.kind == Reference::Kind::method) value->at("spec");
    if (reference.kind == Reference::Kind::image) value->at("image");
}

void take_display(const JsonValue& root, Scene& scene) {
    if (const auto value = root.find("difference")) take_all(*value, scene.difference, fields::difference);
    const auto display = root.find("display");
    if (!display) return;
    take_all(*display, scene.display, fields::display);
    if (!(scene.display.black < scene.display.white)) display->complain("black must be below white");
}

void take_profile(const JsonValue& root, ProfileLine& line) {
    const auto value = root.find("profile");
    if (!value) return;
    take_all(*value, line, fields::profile);
    if (const auto a = value->find("a")) line.a = point_of(*a);
    if (const auto b = value->find("b")) line.b = point_of(*b);
}

Warp warp_of(const JsonValue& value) {
    Warp warp;
    take(value, "kind", warp.kind);
    const WarpInfo info = info_of(warp.kind);
    warp.strength = info.standard;
    if (const auto strength = value.find("strength")) warp.strength = strength->number(info.minimum, info.maximum);
    if (const auto matrix = value.find("matrix")) {
        const auto numbers = matrix->elements(std::size(warp.matrix), std::size(warp.matrix));
        for (size_t i = 0; i < numbers.size(); ++i) warp.matrix[i] = numbers[i].number(-fields::far, fields::far);
    }
    return warp;
}

void take_sampling(const JsonValue& root, Scene& scene) {
    scene.levels_locked = Levels{scene.display.black, scene.display.white} != Levels{};  // as older sessions meant it
    take_all(root, scene, fields::scene);
    bool linear = false;
    take(root, "linear_light", linear);
    scene.light = linear ? Light::linear : Light::stored;
    if (const auto warp = root.find("warp")) scene.warp = warp_of(*warp);
    if (const auto selection = root.find("selection")) scene.selection = region_of(*selection);
}

void take_zoom(const JsonValue& zooms, std::string_view plot, PlotZoom& zoom) {
    const auto value = zooms.find(plot);
    if (!value) return;
    for (const char* const end : {"from", "to"}) value->at(end);
    take_all(*value, zoom, fields::zoom);
    if (!zoom.active()) value->complain("from must be less than to");
}

void take_plots(const JsonValue& interface, InspectUi& inspect) {
    take_all(interface, inspect, fields::inspect);
    const auto zooms = interface.find("zoom");
    if (!zooms) return;
    for (const auto& [name, zoom] : names::zooms) take_zoom(*zooms, name, zoom(inspect));
}

void take_interface(const JsonValue& root, Appearance& appearance) {
    const auto value = root.find("interface");
    if (!value) return;
    take_plots(*value, appearance.inspect);
    if (const auto cursor = value->find("cursor")) appearance.cursor = point_of(*cursor);
    take_all(*value, appearance, fields::appearance);
}

class SyntaxError : public Error {
public:
    SyntaxError(size_t at_line, size_t at_column)
        : Error(fmt::format("line {}, column {}: this is not JSON", at_line, at_column)),
          line(int(at_line)),
          column(int(at_column)) {}
    int line, column;
};

SyntaxError syntax_error(const std::string& text, size_t byte) {
    const size_t end = std::min(byte > 0 ? byte - 1 : 0, text.size());
    const auto newlines = std::count(text.begin(), text.begin() + std::ptrdiff_t(end), '\n');
    const size_t line_start = end == 0 ? text.npos : text.rfind('\n', end - 1);
    return SyntaxError(size_t(newlines) + 1, line_start == text.npos ? end + 1 : end - line_start);
}

nlohmann::json parsed(const std::string& text) {
    try {
        return parse_json(text);
    } catch (const nlohmann::json::parse_error& error) {
        throw syntax_error(text, error.byte);
    } catch (const nlohmann::json::exception&) {
        throw Error("holds a number that is too large");
    }
}

void check_version(const JsonValue& root) {
    const auto version = root.find("texelscope");
    if (!version) root.complain("is not a session file: the key \"texelscope\" (format version) is missing");
    const int number = version->integer(1, std::numeric_limits<int>::max());
    if (number > session_version)
        version->complain(
            fmt::format("the session has version {}, but this program reads version {}: a newer texelscope "
                        "is needed",
                        number, session_version));
}

// Everything but the version; `panes` may be missing if the session already has some.
Session session_from(const JsonValue& root, const fs::path& folder, std::vector<Pane> panes) {
    Session session;
    take_documents(root, session.scene, folder);
    session.scene.panes = std::move(panes);
    if (session.scene.panes.empty() || root.find("panes")) take_panes(root, session.scene, folder);
    else take_arrangement(root, session.scene);
    take_reference(root, session.scene.reference, folder);
    take_display(root, session.scene);
    take_profile(root, session.scene.profile);
    take_sampling(root, session.scene);
    take_interface(root, session.appearance);
    return session;
}

// Line of the first occurrence of a word in a text, from 1; 1 if there is none.
int line_of(const std::string& text, const std::string& word) {
    const size_t at = text.find(word);
    return 1 + int(std::count(text.begin(), text.begin() + std::ptrdiff_t(at == text.npos ? 0 : at), '\n'));
}

int line_of_place(const std::string& text, const std::string& place) {
    return line_of(text, fmt::format("\"{}\"", place.substr(place.rfind('.') + 1)));
}

void check_image(const std::string& text, const Scene& scene, const std::string& source) {
    const auto is_it = [&](const Document& document) { return document.source == source; };
    if (source.empty() || std::any_of(scene.documents.begin(), scene.documents.end(), is_it)) return;
    throw StepError(line_of(text, source), fmt::format("\"{}\" is not among \"images\"; name it there too", source));
}

void check_images(const std::string& text, const Scene& scene) {
    for (const Document& document : scene.documents) try {
            std::error_code none;
            if (parse_sample_line(document.source)) continue;
            const auto turned = parse_turned_source(document.source);
            if (turned) parse_spec(turned->spec);
            const std::string& source = turned ? turned->original : document.source;
            if (source.starts_with('@')) parse_test_image(source);
            else if (const fs::path file = file_of(source); !fs::exists(file, none))
                throw StepError(line_of(text, file.filename().string()),
                                fmt::format("there is no image {}; \"image\" names a file relative to the lesson's "
                                            "folder, or a test image such as @step:8",
                                            source));
        } catch (const StepError&) {
            throw;
        } catch (const Error& error) {
            throw StepError(line_of(text, document.source), error.what());
        }
    for (const Pane& pane : scene.panes) check_image(text, scene, pane.source);
    check_image(text, scene, scene.reference.source);
}

}  // namespace

Session session_from_json(const std::string& text, const fs::path& folder) {
    const nlohmann::json json = parsed(text);
    const JsonValue root(json, "");
    check_version(root);
    return session_from(root, folder, {});
}

Session step_from_json(const std::string& text, const fs::path& folder) {
    const nlohmann::json json = try_parse_json(text);
    std::set<std::string> asked;
    const JsonValue root(json, "", &asked);
    try {
        if (json.is_discarded()) parsed(text);
        if (root.find("texelscope")) check_version(root);
        Session session = session_from(root, folder, {Pane{default_spec(*find_method("bspline"))}});
        // Figures against a reference that nobody chose would say something else than the text.
        const auto interface = root.find("interface");
        if (!root.find("reference") && !(interface && interface->find("figures"))) session.appearance.figures = false;
        root.complain_of_unknown();
        check_images(text, session.scene);
        return session;
    } catch (const StepError&) {
        throw;
    } catch (const SyntaxError& error) {
        throw StepError(error.line, fmt::format("this is not JSON, from column {} on", error.column));
    } catch (const JsonError& error) {
        throw StepError(line_of_place(text, error.place), error.what());
    } catch (const Error& error) {
        throw StepError(1, error.what());
    }
}

}  // namespace texelscope
