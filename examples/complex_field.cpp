// A complex field as an FFT produces it: real and imaginary part interleaved (cufftComplex, std::complex<float>),
// periodic, row-major. It is read in place, on a polar grid that has no point in common with the samples.

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>

#include <texelscope.h>

using namespace texelscope;

namespace {

constexpr int n = 128;

// A few plane waves with whole periods over the field, up to 11 of them.
std::complex<double> field_at(double x, double y) {
    constexpr struct {
        int kx, ky;
        double amplitude, phase;
    } waves[] = {{3, 1, 1.0, 0.2}, {-7, 4, 0.5, 1.1}, {2, -11, 0.3, 2.0}};
    std::complex<double> sum = 0;
    for (const auto& w : waves)
        sum += std::polar(w.amplitude, w.phase + 2 * std::numbers::pi * (w.kx * x + w.ky * y) / n);
    return sum;
}

double rms_error(SourceImage& field, const char* spec, const std::vector<double>& x, const std::vector<double>& y) {
    SampleRequest request;
    request.spec = parse_spec(spec);
    const std::vector<float> values = field.sample_to_host(request, PointsView::arrays(x.data(), y.data(), x.size()));
    double sum = 0;
    for (size_t k = 0; k < x.size(); ++k)
        sum += std::norm(std::complex<double>(values[2 * k], values[2 * k + 1]) - field_at(x[k], y[k]));
    return std::sqrt(sum / double(x.size()));
}

}  // namespace

int main() {
    try {
        std::vector<std::complex<float>> samples(n * n);
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) samples[size_t(y * n + x)] = std::complex<float>(field_at(x, y));

        std::vector<double> x, y;  // twelve rings around the centre, some beyond the edges: the field continues there
        for (int ring = 1; ring <= 12; ++ring)
            for (int k = 0; k < 360; ++k) {
                x.push_back(n / 2.0 + 7.3 * ring * std::cos(k * std::numbers::pi / 180));
                y.push_back(n / 2.0 + 7.3 * ring * std::sin(k * std::numbers::pi / 180));
            }

        SourceImage field(make_backend(BackendChoice::cpu), ImageView{samples.data(), n, n, 2});
        std::printf("%zu points of a %d x %d complex field, RMS error:\n", x.size(), n, n);
        for (const char* spec : {"nearest:address=wrap", "bilinear:address=wrap", "catmull-rom:address=wrap",
                                 "bspline:address=wrap", "quintic:address=wrap"})
            std::printf("  %-26s %.2e\n", spec, rms_error(field, spec, x, y));
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
