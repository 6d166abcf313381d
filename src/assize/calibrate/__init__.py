"""What each rater would answer, predicted from a model's answer distributions.

    fitted = assize.calibrate.fit("answers.jsonl", "ratings.jsonl", target="Q0", out="mine/")
    assize.calibrate.predict(fitted, "new-answers.jsonl")

Takes judgments by models and ratings by people; gives judgments by `calibration:RATER`, each with
a score and a distribution. Source: Hashemi et al., "LLM-Rubric", ACL 2024.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
