#include "app/state/session/session.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/json_text.h"
#include "app/files/bytes/naming.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/state/history.h"
#include "app/state/session/fields.h"
#include "gpu/core/colour.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t max_bytes = 16 << 20;

fs::path folder_of(const fs::path& path) {
    std::error_code error;
    const fs::path full = fs::absolute(path, error);
    return (error ? path : full).lexically_normal().parent_path();
}

// Samples of images that are already open.
void keep_samples(Scene& scene, const Scene& before) {
    for (Document& document : scene.documents)
        for (const Document& open : before.documents)
            if (open.source == document.source && open.image) document.take_samples_of(open);
}

}  // namespace

Session session_of(const Scene& scene, const Appearance& appearance) {
    Session session{scene, appearance};
    if (session.appearance.dock == Dock::source) session.appearance.dock = Dock::none;
    for (Document& document : session.scene.documents) {
        document.image.reset();
        document.look = {};
        document.loaded = document.seen = {};
    }
    return session;
}

void restore(AppState& state, Session session) {
    keep_samples(session.scene, state.scene);
    state.scene = std::move(session.scene);
    state.transition.reset();
    static_cast<Appearance&>(state.ui) = session.appearance;
}

bool still_shows(const Scene& scene, const Appearance& now, const Session& session) {
    const Appearance& then = session.appearance;
    const auto switches = [](const Appearance& a) {
        return std::tie(a.loupe, a.loupe_magnification, a.taps, a.inspect.histogram_logarithmic);
    };
    const bool same_plot = now.dock == then.dock || now.dock == Dock::source;
    return same_scene(scene, session.scene) && Overlays(now) == Overlays(then) && switches(now) == switches(then) &&
           same_plot;
}

Session read_session(const fs::path& path) {
    const Bytes bytes = read_prefix(path, max_bytes + 1);
    if (bytes.size() > max_bytes)
        throw FileError(path.string(), fmt::format("is larger than {} MiB, too large for a session", max_bytes >> 20));
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return naming(path, [&] { return session_from_json(text, folder_of(path)); });
}

void write_session(const Session& session, const fs::path& path) {
    const std::string text = naming(path, [&] { return session_to_json(session, folder_of(path)); });
    OutputFile file(path);
    file.write(std::as_bytes(std::span(text)));
    file.commit();
}

// A session as JSON text.

namespace {

namespace fs = std::filesystem;
namespace names = session_names;
using Json = nlohmann::ordered_json;

// The shortest decimal that reads as the same float: 0.1, not 0.10000000149011612.
double shortest(float value) { return std::strtod(fmt::format("{}", value).c_str(), nullptr); }

// Relative if the file is in or below the folder.
std::string relative_source(const std::string& source, const fs::path& folder) {
    if (source.empty() || source.starts_with('@') || folder.empty()) return source;
    const fs::path relative = fs::path(source).lexically_relative(folder.lexically_normal());
    if (relative.empty() || *relative.begin() == "..") return source;
    const std::string text = relative.string();
    return text.starts_with('@') || text.starts_with(names::bytes) ? "./" + text : text;
}

// The source as JSON keeps it: JSON holds only UTF-8, so other bytes of a name are written in hexadecimal.
std::string kept_source(const std::string& source, const fs::path& folder) {
    const std::string text = relative_source(source, folder);
    if (is_utf8(text)) return text;
    std::string escaped(names::bytes);
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = byte > 0x20 && byte < 0x7f && c != '%';
        escaped += plain ? std::string(1, c) : fmt::format("%{:02x}", unsigned(byte));
    }
    return escaped;
}

// Names the prefilter even if it has no effect: it applies again once another method is chosen.
std::string spec_text(const MethodSpec& spec) {
    std::string text = to_string(spec);
    if (!spec.method->has_prefilter() && !(spec.prefilter == Prefilter{})) text += "," + to_settings(spec.prefilter);
    return text;
}

Json value_of(bool value) { return value; }
Json value_of(int value) { return value; }
Json value_of(float value) { return shortest(value); }
Json value_of(double value) { return value; }
template <class Choice>
requires std::is_enum_v<Choice> Json value_of(Choice choice) { return name_of(choice); }

template <class Object, class Table> Json members_of(const Object& object, const Table& table) {
    Json json;
    fields::for_each(table, [&](const auto& field) { json[std::string(field.key)] = value_of(object.*field.member); });
    return json;
}

Json to_json(const View& view) { return members_of(view, fields::view); }
Json to_json(const Point& point) { return members_of(point, fields::point); }

Json to_json(const Region& region) {
    return {{"x0", region.x0}, {"y0", region.y0}, {"x1", region.x1}, {"y1", region.y1}};
}

