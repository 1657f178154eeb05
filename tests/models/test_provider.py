"""Real models through inspect_ai, against a scripted server on loopback."""

from __future__ import annotations

import asyncio
import socket

import pytest

from diagrammar.errors import BadInput, ModelUnreachable
from diagrammar.models import Sampling, resolve
from diagrammar.records.outputs import Prompt, Reply

QUICK = Sampling(timeout_s=5, retry_delays_s=(0.01, 0.01, 0.01))
PNG = b"\x89PNG\r\n\x1a\n and some bytes that stand for a picture"
FAILS = {"status": 500, "body": b'{"error": {"message": "the server is on fire"}}'}
PROMPT = Prompt(system="You write TeX.", user="Draw this.", image_png=PNG)


def no_truth(sample_id: str) -> str:
    raise AssertionError("a real model was given the truth")


def ask(server, *, name="scripted", sampling=QUICK, prompt=PROMPT, times=1) -> list[Reply]:
    async def all_replies() -> list[Reply]:
        model = resolve(name, truth_of=no_truth, base_url=server.base_url, sampling=sampling)
        try:
            return list(await asyncio.gather(*(model.reply(prompt, sample_id=str(i)) for i in range(times))))
        finally:
            await model.close()

    return asyncio.run(all_replies())


def test_the_server_receives_prompt_picture_and_sampling(scripted_server):
    scripted_server.says("\\documentclass{standalone}")
    (reply,) = ask(scripted_server)
    assert (reply.text, reply.status, reply.attempts) == ("\\documentclass{standalone}", "ok", 1)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (11, 7)
    (asked,) = scripted_server.asked
    assert (asked.model, asked.system, asked.user) == ("scripted", "You write TeX.", "Draw this.")
    assert asked.image_png == PNG
    assert asked.body["temperature"] == 1.0 and asked.body["max_tokens"] == 16_384


def test_a_failing_server_is_asked_four_times_in_all(scripted_server):
    scripted_server.says(FAILS)
    (reply,) = ask(scripted_server)
    assert len(scripted_server.asked) == 4  # one call and three retries, none hidden below
    assert (reply.status, reply.attempts, reply.text) == ("model_error", 4, "")
    assert "500" in reply.error and "on fire" in reply.error


def test_a_failure_then_an_answer_is_an_answer(scripted_server):
    scripted_server.says(FAILS, "good")
    (reply,) = ask(scripted_server)
    assert (reply.text, reply.status, reply.attempts) == ("good", "ok", 2)
    assert len(scripted_server.asked) == 2


@pytest.mark.parametrize(
    "body",
    [
        b'{"choices": [ {',
        b"<html>Bad gateway</html>",
        b'"a bare string"',
        b'{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[]}',
    ],
    ids=["cut-off JSON", "HTML", "a string", "no choices"],
)
def test_a_reply_that_cannot_be_read_is_a_model_error(scripted_server, body):
    scripted_server.says({"body": body})
    (reply,) = ask(scripted_server)
    assert reply.status in ("model_error", "empty") and reply.text == "" and reply.error
    assert len(scripted_server.asked) == 4


@pytest.mark.parametrize("text", ["", "  \n ", None])
def test_an_empty_reply_is_asked_for_again_and_then_counted_as_empty(scripted_server, text):
    scripted_server.says({"text": text})
    (reply,) = ask(scripted_server)
    assert (reply.status, reply.attempts) == ("empty", 4)
    scripted_server.says({"text": text}, "later")
    (reply,) = ask(scripted_server, prompt=Prompt(system="", user="Another."))
    assert (reply.status, reply.text, reply.attempts) == ("ok", "later", 2)


def test_a_slow_server_is_a_timeout(scripted_server):
    scripted_server.says({"text": "too late", "wait_s": 3})
    (reply,) = ask(scripted_server, sampling=Sampling(timeout_s=0.2, retry_delays_s=(0.01,)))
    assert (reply.status, reply.attempts) == ("timeout", 2)
    assert reply.error == "no answer within 0.2 s"


def test_a_request_that_the_provider_refuses_is_no_answer(scripted_server):
    too_long = b'{"error": {"message": "context too long", "code": "context_length_exceeded"}}'
    scripted_server.says({"status": 400, "body": too_long})
    (reply,) = ask(scripted_server)
    assert (reply.status, reply.text) == ("model_error", "")  # its complaint is not taken for an answer
    assert "context too long" in reply.error


@pytest.mark.parametrize("status", [401, 404])
def test_a_wrong_key_or_name_stops_the_run_at_once(scripted_server, status):
    scripted_server.says({"status": status, "body": b'{"error": {"message": "no such thing"}}'})
    with pytest.raises(ModelUnreachable, match="no such thing"):
        ask(scripted_server)
    assert len(scripted_server.asked) == 1


def test_nobody_listening_stops_the_run(scripted_server):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        scripted_server.base_url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        with pytest.raises(ModelUnreachable, match="cannot connect"):
            ask(scripted_server)


def test_no_more_connections_than_asked_for(scripted_server):
    scripted_server.says({"text": "x", "wait_s": 0.1})
    replies = ask(scripted_server, sampling=Sampling(max_connections=3), times=9)
    assert [reply.status for reply in replies] == ["ok"] * 9
    assert scripted_server.most_in_flight == 3


def test_a_loopback_server_gets_no_key_of_another_service(scripted_server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-service")
    monkeypatch.delenv("DIAGRAMMAR_API_KEY", raising=False)
    scripted_server.says("x")
    ask(scripted_server)
    monkeypatch.setenv("DIAGRAMMAR_API_KEY", "sk-for-this-one")
    ask(scripted_server)
    assert [asked.key for asked in scripted_server.asked] == ["Bearer none", "Bearer sk-for-this-one"]


def test_a_model_named_like_a_repository_reaches_the_server_by_that_name(scripted_server):
    scripted_server.says("x")
    ask(scripted_server, name="Qwen/Qwen3-VL-8B-Instruct")
    ask(scripted_server, name="openai-api/myservice/some-model")
    assert [asked.model for asked in scripted_server.asked] == ["Qwen/Qwen3-VL-8B-Instruct", "some-model"]


@pytest.mark.parametrize(
    ("name", "base_url"),
    [
        ("nobody/knows-this", None),
        ("reference/perfect", None),
        ("m", "ftp://x/v1"),
        ("m", "http://model.example/v1"),
    ],
)
def test_a_model_that_cannot_be_opened_is_a_usage_error(name, base_url, monkeypatch):
    for variable in ("OPENAI_API_KEY", "DIAGRAMMAR_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(BadInput):
        resolve(name, truth_of=no_truth, base_url=base_url)


def test_the_protocols_numbers_are_the_defaults():
    # Diagram-MMU, appendix D.1 and D.2
    assert Sampling() == Sampling(
        temperature=1.0, max_tokens=16_384, timeout_s=300, retry_delays_s=(2, 4, 8), reasoning_effort=None
    )
