from tests.calibration.conftest import chats, fitted, other, rated, said  # noqa: F401