Json to_json(const Document& document, const fs::path& folder) {
    Json json = {{"source", kept_source(document.source, folder)},
                 {"view", to_json(document.view)},
                 {"keep_fit", document.keep_fit}};
    if (document.region) json["region"] = to_json(*document.region);
    if (document.levels) json["levels"] = members_of(*document.levels, fields::levels);
    return json;
}

Json to_json(const Pane& pane, const fs::path& folder) {
    Json json = {{"spec", spec_text(pane.spec)}};
    if (!pane.label.empty()) json["label"] = pane.label;
    if (!pane.source.empty()) json["image"] = kept_source(pane.source, folder);
    if (pane.offset != View{}) json["offset"] = to_json(pane.offset);
    if (pane.own_view) json["view"] = to_json(*pane.own_view);
    if (pane.antialias) json["antialias"] = *pane.antialias;
    if (pane.light) json["linear_light"] = *pane.light == Light::linear;
    if (pane.difference) json["difference"] = true;
    if (pane.against != Pane::reference_pane) json["against"] = pane.against;
    return json;
}

Json to_json(const Reference& reference, const fs::path& folder) {
    Json json = {{"kind", name_of(reference.kind)}};
    if (reference.spec.method) json["spec"] = spec_text(reference.spec);
    if (!reference.source.empty()) json["image"] = kept_source(reference.source, folder);
    return json;
}

Json to_json(const ProfileLine& line) {
    Json json = members_of(line, fields::profile);
    json["a"] = to_json(line.a);
    json["b"] = to_json(line.b);
    return json;
}

void add_scene(Json& json, const Scene& scene, const fs::path& folder) {
    json["images"] = Json::array();
    for (const Document& document : scene.documents) json["images"].push_back(to_json(document, folder));
    json["current"] = scene.current;
    json["panes"] = Json::array();
    for (const Pane& pane : scene.panes) json["panes"].push_back(to_json(pane, folder));
    json["active"] = scene.active;
    json["arrangement"] = name_of(scene.arrangement);
    json["wipe"] = members_of(scene.wipe, fields::wipe);
    json["reference"] = to_json(scene.reference, folder);
    json["difference"] = members_of(scene.difference, fields::difference);
    json["display"] = members_of(scene.display, fields::display);
    json["profile"] = to_json(scene.profile);
    json.update(members_of(scene, fields::scene));
    json["linear_light"] = scene.light == Light::linear;
    json["warp"] = {{"kind", name_of(scene.warp.kind)}, {"strength", scene.warp.strength}};
    if (scene.warp.kind == Warp::Kind::homography) json["warp"]["matrix"] = scene.warp.matrix;
    if (scene.selection) json["selection"] = to_json(*scene.selection);
}

Json interface_of(const Appearance& appearance) {
    Json json = members_of(appearance, fields::appearance);
    json.update(members_of(appearance.inspect, fields::inspect));
    InspectUi inspect = appearance.inspect;
    for (const auto& [name, zoom] : names::zooms)
        if (const PlotZoom& part = zoom(inspect); part.active())
            json["zoom"][std::string(name)] = members_of(part, fields::zoom);
    if (appearance.cursor) json["cursor"] = to_json(*appearance.cursor);
    return json;
}

Json to_json(const Session& session, const fs::path& folder) {
    Json json = {{"texelscope", session_version}};
    add_scene(json, session.scene, folder);
    json["interface"] = interface_of(session.appearance);
    return json;
}

// Removes members equal to those of `standard`, and objects left empty.
void drop_standard(Json& json, const Json& standard) {
    for (auto it = json.begin(); it != json.end();) {
        const auto usual = standard.find(it.key());
        if (usual != standard.end() && it->is_object() && usual->is_object()) drop_standard(*it, *usual);
        const bool as_usual = usual != standard.end() && (*it == *usual || (it->is_object() && it->empty()));
        it = as_usual ? json.erase(it) : std::next(it);
    }
}

// Formatted as if written by hand: {"a": 1, "b": [2, 3]}.
std::string on_one_line(const Json& json) {
    if (!json.is_structured()) return json_text(json, -1, NotUtf8::refuse);
    std::string text;
    for (const auto& [key, value] : json.items()) {
        if (!text.empty()) text += ", ";
        if (json.is_object()) text += json_text(Json(key), -1, NotUtf8::refuse) + ": ";
        text += on_one_line(value);
    }
    return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

template <class Dump> std::string dumped(Dump dump) {
    try {
        return dump();
    } catch (const Json::exception&) {
        throw Error("a session holds text in UTF-8 only, and a label or a method of this one is not");
    }
}

}  // namespace

std::string session_to_json(const Session& session, const fs::path& folder) {
    return dumped([&] { return json_text(to_json(session, folder), 2, NotUtf8::refuse) + "\n"; });
}

