"""models: a model's name -> the Model. The one file that knows inspect_ai."""

from __future__ import annotations

import asyncio
import base64
import os
import re
from collections.abc import Callable
from contextvars import Context
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from diagrammar.errors import BadInput, ToolMissing
from diagrammar.models.model import Model, Sampling
from diagrammar.models.reference import reference_model
from diagrammar.models.retry import CallFailed, ask
from diagrammar.records.outputs import Prompt, Reply, Usage

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, ModelOutput

REFERENCE = "reference/"
KEY_VARIABLES = ("DIAGRAMMAR_API_KEY", "OPENAI_API_KEY")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
# What no later try mends: the key, the credit, the name of the model.
_REFUSALS = frozenset({401, 402, 404})

# inspect_ai writes its complaints for a terminal
_MARKUP = re.compile(r"\[/?[a-z][a-z ]*\]")


def resolve(
    name: str,
    *,
    truth_of: Callable[[str], str],
    base_url: str | None = None,
    sampling: Sampling | None = None,
) -> Model:
    """The model of that name.

    `reference/...` models, and they alone, get `truth_of`: sample id -> the truth's code. Every other name
    goes to inspect_ai: `openai/...`, `anthropic/...`, `openai-api/SERVICE/...`. With `base_url` the name is
    that of a model behind an OpenAI-compatible address.
    """
    if name.startswith(REFERENCE):
        if base_url is not None:
            raise BadInput(f"{name} is no model at an address: leave out --base-url, or name another model")
        return reference_model(name.removeprefix(REFERENCE), truth_of=truth_of)
    return _InspectModel(name, base_url=base_url, sampling=sampling or Sampling())


class _InspectModel:
    """A real model, reached through inspect_ai's model interface."""

    def __init__(self, name: str, *, base_url: str | None, sampling: Sampling) -> None:
        self.name = name
        self._sampling = sampling
        self._model = _open(name, base_url=base_url, sampling=sampling)
        # Held through the waits between tries as well: a busy server is not asked by others meanwhile.
        self._connections = asyncio.Semaphore(sampling.max_connections)

    async def reply(self, prompt: Prompt, *, sample_id: str) -> Reply:  # noqa: ARG002 - not for real models
        """The model's answer, after at most 1 + len(retry_delays_s) calls."""
        messages = _messages(prompt)

        async def call() -> Reply:
            # A context of its own: inspect_ai keeps what it sees, images included, in its caller's context.
            return await asyncio.create_task(self._call(messages), context=Context())

        async with self._connections:
            return await ask(call, sampling=self._sampling)

    async def close(self) -> None:
        """Closes the client's connections."""
        await self._model.api.aclose()

    async def _call(self, messages: list[ChatMessage]) -> Reply:
        try:
            output = await self._model.generate(messages)
        except Exception as error:  # each provider raises classes of its own: typed here, by what they say
            raise _as_call_failed(error) from error
        return _as_reply(output)


def _open(name: str, *, base_url: str | None, sampling: Sampling) -> Any:
    try:
        from inspect_ai.model import GenerateConfig, get_model
    except ImportError as error:
        raise ToolMissing(
            f"model {name!r} needs inspect_ai, which is not installed; run scripts/setup.sh or "
            "pip install 'diagrammar[eval]'"
        ) from error
    config = GenerateConfig(
        temperature=sampling.temperature,
        max_tokens=sampling.max_tokens,
        max_retries=0,  # the harness's own, unlimited by default
        max_connections=sampling.max_connections,
        reasoning_effort=sampling.reasoning_effort,  # type: ignore[arg-type,unused-ignore]
    )
    arguments: dict[str, Any] = {"max_retries": 0} if _speaks_openai_sdk(name, base_url) else {}
    if base_url is not None:
        _refuse_odd_address(base_url)
        arguments |= {"base_url": base_url, "api_key": _key_for(base_url)}
        name = name if name.startswith("openai-api/") else f"openai-api/endpoint/{name}"
    try:
        return get_model(name, config=config, memoize=False, **arguments)
    except Exception as error:  # unknown providers, missing keys and packages: each has a class there
        complaint = _one_line(_MARKUP.sub("", str(error)))
        raise BadInput(f"model {name!r} cannot be opened: {complaint}") from error


def _speaks_openai_sdk(name: str, base_url: str | None) -> bool:
    """Whether the provider's client takes `max_retries`: the SDKs hide two more tries otherwise."""
    return base_url is not None or name.startswith(
        ("openai/", "openai-api/", "anthropic/", "openrouter/", "together/")
    )


def _refuse_odd_address(base_url: str) -> None:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"{base_url!r} is not an address like http://127.0.0.1:8000/v1")


def _key_for(base_url: str) -> str | None:
    """The key for an address. A loopback server gets no key that was meant for another service."""
    own, general = KEY_VARIABLES
    if urlsplit(base_url).hostname in _LOOPBACK:
        return os.environ.get(own, "none")
    key = os.environ.get(own) or os.environ.get(general)
    if not key:
        raise BadInput(f"{base_url} wants a key: set {own} or {general}")
    return key


def _messages(prompt: Prompt) -> list[ChatMessage]:
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText

    content: list[Any] = []
    if prompt.image_png is not None:
        # Paths are refused at run time; a data URI goes to every provider alike.
        picture = base64.b64encode(prompt.image_png).decode("ascii")
        content.append(ContentImage(image=f"data:image/png;base64,{picture}"))
    content.append(ContentText(text=prompt.user))
    return [ChatMessageSystem(content=prompt.system), ChatMessageUser(content=content)]


def _as_reply(output: ModelOutput) -> Reply:
    usage = output.usage
    if not output.choices:
        return Reply(text="", error="the reply has no choices")
    # A request that the provider refuses comes back as an answer whose text is the provider's complaint.
    if usage is None and output.stop_reason in ("model_length", "content_filter"):
        raise CallFailed(f"refused, {output.stop_reason}: {_one_line(output.completion)}")
    return Reply(
        text=output.completion,
        error="cut off at the token limit" if output.stop_reason == "max_tokens" else "",
        usage=Usage(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens) if usage else Usage(),
    )


def _as_call_failed(error: BaseException) -> CallFailed:
    chain = list(_causes(error))
    status = next((s for e in chain if isinstance(s := getattr(e, "status_code", None), int)), None)
    message = _one_line(str(chain[-1 if status is None else 0]) or type(error).__name__)
    if status is not None:
        told = next(str(e) for e in chain if getattr(e, "status_code", None) == status)
        message = f"HTTP {status}: {_one_line(told)}"
    if status in _REFUSALS:
        return CallFailed(message, fate="refused")
    # By name: each provider's HTTP library has its own class for "nobody is listening".
    if any(type(e).__name__ in ("ConnectError", "ConnectionRefusedError", "gaierror") for e in chain):
        return CallFailed(f"cannot connect: {message}", fate="unreachable")
    return CallFailed(message)


def _causes(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    following: BaseException | None = error
    while following is not None and following not in chain:
        chain.append(following)
        following = following.__cause__ or following.__context__
    return chain


def _one_line(text: str, *, limit: int = 300) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
