"""Asks semble the questions of a repository: its BM25 and its ranker, without its model, which would have to be downloaded.

Reads one JSON object from its input, {"root": folder, "questions": [...], "files": how many}, and prints one list of paths
for each question, the best first, each path once.
"""

import json
import sys
from pathlib import Path

import numpy as np
from semble.index.create import create_index_from_path
from semble.search import search
from semble.types import ContentType


class NoModel:
    """Says the same about every text, so that meaning decides nothing."""

    dim = 2

    def encode(self, texts, **_):
        return np.ones((len(texts), self.dim), dtype=np.float32)


def main():
    asked = json.load(sys.stdin)
    root = Path(asked["root"]).resolve()
    model = NoModel()
    words, meaning, chunks, _ = create_index_from_path(
        root, model=model, content=(ContentType.CODE,), display_root=root, show_progress_bar=False
    )
    answers = []
    for question in asked["questions"]:
        found = search(question, model, meaning, words, chunks, 50, alpha=0.0) if chunks else []
        paths = dict.fromkeys(Path(one.chunk.file_path).as_posix() for one in found)
        answers.append(list(paths)[: asked["files"]])
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
