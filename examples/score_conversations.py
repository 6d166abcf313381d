"""Scores conversations from Python and shows the lowest: the README's main job as a script.

python examples/score_conversations.py [FILE] [--report report.html]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import assize
from assize.scoring import ScoreCounter

HERE = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(description="Score conversations and show the lowest.")
    parser.add_argument("file", nargs="?", default=str(HERE / "conversations.jsonl"))
    parser.add_argument("--report", help="also write an HTML page")
    given = parser.parse_args()

    # Any known format, plain or compressed; one record at a time.
    conversations = [one for one in assize.read(given.file) if isinstance(one, assize.Conversation)]
    judgments: dict[str, list[assize.Judgment]] = {one.id: [] for one in conversations}
    for judgment in assize.scoring.iter_score(conversations):
        judgments[judgment.item].append(judgment)

    overall = [one for rows in judgments.values() for one in rows if one.question == "overall"]
    scored = [one for one in overall if one.score is not None]
    for one in sorted(scored, key=lambda one: one.score or 0.0)[:5]:
        print(f"{one.score:.3f}  {one.item}")
    for one in overall:
        if one.unscored is not None:
            print(f"    –  {one.item}: {one.unscored.reason}: {one.unscored.message}")

    if given.report:
        counter = ScoreCounter()
        for conversation in conversations:
            counter.add(conversation, judgments[conversation.id])
        assize.report(counter.summary(), given.report, title="Example conversations")


if __name__ == "__main__":
    main()
