"""A model server on loopback that says what a test's script says."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it."""

    model: str
    system: str
    user: str
    image_png: bytes | None
    body: dict[str, Any]
    key: str


@dataclass(frozen=True)
class Say:
    """One scripted answer: a text in the usual envelope, or a raw body; after a wait."""

    text: str | None = None
    status: int = 200
    body: bytes | None = None
    wait_s: float = 0.0

    def payload(self, model: str) -> bytes:
        if self.body is not None:
            return self.body
        message = {"role": "assistant", "content": self.text}
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        envelope = {"id": "1", "object": "chat.completion", "created": 1, "model": model}
        whole = {**envelope, "choices": [choice], "usage": usage}
        return json.dumps(whole).encode()


Spoken = str | dict[str, Any]  # a text, or the fields of a Say


@dataclass
class ScriptedServer:
    """Answers POST /v1/chat/completions by `script(asked, nth)`.

    nth counts the requests with the same picture and text.
    """

    script: Callable[[Asked, int], Spoken] = lambda asked, nth: "nothing scripted"
    asked: list[Asked] = field(default_factory=list)
    base_url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)
    in_flight: int = 0
    most_in_flight: int = 0

    def says(self, *answers: Spoken) -> None:
        """Every conversation gets these answers in this order, the last one again and again."""
        self.script = lambda asked, nth: answers[min(nth, len(answers) - 1)]

    def answer(self, asked: Asked) -> Say:
        with self.lock:
            same = (asked.image_png, asked.user)
            nth = sum(1 for earlier in self.asked if (earlier.image_png, earlier.user) == same)
            self.asked.append(asked)
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
        spoken = self.script(asked, nth)
        said = Say(spoken) if isinstance(spoken, str) else Say(**spoken)
        time.sleep(said.wait_s)
        with self.lock:
            self.in_flight -= 1
        return said


def _read(body: dict[str, Any], key: str) -> Asked:
    texts: dict[str, str] = {"system": "", "user": ""}
    picture: bytes | None = None
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            if part["type"] == "text":
                texts[message["role"]] += part["text"]
            else:
                header, _, encoded = part["image_url"]["url"].partition(",")
                assert header == "data:image/png;base64", header
                picture = base64.b64decode(encoded)
    return Asked(body["model"], texts["system"], texts["user"], picture, body, key)


@pytest.fixture
def scripted_server() -> Iterator[ScriptedServer]:
    scripted = ScriptedServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            said = scripted.answer(_read(body, self.headers.get("authorization", "")))
            payload = said.payload(body["model"])
            try:
                self.send_response(said.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)
            except (BrokenPipeError, ConnectionResetError):
                pass  # a client that gave up or was killed

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    scripted.base_url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield scripted
    server.shutdown()
    server.server_close()
