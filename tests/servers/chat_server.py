"""A real local server that speaks the OpenAI and Anthropic protocols, with faults on demand.

What answers is a function: `mock` fills the schema at once, `Llama` runs a tiny model. A
server runs in a thread of the test process, so that a test sees every request it got.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import random
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvicorn
from chat_stream import Pace, openai_events, streamed
from fastapi import FastAPI, Request, UploadFile
from fastapi.responses import JSONResponse, PlainTextResponse

from assize.models.model import Message
from assize.models.model import Request as Ask
from assize.models.scripted import example

Body = dict[str, Any]
Answer = Callable[[Body], Body]  # the body of a chat completion
Fault = Callable[[int, Body], str | None]  # (request number, body) -> name of a fault

FAULTS = (
    "429",
    "500",
    "503",
    "slow",
    "cut",
    "truncated",
    "not_json",
    "wrong_shape",
    "empty_choices",
    "content_filter",
)


@dataclass
class Seen:
    """One request that arrived, and what became of it."""

    body: Body
    headers: dict[str, str]
    fault: str | None
    path: str

    @property
    def text(self) -> str:
        """All that was said to the model."""
        return json.dumps(self.body.get("messages"))


def completion(
    body: Body, text: str, *, finish: str = "stop", logprobs: list[Body] | None = None
) -> Body:
    """A chat completion with that text."""
    asked = sum(len(message["content"]) for message in body["messages"])
    message = {"role": "assistant", "content": text, "refusal": None}
    choice: Body = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    if logprobs is not None:
        choice["logprobs"] = {"content": logprobs}
    usage = {"prompt_tokens": asked // 4 + 1, "completion_tokens": len(text) // 4 + 1}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [choice],
        "usage": usage | {"total_tokens": sum(usage.values())},
    }


def schema_of(body: Body) -> Body:
    """The schema that a request asks for; empty where it asks for none."""
    schema: Body = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    return schema


def mock(body: Body, **said: Any) -> Body:
    """A valid answer drawn by the hash of the request, but for fields that are `said`; two thirds
    of the mass on it."""
    draw = random.Random(hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest())
    schema = schema_of(body)
    if not schema:
        return completion(body, "A")
    value = example(schema, draw.choice) | said
    text = json.dumps(value, separators=(",", ":"))
    return completion(body, text, logprobs=_logprobs(text, value) if body.get("logprobs") else None)


def _logprobs(text: str, value: Any) -> list[Body]:
    """Tokens of a flat answer: what stands before the last value, the value, the rest."""
    last = str(list(value.values())[-1])
    before, _, after = text.rpartition(last)
    tops = [(last, 2 / 3), ("zzz", 1 / 12)]
    pieces = [(before, [(before, 1.0)]), (last, tops), (after, [(after, 1.0)])]
    return [
        {
            "token": piece,
            "logprob": math.log(top[0][1]),
            "top_logprobs": [{"token": t, "logprob": math.log(p)} for t, p in top],
        }
        for piece, top in pieces
    ]


def capped(schema: Any) -> Any:
    """The schema with every string at most twelve characters; a random model never ends one."""
    if isinstance(schema, list):
        return [capped(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: capped(value) for key, value in schema.items()}
    short = schema.get("type") == "string" and "enum" not in schema
    return parts | {"maxLength": 12} if short else parts


class Llama:
    """A tiny random Llama behind the protocol: real log-probabilities, real schemas."""

    def __init__(self, folder: Path) -> None:
        from assize.models.hf_engine import Engine

        self.engine = Engine(str(folder))
        self._lock = threading.Lock()

    def __call__(self, body: Body) -> Body:
        ask = Ask(
            tuple(Message(m["role"], m["content"]) for m in body["messages"]),
            schema=capped(schema_of(body)) or None,
            temperature=body.get("temperature", 1.0),
            seed=body.get("seed"),
            max_tokens=body.get("max_tokens") or body.get("max_completion_tokens") or 256,
            top_logprobs=body.get("top_logprobs", 0),
        )
        with self._lock:
            (reply,) = self.engine.answer([ask])
        if isinstance(reply, Exception):
            raise reply
        logprobs = [
            {
                "token": token.text,
                "logprob": token.logprob,
                "top_logprobs": [{"token": t, "logprob": p} for t, p in token.top],
            }
            for token in reply.tokens
        ]
        return completion(
            body,
            reply.text,
            finish=reply.finish,
            logprobs=logprobs if body.get("logprobs") else None,
        )


@dataclass
class ChatServer:
    """The server; use as a context manager.

    Args:
        answer: makes the body of a completion.
        fault: chooses a fault for a request, None for none.
        latency: seconds before each answer.
        refuses: parameters that get a 400, as some models give.
        context: longest prompt in characters / 4.
        retry_after: what 429 and 503 say.
        pace: called before each event of a streamed answer; may block, or wait.
        streams: False answers as a whole though a stream is asked for.
        says: what messages of Anthropic's protocol hold.
    """

    answer: Answer = mock
    fault: Fault | None = None
    latency: float = 0.0
    slow: float = 5.0
    refuses: tuple[str, ...] = ()
    context: int | None = None
    retry_after: str | None = "0.02"
    pace: Pace | None = None
    streams: bool = True
    says: str = "A"
    seen: list[Seen] = field(default_factory=list)
    in_flight: int = 0
    peak: int = 0
    port: int = 0

    def __post_init__(self) -> None:
        self.batches: dict[str, Body] = {}
        self.files: dict[str, bytes] = {}
        self.refuses_batches = False
        self.lists_batches = True
        self.names: dict[str, str] = {}  # what uploaded files are called
        # told of `upload`, `uploaded`, `submit` and `submitted`; False loses the request
        self.batch_step: Callable[[str], bool] = lambda _: True
        self.batch_delay = 0  # polls before a batch is done
        self.batch_fault: Fault | None = None

    @property
    def root(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """What `--base-url` takes."""
        return f"{self.root}/v1"

    def __enter__(self) -> ChatServer:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        self.port = listener.getsockname()[1]
        config = uvicorn.Config(self.app(), log_level="critical", lifespan="off", ws="none")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]})
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        self._listener = listener
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join()
        self._listener.close()

    def app(self) -> Any:
        """The faults around the application."""
        inner = self._application()

        async def outer(scope: Body, receive: Any, send: Any) -> None:
            body = await _body(receive)
            if body is None:
                return
            headers = {k.decode(): v.decode() for k, v in scope["headers"]}
            is_json = body and headers.get("content-type") == "application/json"
            value = json.loads(body) if is_json else {}
            chat = scope["path"] in ("/v1/chat/completions", "/v1/messages")
            name = self.fault(len(self.seen), value) if chat and self.fault else None
            self.seen.append(Seen(value, headers, name, scope["path"]))
            self.in_flight += 1
            self.peak = max(self.peak, self.in_flight)
            try:
                if name == "cut":
                    send.__self__.transport.abort()
                elif name == "truncated":
                    await _truncated(send)
                else:
                    abort = send.__self__.transport.abort
                    scope["state"] = {"fault": name, "abort": abort}
                    await inner(scope, _again(body), send)
            finally:
                self.in_flight -= 1

        return outer

    def _application(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        async def chat(request: Request) -> Any:
            return await self._chat(await request.json(), **request.scope["state"])

        @app.post("/v1/messages")
        async def anthropic(request: Request) -> Any:
            return await self._anthropic(await request.json(), request.scope["state"]["fault"])

        @app.post("/v1/files")
        async def upload(file: UploadFile) -> Any:
            if not self.batch_step("upload"):
                return _error(500, "Something broke.")
            name = f"file-{len(self.files)}"
            self.files[name] = await file.read()
            self.names[name] = str(file.filename)
            self.batch_step("uploaded")
            return self._file(name)

        @app.get("/v1/files")
        async def list_files() -> Any:
            listed = [self._file(name) for name in reversed(self.names)]
            return {"object": "list", "data": listed, "has_more": False}

        @app.delete("/v1/files/{name}")
        async def delete(name: str) -> Any:
            self.files[name] = b""  # the next file's name counts them
            del self.names[name]
            return {"id": name, "object": "file", "deleted": True}

        @app.get("/v1/files/{name}/content")
        async def content(name: str) -> Any:
            return PlainTextResponse(self.files[name].decode())

        @app.post("/v1/batches")
        async def submit(request: Request) -> Any:
            body = await request.json()
            if not self.batch_step("submit"):
                return _error(500, "Something broke.")
            if self.refuses_batches:
                return _error(400, "No batches for this account.")
            made = self._submit(self.files[body["input_file_id"]], body)
            self.batch_step("submitted")
            return made

        @app.get("/v1/batches")
        @app.get("/v1/messages/batches")
        async def list_batches() -> Any:
            return self._listed() if self.lists_batches else _error(404, "Not found.")

        @app.get("/v1/batches/{name}")
        @app.get("/v1/messages/batches/{name}")
        async def status(name: str) -> Any:
            return self._poll(name)

        @app.post("/v1/messages/batches")
        async def submit_messages(request: Request) -> Any:
            body = await request.json()
            if not self.batch_step("submit"):
                return _error(500, "Something broke.")
            made = self._submit_messages(body)
            self.batch_step("submitted")
            return made

        @app.get("/v1/messages/batches/{name}/results")
        async def results(name: str) -> Any:
            return PlainTextResponse(self.files[name].decode(), media_type="application/x-jsonl")

        return app

    async def _chat(self, body: Body, fault: str | None, abort: Callable[[], None]) -> Any:
        if self.latency:
            await asyncio.sleep(self.latency)
        for name in self.refuses:
            if name in body or f'"{name}"' in json.dumps(body.get("response_format")):
                return _error(400, f"Unsupported parameter: '{name}' is not supported here.")
        asked = sum(len(message["content"]) for message in body["messages"]) // 4
        if self.context is not None and asked > self.context:
            return _error(
                400,
                f"This model's maximum context length is {self.context} tokens, however you"
                f" requested {asked} tokens.",
                code="context_length_exceeded",
            )
        return await self._with_fault(body, fault, abort)

    async def _with_fault(self, body: Body, fault: str | None, abort: Callable[[], None]) -> Any:
        if fault in ("429", "503"):
            headers = {"retry-after": self.retry_after} if self.retry_after else {}
            return _error(int(fault), "Too much at once.", headers=headers)
        if fault == "500":
            return _error(500, "Something broke.")
        if fault == "slow":
            await asyncio.sleep(self.slow)
        if fault == "not_json":
            return PlainTextResponse("<html>busy</html>")
        answer = await asyncio.to_thread(self.answer, body)
        if fault == "wrong_shape":
            answer["choices"][0]["message"]["content"] = '{"verdict": "both are fine'
        if fault == "empty_choices":
            answer["choices"] = []
        if fault == "content_filter":
            answer["choices"][0] |= {
                "finish_reason": "content_filter",
                "message": {"role": "assistant", "content": None},
            }
        if body.get("stream") and self.streams:
            return streamed(openai_events(body, answer), fault, self.pace, abort)
        return JSONResponse(answer)

    async def _anthropic(self, body: Body, fault: str | None) -> Any:
        if fault in ("429", "529"):
            return JSONResponse(
                {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}},
                status_code=int(fault),
                headers={"retry-after": self.retry_after or "0"},
            )
        return JSONResponse(as_message(body, self.says))

    def _submit(self, data: bytes, body: Body) -> Body:
        done, failed = [], []
        for number, line in enumerate(data.decode().splitlines()):
            one = json.loads(line)
            fault = self.batch_fault(number, one["body"]) if self.batch_fault else None
            row: Body = {"id": f"r{number}", "custom_id": one["custom_id"], "error": None}
            if fault == "500":
                failed.append(row | {"response": {"status_code": 500, "body": {"error": {}}}})
            elif fault == "expired":
                error = {"code": "batch_expired", "message": "too late"}
                failed.append(row | {"response": None, "error": error})
            elif fault != "missing":
                response = {"status_code": 200, "request_id": "q", "body": self.answer(one["body"])}
                done.append(row | {"response": response})
        name = f"batch-{len(self.batches)}"
        batch: Body = {
            "id": name,
            "object": "batch",
            "endpoint": body["endpoint"],
            "status": "in_progress",
            "input_file_id": body["input_file_id"],
            "completion_window": "24h",
            "created_at": int(time.time()),
            "metadata": body.get("metadata"),
            "polls": self.batch_delay,
            "asked": [json.loads(line) for line in data.splitlines()],
        }
        for key, rows in (("output_file_id", done), ("error_file_id", failed)):
            if rows:
                batch[key] = f"file-{len(self.files)}"
                self.files[batch[key]] = "\n".join(map(json.dumps, rows)).encode()
        self.batches[name] = batch
        return _shown(batch)

    def _submit_messages(self, body: Body) -> Body:
        name, rows = f"msgbatch_{len(self.batches)}", []
        for number, one in enumerate(body["requests"]):
            fault = self.batch_fault(number, one["params"]) if self.batch_fault else None
            result: Body = {"type": "succeeded", "message": as_message(one["params"])}
            if fault is not None:
                result = {
                    "type": "errored",
                    "error": {"type": "error", "error": {"message": fault}},
                }
            rows.append({"custom_id": one["custom_id"], "result": result})
        self.files[name] = "\n".join(map(json.dumps, rows)).encode()
        self.batches[name] = {
            "id": name,
            "type": "message_batch",
            "processing_status": "in_progress",
            "results_url": f"{self.root}/v1/messages/batches/{name}/results",
            "polls": self.batch_delay,
            "created_at": datetime.now(UTC).isoformat(),
            "expires_at": datetime.now(UTC).isoformat(),
            "asked": body["requests"],
            "request_counts": {
                "processing": len(rows),
                "succeeded": 0,
                "errored": 0,
                "canceled": 0,
                "expired": 0,
            },
        }
        return _shown(self.batches[name])

    def _file(self, name: str) -> Body:
        shown = {"id": name, "object": "file", "bytes": 1, "created_at": int(time.time())}
        return shown | {"filename": self.names[name], "purpose": "batch", "status": "processed"}

    def _listed(self) -> Body:
        """All batches, the newest first."""
        listed = [self._poll(name) for name in reversed(self.batches)]
        return {"object": "list", "data": listed, "has_more": False}

    def _poll(self, name: str) -> Body:
        batch = self.batches[name]
        if batch["polls"] > 0:
            batch["polls"] -= 1
        else:
            batch |= {"status": "completed", "processing_status": "ended"}
        return _shown(batch)


def as_message(body: Body, says: str = "A") -> Body:
    """The same mock answer, as Anthropic's protocol spells it."""
    draw = random.Random(json.dumps(body, sort_keys=True))
    content: list[Body] = [{"type": "text", "text": says}]
    if "tools" in body:
        value = example(body["tools"][0]["input_schema"], draw.choice)
        content = [{"type": "tool_use", "id": "t1", "name": "answer", "input": value}]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": "tool_use" if "tools" in body else "end_turn",
        "usage": {"input_tokens": 40, "output_tokens": 7},
    }


def _shown(batch: Body) -> Body:
    return {key: value for key, value in batch.items() if key not in ("polls", "asked")}


def _error(
    status: int, message: str, *, code: str | None = None, headers: dict[str, str] | None = None
) -> JSONResponse:
    body = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    return JSONResponse(body, status_code=status, headers=headers)


async def _body(receive: Any) -> bytes | None:
    """A whole body; None where the client left before its end."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


def _again(body: bytes) -> Any:
    """Hands an already received body to the application."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Any:
        for message in messages:
            return message
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    return receive


async def _truncated(send: Any) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"4000")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    part = b'{"id": "chatcmpl-1", "choices": [{"mess'
    await send({"type": "http.response.body", "body": part, "more_body": True})
    send.__self__.transport.close()
