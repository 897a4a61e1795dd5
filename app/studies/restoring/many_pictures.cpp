#include "app/studies/restoring/many_pictures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/json_text.h"
#include "app/files/reading/image_files.h"
#include "app/files/test_images/generators.h"
#include "gpu/core/errors.h"
#include "gpu/core/machine.h"
#include "gpu/core/quantile.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

using RecordJson = nlohmann::json;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr double equal_figures = 1e-9;

double figure_at(const RecordJson& object, const char* key) {
    const RecordJson& value = object.at(key);
    return value.is_null() ? no_value : value.get<double>();
}

// JSON has no infinity: no error at all is one.
RestoredFigures figures_from(const RecordJson& object) {
    RestoredFigures figures;
    Metrics& m = figures.metrics;
    m.rmse = figure_at(object, "rmse");
    m.psnr = m.rmse == 0 ? INFINITY : figure_at(object, "psnr");
    m.ssim = figure_at(object, "ssim");
    m.max_abs = figure_at(object, "max_abs");
    m.pixels = object.at("pixels");
    if (const RecordJson& worst = object.at("worst"); !worst.is_null())
        m.worst_x = worst.at(0), m.worst_y = worst.at(1);
    if (!object.at("delta_e_mean").is_null()) {
        figures.colours.emplace().mean = figure_at(object, "delta_e_mean");
        figures.colours->percentile_95 = figure_at(object, "delta_e_95");
    }
    if (object.contains("flip_mean")) {
        figures.flip.emplace().mean = figure_at(object, "flip_mean");
        figures.flip->weighted_median = figure_at(object, "flip_weighted_median");
    }
    if (object.contains("gmsd")) figures.gradient.emplace().deviation = figure_at(object, "gmsd");
    return figures;
}

RestoredMethod method_from(const RecordJson& object) {
    RestoredMethod method{.spec = spec_of_text(object.at("spec"))};
    method.inside = figures_from(object.at("interior"));
    method.all = figures_from(object.at("all"));
    method.milliseconds = figure_at(object, "microseconds") / 1000;
    method.fetches = figure_at(object, "fetches");
    if (object.contains("displacement")) {
        const RecordJson& lies = object["displacement"];
        method.displacement = {figure_at(lies, "right"), figure_at(lies, "down"), figure_at(lies, "wider"),
                               figure_at(lies, "higher")};
    }
    return method;
}

// What pictures must have in common to be compared: the size of what is made of them is their own.
RecordJson test_of(const RecordJson& record) {
    RecordJson restore = record.at("restore");
    restore.erase("width");
    restore.erase("height");
    return {restore, record.at("linear_light"), record.value("judges", RecordJson{"psnr"}),
            record.value("pixels_per_degree", double(usual_pixels_per_degree))};
}

Restoration restoration_of(const RecordJson& restore) {
    Restoration restoration;
    const std::string kind = restore.at("kind");
    for (const auto& row : restorations)
        if (row.name == kind) restoration.kind = row.value;
    restoration.factor = restore.value("factor", 1.0);
    restoration.filter = restore.contains("filter") ? spec_of_text(restore["filter"]) : usual_filter();
    restoration.antialias = restore.value("antialias", true);
    restoration.step = restore.value("degrees", restore.value("samples", 0.0));
    restoration.times = restore.value("times", 0);
    return restoration;
}

std::vector<Judge> judges_of(const RecordJson& record) {
    std::string names;
    for (const auto& name : record.value("judges", RecordJson{"psnr"}))
        names += (names.empty() ? "" : ",") + name.get<std::string>();
    try {
        return parse_judges("judges", names);
    } catch (const UsageError& error) {
        throw Error(error.what());
    }
}

