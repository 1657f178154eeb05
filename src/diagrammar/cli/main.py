"""The `diagrammar` program: commands are imported when they are called, so that --help answers at once."""

from __future__ import annotations

import importlib
import os
import sys
from typing import NamedTuple

import click

from diagrammar import __version__
from diagrammar.errors import BadInput, DiagrammarError


class Entry(NamedTuple):
    module: str
    summary: str


# In the order of the road; the summaries stand here because reading them from the commands would import them.
COMMANDS = {
    "demo": Entry("demo", "Build, run, score and report a small benchmark of real diagrams."),
    "doctor": Entry("doctor", "List each tool and package: its version, what is missing, what that costs."),
    "compile": Entry("compile", "Compile TeX as people and models write it to PDF and PNG."),
    "objects": Entry("objects", "List the objects that a TeX document draws."),
    "score": Entry("score", "Score a candidate against a truth, object by object."),
    "collect": Entry("collect", "Collect diagrams from the installed manuals or from a folder."),
    "refine": Entry("refine", "Keep the collected diagrams that compile and draw something."),
    "curate": Entry("curate", "Make a corpus of collections: compiled and sifted."),
    "tasks": Entry("tasks", "Make benchmark tasks of refined diagrams."),
    "build": Entry("build", "Collect, refine and make tasks in one go."),
    "run": Entry("run", "Ask a model to solve a benchmark's tasks."),
    "grade": Entry("grade", "Grade answers to questions, by rules and a judge model."),
    "agreement": Entry("agreement", "Compare grades with people's: a sheet to fill, a table of kappas."),
    "report": Entry("report", "Score runs and write the report."),
    "weights": Entry("weights", "List and fetch the weights of the networks that compare pictures."),
}


class LazyGroup(click.Group):
    """A group whose commands live in modules that are imported at the first call."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"diagrammar.cli.{COMMANDS[cmd_name].module}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="diagrammar")
def program() -> None:
    """Real TeX in, drawn objects and scores out."""


def main() -> None:
    """Runs the program. Exit codes: 0 done, 1 the machine is broken, 2 wrong usage, 130 interrupted."""
    try:
        result = program.main(prog_name="diagrammar", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:  # Ctrl-C
        click.echo("diagrammar: stopped", err=True)
        sys.exit(130)
    except DiagrammarError as error:
        click.echo(f"diagrammar: {error}", err=True)
        sys.exit(2 if isinstance(error, BadInput) else 1)
    except BrokenPipeError:  # whoever read us has stopped, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:  # a full disk, a folder that may not be written: the machine's word, on one line
        place = f"{os.fsdecode(error.filename)!r}: " if isinstance(error.filename, str | bytes) else ""
        click.echo(f"diagrammar: {place}{error.strerror or error}; what is done is kept", err=True)
        sys.exit(1)
    sys.exit(result if isinstance(result, int) else 0)


if __name__ == "__main__":
    main()
