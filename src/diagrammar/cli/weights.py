"""`diagrammar weights`: the networks of the picture metrics: what is there, and how to get it."""

from __future__ import annotations

import json

import click

NAMES = ("clip", "lpips", "inception")


@click.group("weights")
def command() -> None:
    """List and fetch the weights of the networks that compare pictures."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="One object per network, one a line, on stdout.")
def list_weights(as_json: bool) -> None:
    """List each network: its weights' path, SHA-256 and source, or what is missing."""
    from diagrammar.metrics.pictures.weights import NETWORKS, find_weights, weights_path
    from diagrammar.records.scores import NotComputed

    there = 0
    for network in NETWORKS.values():
        found, path = find_weights(network), str(weights_path(network))
        told = {"network": network.name, "title": network.title, "path": path}
        if isinstance(found, NotComputed):
            told["missing"] = found.reason
            lines = [found.reason, f"expected: {path}, or the path in ${network.path_variable}"]
        else:
            there += 1
            told["sha256"] = found.sha256
            told["source"] = found.record.source if found.record else "not told"
            lines = [path, f"sha256 {found.sha256}", f"source: {told['source']}"]
        if as_json:
            click.echo(json.dumps(told))
        else:
            click.echo("\n  ".join([f"{network.name:<10} {network.title}", *lines]))
    click.echo(f"weights of {there} of {len(NETWORKS)} networks are there", err=True)


@command.command("fetch")
@click.argument("name", type=click.Choice(NAMES))
@click.option("--force", is_flag=True, help="Also where the file is there already.")
def fetch(name: str, force: bool) -> None:
    """Fetch a network's published weights and write them as the file that scoring reads.

    Needs the extra 'weights' and a way to the weights' host.
    """
    from diagrammar.metrics.pictures.fetch import fetch_weights
    from diagrammar.metrics.pictures.weights import NETWORKS, weights_path

    path = weights_path(NETWORKS[name])
    if path.exists() and not force:
        click.echo(f"{path} is there already; --force makes it anew", err=True)
        return
    made = fetch_weights(NETWORKS[name])
    click.echo(f"{made.path}\nsha256 {made.sha256}")
