//! name = Bilateral
//! parameter spread = 0.7 from 0.3 to 2
//! parameter range = 0.15 from 0.02 to 1
// A Gaussian of `spread` samples, in which a sample counts the less the more its colour differs from the bilinear value
// here: `range` is a difference that counts 0.6 times. Edges stay sharp, and noise between them is averaged.
float4 sample(Source s, double x, double y, Params p) {
    int i0 = whole(x), j0 = whole(y);
    float tx = part(x), ty = part(y);
    float4 here =
        lerp(lerp(s.tap(i0, j0), s.tap(i0 + 1, j0), tx), lerp(s.tap(i0, j0 + 1), s.tap(i0 + 1, j0 + 1), tx), ty);
    float4 sum = make_float4(0, 0, 0, 0);
    float weights = 0;
    for (int j = -2; j <= 3; ++j)
        for (int i = -2; i <= 3; ++i) {
            float4 tap = s.tap(i0 + i, j0 + j);
            float4 off = tap - here;
            float distance = (i - tx) * (i - tx) + (j - ty) * (j - ty);
            float colour = off.x * off.x + off.y * off.y + off.z * off.z;
            float weight = expf(-0.5f * (distance / (p.spread * p.spread) + colour / (p.range * p.range)));
            sum += weight * tap;
            weights += weight;
        }
    return weights > 0 ? sum / weights : here;
}
