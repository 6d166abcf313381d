"""Runs a notebook in a real kernel, in a process of its own: python run_notebook.py FILE FOLDER.

The kernel's sockets stay out of the process of the tests, which refuses the ones it does not know.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

nbformat: Any = import_module("nbformat")  # has no types

SOURCE = Path(__file__).parents[2] / "src"


def notebook_of(cells: Sequence[str]) -> Any:
    """A notebook of these cells."""
    code = nbformat.v4.new_code_cell
    return nbformat.v4.new_notebook(cells=[code(one.strip()) for one in cells])


def read_notebook(file: Path) -> Any:
    """The notebook in a file."""
    return nbformat.read(file, as_version=4)


def run_notebook(notebook: Any, folder: Path) -> Any:
    """The notebook with its outputs; the kernel works in that folder, beside no settings."""
    file = folder / "executed.ipynb"
    nbformat.write(notebook, file)
    own = {name: str(folder / name.lower()) for name in ("JUPYTER_RUNTIME_DIR", "IPYTHONDIR")}
    environment = {**os.environ, **own, "PYTHONPATH": str(SOURCE), "COLUMNS": "80"}
    words = [sys.executable, __file__, str(file), str(folder)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise AssertionError(done.stderr)
    return nbformat.read(file, as_version=4)


def main() -> None:
    from nbclient import NotebookClient

    file, folder = sys.argv[1:]
    notebook = nbformat.read(file, as_version=4)
    resources = {"metadata": {"path": folder}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).execute()
    nbformat.write(notebook, file)


if __name__ == "__main__":
    main()
