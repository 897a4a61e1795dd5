"""Plots of methods and pictures, by matplotlib if it is installed. Each returns the axes that it has drawn into."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._layout import axes_of
from ._methods import Method, MethodLike, method
from ._pictures import on_host


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    from matplotlib import pyplot  # type: ignore[import-not-found,import-untyped]

    return pyplot.subplots()[1]


def _all(methods: "tuple[MethodLike, ...]") -> "list[Method]":
    return [method(each) for each in methods or ("lanczos3",)]


def weights(*methods: MethodLike, axes: Any = None) -> Any:
    """Weight functions over the distance in samples."""
    axes = _axes(axes)
    for each in _all(methods):
        x = np.linspace(-each.radius, each.radius, 1001)
        axes.plot(x, each(x), label=each.name)
    axes.set(xlabel="distance, samples", ylabel="weight")
    axes.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    axes.legend()
    return axes


def response(*methods: MethodLike, highest: float = 2.0, decibels: bool = False, axes: Any = None) -> Any:
    """By which factor methods pass waves, the prefilter included; up to 1/2 cycle per sample it should be 1, beyond 0."""
    axes = _axes(axes)
    for each in _all(methods):
        frequencies, gains = each.spectrum(1001, highest)
        values = 20 * np.log10(np.maximum(np.abs(gains), 1e-6)) if decibels else gains
        axes.plot(frequencies, values, label=each.name)
    axes.axvline(0.5, color="0.7", linewidth=0.8, zorder=0)
    axes.set(xlabel="frequency, cycles per sample", ylabel="gain, dB" if decibels else "gain")
    axes.legend()
    return axes


def spectrum(array: Any, *, channel: Optional[int] = None, channels: Optional[str] = None, axes: Any = None) -> Any:
    """The power of a picture's frequencies in dB of its strongest, from −1/2 to 1/2 cycle per sample; of its mean over channels."""
    picture = on_host(array)
    of = axes_of(picture.shape, channels)
    if of.channels:
        picture = picture.mean(of.channel) if channel is None else picture.take(channel, of.channel)
    if picture.ndim != 2:
        raise ValueError(f"a spectrum is of one picture, (H, W) or (H, W, C), not of an array of shape {picture.shape}")
    window = np.outer(np.hanning(picture.shape[0] + 2)[1:-1], np.hanning(picture.shape[1] + 2)[1:-1])
    power = np.abs(np.fft.fftshift(np.fft.fft2((picture - picture.mean()) * window))) ** 2
    decibels = 10 * np.log10(np.maximum(power / max(power.max(), 1e-300), 1e-12))
    axes = _axes(axes)
    shown = axes.imshow(decibels, extent=(-0.5, 0.5, 0.5, -0.5), vmin=-100, vmax=0, cmap="magma")
    axes.figure.colorbar(shown, ax=axes, label="dB")
    axes.set(xlabel="cycles per sample along x", ylabel="along y")
    return axes
