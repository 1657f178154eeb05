"""`diagrammar doctor`: what is installed, what is missing, what that costs."""

from __future__ import annotations

import json
from dataclasses import asdict

import click


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="One object per tool, one a line, on stdout.")
def command(as_json: bool) -> None:
    """List each tool and package: its version, what is missing, what that costs."""
    from diagrammar.doctor import Finding, examine

    missing: list[Finding] = []
    group = ""
    for finding in examine():
        if not finding.found:
            missing.append(finding)
        if as_json:
            click.echo(json.dumps(asdict(finding)))
            continue
        if finding.group != group:
            group = finding.group
            click.echo(f"{group}s" if group != "isolation" else group)
        state = finding.version if finding.found else ("MISSING" if finding.needed else "missing (optional)")
        click.echo(f"  {finding.name:<24} {state}")
        if not finding.found:
            click.echo(f"    costs: {finding.cost}")
            click.echo(f"    get it: {finding.remedy}")
    needed = sum(finding.needed for finding in missing)
    click.echo(
        "all is there"
        if not missing
        else f"{needed} needed and {len(missing) - needed} optional things are missing",
        err=True,
    )
