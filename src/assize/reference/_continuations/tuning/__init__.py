"""Did tuning help? What a model says before and after, on turns that it was not tuned on."""
