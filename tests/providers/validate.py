"""Holds requests and answers against the types of the packages anthropic and openai: `validate.py FILE`, a JSON list of
{name, format, kind: "request" | "answer", body, betas}. A key that a type does not name is an error."""
import importlib
import json
import pkgutil
import sys

import anthropic.types
import anthropic.types.beta
import openai.types
from anthropic.types.beta.message_create_params import MessageCreateParamsNonStreaming as BetaMessages
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming as Messages
from openai.types.chat import ChatCompletion
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming as Completions
from openai.types.responses import Response
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming as Responses
from pydantic import TypeAdapter, ValidationError
from typing_extensions import is_typeddict


def refuse_unknown_keys(package):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if is_typeddict(value):
                value.__pydantic_config__ = {"extra": "forbid", "arbitrary_types_allowed": True}


def walk(value):
    """Everything of it: what is iterable is checked as it is walked over."""
    if value is None or isinstance(value, (str, bytes, int, float, bool)):
        return value
    if isinstance(value, dict):
        return {key: walk(below) for key, below in value.items()}
    return [walk(below) for below in value]


def main(file):
    for package in (anthropic.types, openai.types):
        refuse_unknown_keys(package)
    requests = {
        "anthropic": TypeAdapter(Messages), "openai-responses": TypeAdapter(Responses), "openai-chat": TypeAdapter(Completions),
    }
    answers = {"anthropic": anthropic.types.Message, "openai-responses": Response, "openai-chat": ChatCompletion}
    beta = TypeAdapter(BetaMessages)
    wrong = 0
    with open(file, encoding="utf-8") as text:
        cases = json.load(text)
    for case in cases:
        try:
            if case["kind"] == "answer":
                answers[case["format"]].model_validate(case["body"])
                continue
            adapter = beta if case["betas"] else requests[case["format"]]
            if walk(adapter.validate_python(case["body"])) != case["body"]:
                raise ValueError("something of it was lost")
        except (ValidationError, ValueError) as error:
            wrong += 1
            print(f"{case['name']}: {str(error)[:1500]}", file=sys.stderr)
    print(f"{len(cases)} checked, {wrong} refused; anthropic {anthropic.__version__}, openai {openai.__version__}")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
