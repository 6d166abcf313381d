"""What each rater would answer, learnt from a model's answer distributions.

    features = features_of(read_judgments(["answers.jsonl"]))       # items by columns
    forms = forms_of(features, read_judgments(["ratings.jsonl"]), target="Q0")
    calibrator = fit_default(forms)                # same forms, same numbers: no seed, no search
    found = predict(calibrator, others, [0, 1])    # (items, raters, answers)

`forms.x` (N, D), `forms.rater` (N,), `forms.answers` (N, Q, the target first; NO_ANSWER
where there is none) are plain arrays: a study may put other inputs in their place with
`dataclasses.replace` (true answers as one-hot, a question left out), take rows with
`forms.take(mask)`, or change the target with `forms.with_target("Q3")`.

`fit_forms(forms, Published(seeds=3))` fits as `assize.calibrate.fit` does; `KINDS` lists what
there is to fit. What that has written, with its correction where there is one:

    fitted = load_calibrator("mine/")               # a `FittedCalibrator`
    found = fitted.probabilities(features, [0, UNKNOWN])
    rules = load_routing("routing.yaml")            # for `request_ratings`: who may be asked what

The published network, many at once:

    jobs = [Job(Setting(hidden1=25, rate=0.001), rows, seed) for rows in folds for seed in seeds]
    for network, job in zip(train(forms, jobs), jobs):
        network.probabilities(forms.x[held], forms.rater[held])      # (n, K) of the target

Its settings searched on folds, and questions with many answers by vectors of these:

    vectors = embed_answers(forms, load_encoder("minilm"), size=8)
    folds = dealt(forms.item, 5, rng)  # of assize.stats._studies
    networks, found = search_and_fit(forms, folds, grid=GRIDS["small"], embeddings=vectors)

Raters who only help (`forms_of(..., trusted=[...])`), their ratings as far as cross-validation
lets them:

    calibrator = fit_default(forms, helper_weight=learn_helper_weight(forms))
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