double mean_over(const std::vector<double>& values) {
    return values.empty() ? no_value : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

double deviation_of(const std::vector<double>& values) {
    if (values.size() < 2) return no_value;
    const double mean = mean_over(values);
    double sum = 0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return std::sqrt(sum / double(values.size() - 1));
}

using Methods = std::vector<const RestoredMethod*>;  // the same one of several pictures

// Means of all figures.
RestoredMethod average_of(const Methods& methods) {
    const auto mean = [&](auto value) {
        std::vector<double> values;
        for (const RestoredMethod* method : methods) values.push_back(value(*method));
        return mean_over(values);
    };
    const auto figures = [&](RestoredFigures RestoredMethod::*of) {
        RestoredFigures result;
        Metrics& m = result.metrics;
        m.psnr = mean([&](const auto& r) { return std::min((r.*of).metrics.psnr, most_counted_psnr); });
        m.ssim = mean([&](const auto& r) { return (r.*of).metrics.ssim; });
        m.rmse = mean([&](const auto& r) { return (r.*of).metrics.rmse; });
        m.max_abs = mean([&](const auto& r) { return (r.*of).metrics.max_abs; });
        m.pixels = int64_t(mean([&](const auto& r) { return double((r.*of).metrics.pixels); }));
        for (const auto map : {&RestoredFigures::colours, &RestoredFigures::flip, &RestoredFigures::gradient}) {
            const auto has = [&](const RestoredMethod* r) { return (r->*of.*map).has_value(); };
            if (!std::all_of(methods.begin(), methods.end(), has)) continue;
            MapFigures& to = (result.*map).emplace();
            for (const auto figure :
                 {&MapFigures::mean, &MapFigures::deviation, &MapFigures::weighted_median, &MapFigures::percentile_95})
                to.*figure = mean([&](const auto& r) { return (*(r.*of.*map)).*figure; });
        }
        return result;
    };
    RestoredMethod average{.spec = methods.front()->spec};
    average.inside = figures(&RestoredMethod::inside);
    average.all = figures(&RestoredMethod::all);
    average.milliseconds = mean([](const auto& r) { return r.milliseconds; });
    average.fetches = mean([](const auto& r) { return r.fetches; });
    const auto is_known = [](const RestoredMethod* r) { return r->displacement.has_value(); };
    if (std::all_of(methods.begin(), methods.end(), is_known)) {
        Displacement& lies = average.displacement.emplace();
        for (const auto of : {&Displacement::right, &Displacement::down, &Displacement::wider, &Displacement::higher})
            lies.*of = mean([&](const auto& r) { return (*r.displacement).*of; });
    }
    return average;
}

// The rank of the k-th merit: 1 for the largest; equal ones share the mean of their ranks.
double rank_of(const std::vector<double>& merits, size_t k) {
    double better = 0, equal = 0;
    for (const double merit : merits) {
        if (std::abs(merit - merits[k]) <= equal_figures) ++equal;
        else if (merit > merits[k]) ++better;
    }
    return better + (equal + 1) / 2;
}

}  // namespace

JudgedPicture judged_picture(size_t index, std::string source, const std::string& record,
                             std::span<const std::string> specs) {
    JudgedPicture picture{.index = index, .source = std::move(source), .problem = {}, .record = record};
    try {
        std::map<std::string, RestoredMethod> methods;
        const RecordJson whole = parse_json(record);
        if (whole.contains("not_finite")) picture.not_finite = whole.at("not_finite").at("samples").get<long long>();
        for (const RecordJson& object : whole.at("methods"))
            methods.emplace(object.at("spec").get<std::string>(), method_from(object));
        for (const std::string& spec : specs) {
            const auto at = methods.find(spec);
            if (at == methods.end()) throw Error(fmt::format("it has no figures of {}", spec));
            picture.methods.push_back(at->second);
        }
    } catch (const RecordJson::exception&) {
        throw Error("it is no result of a restore test");
    }
    const std::vector<Judge> judges = judges_of(parse_json(record));
    for (const RestoredMethod& method : picture.methods)
        if (std::isnan(figure_of(method, judges.front())) && picture.problem.empty())
            picture.problem = fmt::format("{}: there are no finite values to compare", words_of_source(picture.source));
    return picture;
}

ValueRange bootstrapped_mean(std::span<const double> differences) {
    if (differences.empty()) return {no_value, no_value};
    const uint64_t n = differences.size();
    uint64_t draw = 0;
    std::vector<double> means(bootstrap_draws);
    for (double& mean : means) {
        double sum = 0;
        for (uint64_t k = 0; k < n; ++k)
            sum += differences[size_t(((random_bits(bootstrap_seed, draw++) >> 32) * n) >> 32)];
        mean = sum / double(n);
    }
    std::sort(means.begin(), means.end());
    return {quantile(means, 0.025), quantile(means, 0.975)};
}

