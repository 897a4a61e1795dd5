//! name = Dithered nearest
//! parameter amount = 1 from 0 to 2
// The nearest sample, at a position that is moved by chance: by up to half of `amount` samples to each side. With 1, the
// mean of many pixels is bilinear interpolation, but every pixel has the value of a sample.
float4 sample(Source s, double x, double y, Params p) {
    double dx = p.amount * (random(s.i, s.j, 0) - 0.5f);
    double dy = p.amount * (random(s.i, s.j, 1) - 0.5f);
    return s.tap(whole(x + dx + 0.5), whole(y + dy + 0.5));
}
