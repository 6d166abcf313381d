"""Every error assize raises on purpose.

    AssizeError
    ├── DataError            a record, a file or an array that is not what it must be
    │   └── OutputError      a result that could not be written
    ├── ConfigError          a setting, an option or a name that is not known
    │   ├── MissingExtra     a part of the package that is not installed
    │   └── MissingWeights   the embedded encoder's weights, which are not on this machine
    ├── ModelError           a call to a model that failed
    │   ├── RateLimitError       retry later
    │   ├── ModelTimeout         retry
    │   ├── ServerError          retry
    │   │   └── UnreachableError     there was no connection at all
    │   ├── TooLargeError        the reply is larger than any answer
    │   ├── AuthenticationError  the key is wrong
    │   ├── BadRequestError      the request is wrong
    │   │   ├── NotFoundError        the server has no such address or model
    │   │   └── TooLongError         it holds more tokens than the model takes
    │   └── BudgetError          the money allowed is spent
    ├── AnswerError          an answer that could not be read
    └── Stopped              a run in which nothing succeeded any more; it holds what there is

The command line prints the message of an `AssizeError` and exits with 2; any
other exception is a defect and keeps its traceback. What is no failure (an answer that waits
for a batch, a session that ends) is no `AssizeError`: see `assize.running.Postponed`. A run that
somebody interrupts raises `Interrupted`, which is a KeyboardInterrupt.
"""

from __future__ import annotations

from assize.base.secrets import keep_urls, redacted


class AssizeError(Exception):
    """The root of the tree; catch it to catch everything assize raises on purpose.

    Its text holds no secret in use; see `assize.base.secrets`.
    """

    def __str__(self) -> str:
        return redacted(super().__str__())


class DataError(AssizeError):
    """A record, a file or an array is not what it must be.

    Args:
        problem: what was received, what is allowed and what to do.
        source: file name or URL, when the problem stands in one.
        line: line of a text file, item of a JSON array, row of a table; from 1.
        field: path inside the record, for instance `turns[2].role`.
    """

    def __init__(
        self,
        problem: str,
        *,
        source: str | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        self.problem = problem
        self.source = source
        self.line = line
        self.field = field
        super().__init__(problem)

    def __str__(self) -> str:
        where = "" if self.source is None else self.source
        keep_urls(where)
        if self.line is not None:
            where += f":{self.line}"
        parts = [part for part in (where, self.field) if part]
        return redacted(": ".join([*parts, self.problem]))

    def at(self, source: str, line: int | None) -> DataError:
        """The same problem with its place filled in where it was not known yet."""
        if self.source is None:
            self.source = source
        if self.line is None:
            self.line = line
        return self


class OutputError(DataError):
    """A result could not be written; the message says what was kept, and where."""


class ConfigError(AssizeError):
    """A setting, an option or a name is not known or does not fit the others.

    Args:
        message: what was received, what is allowed and what to do.
        parameters: the parameters that the message names; a command writes them as its flags.

    >>> ConfigError("votes is 3; give 1 or 2", "votes").parameters
    ('votes',)
    """

    def __init__(self, message: str = "", *parameters: str) -> None:
        self.parameters = parameters
        super().__init__(message)


class MissingExtra(ConfigError):
    """An optional part of the package is needed and not installed.

    Args:
        what: what was asked for, the subject of the message.
        extra: the extra of `pyproject.toml` that brings what is missing.
        missing: the distribution or module that is not there.

    >>> print(MissingExtra("scoring", extra="score", missing="onnxruntime"))
    scoring needs onnxruntime, which is not installed: in the clone, pip install '.[score]'
    """

    def __init__(self, what: str, *, extra: str, missing: str) -> None:
        self.extra = extra
        super().__init__(
            f"{what} needs {missing}, which is not installed: "
            f"in the clone, pip install '.[{extra}]'"
        )


class MissingWeights(ConfigError):
    """The embedded encoder's weights are not on this machine; the message says how to get them."""


class ModelError(AssizeError):
    """A call to a model failed.

    `retryable` says whether asking again can help, `may_cost` whether the provider may charge
    for the call all the same: unless it is known to have turned it down.
    """

    retryable = False
    may_cost = True


class RateLimitError(ModelError):
    """Too many requests or tokens; `retry_after` is in seconds, when the server said."""

    retryable = True
    may_cost = False

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class ModelTimeout(ModelError):
    """No answer within the time allowed; it may cost something unless nothing was sent."""

    retryable = True

    def __init__(self, message: str, *, may_cost: bool = True) -> None:
        self.may_cost = may_cost
        super().__init__(message)


class ServerError(ModelError):
    """The server failed (5xx), the connection broke, or what came cannot be read.

    It may cost something, unless nothing was sent or the server itself says that it failed.
    """

    retryable = True

    def __init__(self, message: str, *, may_cost: bool = True) -> None:
        self.may_cost = may_cost
        super().__init__(message)


class UnreachableError(ServerError):
    """There was no connection to the server; names its address.

    Args:
        address: the endpoint's, without a password or query.
        problem: what the network said.
    """

    def __init__(self, address: str, problem: str) -> None:
        super().__init__(f"{address} cannot be reached: {problem}", may_cost=False)


class TooLargeError(ModelError):
    """The server's reply is larger than any answer; asking again would fetch it again."""


class AuthenticationError(ModelError):
    """The key is missing, wrong, or not allowed to use the model."""

    may_cost = False


class BadRequestError(ModelError):
    """The server refuses the request as it stands."""

    may_cost = False


class NotFoundError(BadRequestError):
    """The server has nothing at this address, or no such model (404)."""


class TooLongError(BadRequestError):
    """The request needs more tokens than the model takes; the numbers, where known."""

    def __init__(
        self, message: str, *, needed: int | None = None, limit: int | None = None
    ) -> None:
        self.needed = needed
        self.limit = limit
        super().__init__(message)


class BudgetError(ModelError):
    """The next call could cost more than what is left of `--max-cost`."""

    may_cost = False


class AnswerError(AssizeError):
    """A model answered, but not in the form that was asked for."""


class Interrupted(KeyboardInterrupt):
    """A run was interrupted; the same call continues it.

    Args:
        partial: what the call would have returned, of what there is so far.
    """

    def __init__(self, partial: object) -> None:
        self.partial = partial
        super().__init__("interrupted; what was answered is kept, and the same call continues")


class Stopped(AssizeError):
    """A run stopped by itself, for nothing succeeded any more; the same call continues it.

    Args:
        partial: what the call would have returned, of what there is so far.
    """

    def __init__(self, partial: object) -> None:
        self.partial = partial
        super().__init__(
            "stopped, for nothing succeeded any more; what was answered is kept, and the same call"
            " (or command) continues"
        )


def shorten(value: object) -> str:
    """Return a value for an error message, cut short.

    >>> print(shorten("x" * 99))
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
    """
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