size_t PicturesResult::judged() const {
    return size_t(std::count_if(pictures.begin(), pictures.end(), [](const auto& p) { return p.judged(); }));
}

PicturesResult summary_of(std::vector<JudgedPicture> all) {
    PicturesResult result;
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
    result.pictures = std::move(all);
    std::vector<size_t> judged;
    for (size_t k = 0; k < result.pictures.size(); ++k)
        if (result.pictures[k].judged()) judged.push_back(k);
    if (judged.empty()) return result;
    const RecordJson record = parse_json(result.pictures[judged[0]].record);
    result.restoration = restoration_of(record.at("restore"));
    result.backend = record.at("backend");
    result.device = record.at("device");
    result.linear_light = record.at("linear_light");
    result.judges = judges_of(record);
    result.pixels_per_degree = record.value("pixels_per_degree", usual_pixels_per_degree);
    const Judge judge = result.judge();
    const double sign = more_is_better(judge) ? 1 : -1;  // to merits

    const size_t count = result.pictures[judged[0]].methods.size();
    std::vector<std::vector<double>> merits(judged.size());  // by picture, by method
    for (size_t p = 0; p < judged.size(); ++p)
        for (const RestoredMethod& method : result.pictures[judged[p]].methods)
            merits[p].push_back(sign * figure_of(method, judge));
    std::vector<std::vector<double>> columns(count);  // by method, by picture
    std::vector<size_t> order(count);
    for (size_t m = 0; m < count; ++m) {
        order[m] = m;
        for (const auto& row : merits) columns[m].push_back(row[m]);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return mean_over(columns[a]) > mean_over(columns[b]); });
    for (const size_t m : order) {
        MethodSummary summary;
        Methods methods;
        for (const size_t k : judged) methods.push_back(&result.pictures[k].methods[m]);
        summary.average = average_of(methods);
        const std::vector<double>& values = columns[m];
        std::vector<double> sorted;
        for (const double value : values) sorted.push_back(sign * value);
        std::sort(sorted.begin(), sorted.end());
        summary.mean = mean_over(sorted);
        summary.median = quantile(sorted, 0.5);
        summary.spread = deviation_of(values);
        summary.least = quantile(sorted, 0);
        summary.low = quantile(sorted, 0.25);
        summary.high = quantile(sorted, 0.75);
        summary.most = quantile(sorted, 1);
        std::vector<double> ranks, behind;
        for (size_t p = 0; p < judged.size(); ++p) {
            ranks.push_back(rank_of(merits[p], m));
            behind.push_back(merits[p][order[0]] - values[p]);
            if (*std::max_element(merits[p].begin(), merits[p].end()) - values[p] <= equal_figures) ++summary.wins;
        }
        summary.rank = mean_over(ranks);
        summary.best = judged[size_t(std::max_element(values.begin(), values.end()) - values.begin())];
        summary.worst = judged[size_t(std::min_element(values.begin(), values.end()) - values.begin())];
        summary.behind = mean_over(behind);
        summary.behind_range = bootstrapped_mean(behind);
        summary.apart = judged.size() >= least_for_order && summary.behind_range.low > 0;
        result.methods.push_back(std::move(summary));
    }
    return result;
}

std::vector<JudgedPicture> merged_pictures(std::span<const NamedText> results) {
    std::vector<JudgedPicture> pictures;
    std::map<size_t, std::string> from;
    RecordJson test, specs;
    for (const auto& [name, text] : results) try {
            const RecordJson whole = parse_json(text);
            if (test.is_null()) test = whole.at("test"), specs = whole.at("specs");
            if (!whole.at("test").is_null() && (whole["test"] != test || whole.at("specs") != specs))
                throw Error(fmt::format("{}: it is of another test or of other methods than those before", name));
            const std::vector<std::string> order = specs;
            for (const RecordJson& object : whole.at("pictures")) {
                const size_t index = object.at("index");
                const std::string source = object.at("image");
                if (const auto& [at, added] = from.emplace(index, name); !added)
                    throw Error(fmt::format("{}: {} is in {} already", name, words_of_source(source), at->second));
                if (object.contains("problem"))
                    pictures.push_back(
                        {.index = index, .source = source, .problem = object.at("problem"), .record = {}});
                else pictures.push_back(judged_picture(index, source, json_text(object), order));
            }
        } catch (const RecordJson::exception&) {
            throw Error(fmt::format("{}: it is no result of texelscope compare of many pictures", name));
        }
    return pictures;
}

