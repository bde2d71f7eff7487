"""An independent witness for names, types and required fields: the pydantic models of aiogram (Bot API 10.3).

It knows no lengths and no rules; it finds what we would have got wrong twice in the same way.
"""

from typing import Any

import aiogram.methods
import aiogram.types
from aiogram.methods.base import TelegramMethod
from pydantic import BaseModel, TypeAdapter, ValidationError

_METHODS: dict[str, type[TelegramMethod[Any]]] = {
    model.__api_method__: model
    for model in vars(aiogram.methods).values()
    if isinstance(model, type) and issubclass(model, TelegramMethod) and model is not TelegramMethod
}
_RESULTS: dict[str, TypeAdapter[Any]] = {}


class Disagreement(AssertionError):  # noqa: N818 - reads as a sentence
    """The models of aiogram do not know what was said."""


def check_request(method: str, fields: dict[str, Any], files: dict[str, bytes]) -> None:
    """Check a request that was accepted.

    Raises:
        Disagreement: A field is unknown, missing or of another type.
    """
    named = fields | {name: f"attach://{name}" for name in files if name in _METHODS[method].model_fields}
    _check(f"request {method}", lambda: _METHODS[method].model_validate(named))


def check_result(method: str, result: Any) -> None:
    """Check the `result` of an answer.

    Raises:
        Disagreement: As for requests, at any depth.
    """
    if method not in _RESULTS:
        _RESULTS[method] = TypeAdapter(_METHODS[method].__returning__)
    _check(f"result of {method}", lambda: _RESULTS[method].validate_python(result))


def check_update(update: dict[str, Any]) -> None:
    """Check an update before it is kept.

    Raises:
        Disagreement: As for requests, at any depth.
    """
    _check("update", lambda: aiogram.types.Update.model_validate(update))


def _check(what: str, parse: Any) -> None:
    try:
        unknown = sorted(_unknown(parse(), ""))
    except ValidationError as error:
        raise Disagreement(f"{what}: {error}") from None
    if unknown:
        raise Disagreement(f"{what}: no model knows {', '.join(unknown)}")


def _unknown(value: Any, path: str) -> set[str]:
    found: set[str] = set()
    if isinstance(value, BaseModel):
        found |= {f"{path}.{name}" for name in value.model_extra or {}}
        for name in value.model_fields_set & type(value).model_fields.keys():
            found |= _unknown(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            found |= _unknown(item, f"{path}[{index}]")
    return found
