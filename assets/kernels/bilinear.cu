//! name = My kernel
//! parameter sharpness = 0 from 0 to 1
// Bilinear interpolation; `sharpness` makes the way from one sample to the next steeper.
float4 sample(Source s, double x, double y, Params p) {
    int i = whole(x), j = whole(y);
    float t = part(x), u = part(y);
    t = lerp(t, t * t * (3 - 2 * t), p.sharpness);
    u = lerp(u, u * u * (3 - 2 * u), p.sharpness);
    return lerp(lerp(s.tap(i, j), s.tap(i + 1, j), t), lerp(s.tap(i, j + 1), s.tap(i + 1, j + 1), t), u);
}