std::string pictures_json(const PicturesResult& result) {
    using Ordered = nlohmann::ordered_json;
    Ordered json = {{"test", nullptr},
                    {"specs", Ordered::array()},
                    {"judge", row_of(result.judge()).name},
                    {"verdict", verdict(result)}};
    json["methods"] = Ordered::array();
    for (const MethodSummary& summary : result.methods) {
        const RestoredMethod& average = summary.average;
        const auto source = [&](size_t k) { return result.pictures[k].source; };
        json["methods"].push_back(
            {{"spec", full_spec_text(average.spec)},
             {"name", average.spec.method->name},
             {"mean", summary.mean},
             {"median", summary.median},
             {"spread", summary.spread},
             {"quartiles", {summary.least, summary.low, summary.median, summary.high, summary.most}},
             {"ssim", average.inside.metrics.ssim},
             {"wins", summary.wins},
             {"rank", summary.rank},
             {"behind", summary.behind},
             {"behind_range", {summary.behind_range.low, summary.behind_range.high}},
             {"apart", summary.apart},
             {"best", source(summary.best)},
             {"worst", source(summary.worst)},
             {"microseconds", average.milliseconds * 1000},
             {"fetches", average.fetches}});
    }
    json["pictures"] = Ordered::array();
    for (const JudgedPicture& picture : result.pictures) {
        RecordJson object = picture.judged() ? parse_json(picture.record) : RecordJson{{"problem", picture.problem}};
        if (picture.judged() && json["test"].is_null()) {
            json["test"] = Ordered(test_of(object));
            for (const RestoredMethod& method : picture.methods) json["specs"].push_back(full_spec_text(method.spec));
        }
        object["index"] = picture.index;
        object["image"] = picture.source;
        json["pictures"].push_back(Ordered(std::move(object)));
    }
    return json_text(json, 1) + "\n";
}

namespace {

constexpr size_t most_record_bytes = size_t(16) << 20;

std::filesystem::path record_file(const std::filesystem::path& folder, const std::string& key) {
    return folder / (key + ".json");
}

}  // namespace

std::filesystem::path KeptRecords::usual_folder() { return path_in(cache_home, "texelscope/judged"); }

KeptRecords::KeptRecords(std::filesystem::path folder) : folder_(std::move(folder)) {
    if (folder_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (!std::filesystem::is_directory(folder_, error))
        throw FileError(folder_.string(), "is not a folder, and none can be made there");
}

std::string KeptRecords::key_of(const RestoringPlan& plan, const BackendInfo& backend) {
    const Image& image = *plan.image;
    std::string settings = fmt::format("{} {} {} {} {} {} {} {}\n", TEXELSCOPE_VERSION, to_string(plan.restoration),
                                       full_spec_text(plan.restoration.filter), plan.restoration.antialias,
                                       int(plan.light), name_of(backend.kind), backend.device, backend.detail);
    settings += fmt::format("{} {}\n", fmt::join(names_of<Judge>(plan.judges), ","), plan.pixels_per_degree);
    for (const MethodSpec& spec : plan.specs) settings += full_spec_text(spec) + "\n";
    for (const OutsideMethod& outside : plan.outside)
        settings += full_spec_text(outside.spec) + " " + outside.identity() + "\n";
    settings +=
        fmt::format("{} {} {} {} {} {} {}\n", image.width(), image.height(), image.channels(), int(image.type()),
                    int(image.alpha()), image.one_dimensional(), is_linear(image.profile().get()));
    const uint64_t hash = fnv1a(std::as_bytes(std::span(settings)));
    return fmt::format("{:016x}", fnv1a({image.data(), image.size_bytes()}, hash));
}

std::string KeptRecords::load(const std::string& key) const try {
    return folder_.empty() ? "" : read_text_file(record_file(folder_, key), most_record_bytes);
} catch (const Error&) {
    return "";
}

void KeptRecords::store(const std::string& key, const std::string& record) const try {
    if (!folder_.empty()) write_text(record_file(folder_, key), record);
} catch (const Error&) {  // a full disk, for example
}

}  // namespace texelscope
