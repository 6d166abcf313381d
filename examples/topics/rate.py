"""Simulate three raters: reads `talks/dialogues.jsonl`, writes `ratings.jsonl`, and says in every
row that it is simulated."""

import json

import numpy as np

STRICTNESS = {"simulated-ann": -0.6, "simulated-bob": 0.0, "simulated-cem": 0.5}
rng = np.random.default_rng(0)

with open("talks/dialogues.jsonl") as talks, open("ratings.jsonl", "w") as ratings:
    for line in talks:
        talk = json.loads(line)
        replies = [turn["text"] for turn in talk["turns"] if turn["role"] == "assistant"]
        helpful = sum("elsewhere" not in text for text in replies) / len(replies)
        for rater, level in STRICTNESS.items():
            answer = round(1 + 3 * helpful + level + rng.normal(0, 0.4))
            row = {"item": talk["id"], "judge": rater, "question": "Q0", "kind": "person"}
            row |= {"answer": str(min(4, max(1, answer))), "details": {"simulated": True}}
            ratings.write(json.dumps(row) + "\n")
