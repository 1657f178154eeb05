"""metrics, pictures: a network of torch -> the ONNX file that networks.py runs, with all it does to pixels inside.

Not imported by any metric: torch is needed only to make such files.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from typing import Any

import torch

from diagrammar.metrics.pictures.weights import CLIP, INCEPTION, LPIPS, Network

_CLIP_MEAN = (0.48145466, 0.4578275, 0.40821073)
_CLIP_DEVIATION = (0.26862954, 0.26130258, 0.27577711)


def export_clip(model: torch.nn.Module) -> bytes:
    """The file of a transformers CLIPVisionModelWithProjection: pixels -> image embedding.

    The picture is resized to 224 x 224 before; the colours' mean and deviation are CLIP's own.
    """
    mean, deviation = (torch.tensor(one).view(1, 3, 1, 1) for one in (_CLIP_MEAN, _CLIP_DEVIATION))
    return _export(
        CLIP, model, lambda x: model(pixel_values=(x.float() / 255 - mean) / deviation).image_embeds
    )


def export_lpips(model: torch.nn.Module) -> bytes:
    """The file of an lpips.LPIPS: pixels -> a vector, such that LPIPS is the squared distance of two of them.

    LPIPS is a sum over layers, channels and places of w (f1 - f2)^2 / places, f having length 1 at each place and
    w being at least 0. So each f times the root of w / places, all in a row, is that vector.
    """
    weights = [lin.model[-1].weight.clamp(min=0) for lin in model.lins]
    if any((lin.model[-1].weight < 0).any() for lin in model.lins):
        raise ValueError("these LPIPS weights have values below 0")

    def see(pixels: torch.Tensor) -> torch.Tensor:
        layers = model.net(model.scaling_layer(pixels.float() / 255 * 2 - 1))
        parts = []
        for layer, weight in zip(layers, weights, strict=True):
            unit = layer / (layer.square().sum(dim=1, keepdim=True).sqrt() + 1e-10)
            parts.append((unit * (weight / (layer.shape[2] * layer.shape[3])).sqrt()).flatten(1))
        return torch.cat(parts, dim=1)

    return _export(LPIPS, model, see)


def export_inception(model: torch.nn.Module) -> bytes:
    """The file of a torch_fidelity FeatureExtractorInceptionV3 for '2048': pixels -> the pooled features.

    Resizing to 299 x 299 as TensorFlow 1 does and (x - 128) / 128 are that model's own.
    """
    return _export(INCEPTION, model, lambda pixels: model(pixels)[0])


def parameters_digest(model: torch.nn.Module) -> str:
    """SHA-256 of the parameters by name: what stays the same however the file is made."""
    digest = hashlib.sha256()
    for name, value in sorted(model.state_dict().items()):
        digest.update(f"{name} {tuple(value.shape)}".encode())
        digest.update(value.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()


def _export(network: Network, model: torch.nn.Module, see: Callable[[torch.Tensor], torch.Tensor]) -> bytes:
    class Seen(torch.nn.Module):  # type: ignore[misc]
        """The model between pixels and features."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, pixels: torch.Tensor) -> Any:
            return see(pixels)

    pixels = torch.zeros((1, 3, network.side_px, network.side_px), dtype=torch.uint8)
    model.requires_grad_(False)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of torch's own exporter about itself
        program = torch.onnx.export(
            Seen().eval(),
            (pixels,),
            input_names=["pixels"],
            output_names=["features"],
            dynamo=True,
            verbose=False,
        )
    return bytes(program.model_proto.SerializeToString())
