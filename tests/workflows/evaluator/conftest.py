from tests.evaluator.conftest import given, voted  # noqa: F401