std::string step_to_json(const Session& session, const fs::path& folder) {
    Session plain;
    plain.scene.panes.emplace_back().spec = default_spec(*find_method("bspline"));
    Json json = to_json(session, folder), standard = to_json(plain, {});
    Json shown = Json::object();
    if (session.scene.documents.size() == 1) {
        const Document& document = session.scene.documents[0];
        const Json& image = json["images"][0];
        shown["image"] = image["source"];
        if (document.keep_fit && document.region) shown["region"] = image["region"];
        if (!document.keep_fit || (document.view.rotate != 0 && !document.region)) shown["view"] = image["view"];
        if (document.levels) shown["levels"] = image["levels"];
        json.erase("images");
        json.erase("current");
    }
    json.erase("texelscope");
    if (const Warp& warp = session.scene.warp; warp.kind == Warp::Kind::none) json.erase("warp");
    drop_standard(json, standard);
    shown.update(json);
    return dumped([&] {
        std::string text = "{";
        for (const char* separator = "\n  "; const auto& [key, value] : shown.items()) {
            text += fmt::format("{}\"{}\": {}", separator, key, on_one_line(value));
            separator = ",\n  ";
        }
        return text + "\n}\n";
    });
}

namespace {

// The value as in the file, shortened if it is long.
std::string shown(const nlohmann::json& value) {
    constexpr size_t most = 40;
    const std::string text = value.is_structured()
                                 ? (value.is_array() ? "a list" : "an object")
                                 : value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    return text.size() <= most ? text : text.substr(0, most) + "…";
}

}  // namespace

void JsonValue::complain(std::string_view what) const {
    throw JsonError(place_, place_.empty() ? std::string(what) : fmt::format("{}: {}", place_, what));
}

void JsonValue::complain_of_choice(const std::vector<std::string_view>& names) const {
    complain(fmt::format("must be one of {}, not {}", fmt::join(names, ", "), shown(*value_)));
}

bool JsonValue::boolean() const {
    if (!value_->is_boolean()) complain(fmt::format("must be true or false, not {}", shown(*value_)));
    return value_->get<bool>();
}

double JsonValue::number(double low, double high) const {
    constexpr double all = std::numeric_limits<double>::max();
    const double value = value_->is_number() ? value_->get<double>() : std::nan("");
    if (value >= low && value <= high) return value;
    const std::string range = low == -all && high == all ? "" : fmt::format(" from {} to {}", low, high);
    complain(fmt::format("must be a number{}, not {}", range, shown(*value_)));
}

int JsonValue::integer(int low, int high) const {
    const bool whole = value_->is_number_integer();
    // A number beyond 64 bits has none of these types; one beyond int is compared as double.
    const double value = whole ? value_->get<double>() : std::nan("");
    if (!(value >= low && value <= high))
        complain(fmt::format("must be a whole number from {} to {}, not {}", low, high, shown(*value_)));
    return int(value);
}

std::string JsonValue::text() const {
    if (!value_->is_string()) complain(fmt::format("must be a string, not {}", shown(*value_)));
    return value_->get<std::string>();
}

std::vector<JsonValue> JsonValue::elements(size_t least, size_t most) const {
    if (!value_->is_array()) complain(fmt::format("must be a list, not {}", shown(*value_)));
    if (value_->size() < least || value_->size() > most)
        complain(fmt::format("must have {} to {} elements, not {}", least, most, value_->size()));
    std::vector<JsonValue> result;
    for (const nlohmann::json& element : *value_)
        result.emplace_back(element, fmt::format("{}[{}]", place_, result.size()), asked_);
    return result;
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
    if (!value_->is_object()) complain(fmt::format("must be an object, not {}", shown(*value_)));
    const std::string place = place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
    if (asked_) asked_->insert(place);
    const auto at = value_->find(key);
    if (at == value_->end()) return {};
    return JsonValue(*at, place, asked_);
}

JsonValue JsonValue::at(std::string_view key) const {
    if (auto value = find(key)) return *value;
    complain(fmt::format("\"{}\" is missing", key));
}

void JsonValue::complain_of_unknown() const {
    size_t index = 0;
    if (value_->is_array())
        for (const nlohmann::json& element : *value_)
            JsonValue(element, fmt::format("{}[{}]", place_, index++), asked_).complain_of_unknown();
    if (!value_->is_object()) return;
    for (const auto& [key, member] : value_->items()) {
        const JsonValue value(member, place_.empty() ? key : fmt::format("{}.{}", place_, key), asked_);
        if (!asked_->contains(value.place_)) value.complain("there is no such key; docs/session.md lists them");
        value.complain_of_unknown();
    }
}

}  // namespace texelscope
