"""Reply markups: what the server refuses, and what it stores."""

import json
from typing import Any

from . import limits
from .errors import bad_request

_INLINE_KINDS = (
    "url", "callback_data", "web_app", "login_url", "switch_inline_query", "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat", "copy_text", "callback_game", "pay",
)  # fmt: skip
_STYLES = {"", "primary", "success", "danger"}


def parsed(markup: Any, *, inline_only: bool = False) -> dict[str, Any] | None:
    """Refuse what is refused before the chat is looked up.

    Returns:
        The markup without empty rows; None for none and for an empty inline keyboard.

    Raises:
        ApiError: It is no markup, or a button has no kind, an unknown style or no text.
    """
    if markup is None or markup == "":
        return None
    if not isinstance(markup, dict):
        raise bad_request("Object expected as reply markup")
    if "inline_keyboard" in markup:
        rows = [row for row in _rows(markup["inline_keyboard"], "inline keyboard") if row]
        for button in (button for row in rows for button in row):
            _check_inline(button)
        return {"inline_keyboard": rows} if rows else None
    if inline_only:
        raise bad_request("Inline keyboard expected")
    if "keyboard" in markup:
        for button in (button for row in _rows(markup["keyboard"], "keyboard") for button in row):
            if not (button if isinstance(button, str) else button.get("text")):
                raise bad_request("Keyboard button text must be non-empty")
    placeholder = markup.get("input_field_placeholder")
    if placeholder is not None and not 1 <= len(placeholder) <= limits.PLACEHOLDER:
        raise bad_request("Input field placeholder is too long")  # the wording is unverified
    return markup


def _rows(rows: Any, what: str) -> list[list[Any]]:
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad_request(f'Field "{what.replace(" ", "_")}" must be an Array of Arrays')
    return rows


def _check_inline(button: Any) -> None:
    if not isinstance(button, dict):
        raise bad_request("Can't parse inline keyboard button: InlineKeyboardButton must be an Object")
    if not isinstance(button.get("text"), str):
        raise bad_request("Can't parse inline keyboard button: Can't find field \"text\"")
    if button.get("style", "") not in _STYLES:
        raise bad_request("Can't parse inline keyboard button: invalid button style specified")
    if all(button.get(kind) in (None, "") for kind in _INLINE_KINDS):
        raise bad_request("Can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    if not button["text"].strip():
        raise bad_request("Inline keyboard button text must be non-empty")
    url = button.get("url")
    if url and not url.startswith(("http://", "https://", "tg://", "ton://")):
        raise bad_request(f"Inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")


def check_sizes(markup: dict[str, Any] | None) -> None:
    """Refuse what only the last server refuses, after the chat was found.

    Raises:
        ApiError: A button's data is too long, or there is too much of all.
    """
    if markup is None:
        return
    rows = markup.get("inline_keyboard") or markup.get("keyboard") or []
    for button in (button for row in rows for button in row):
        data = button.get("callback_data") if isinstance(button, dict) else None
        if data is not None and len(data.encode()) > limits.CALLBACK_DATA_BYTES:
            raise bad_request("BUTTON_DATA_INVALID")
    if (
        sum(map(len, rows)) > limits.BUTTONS_A_MESSAGE
        or any(len(row) > limits.BUTTONS_A_ROW for row in rows)
        or len(json.dumps(markup, ensure_ascii=False, separators=(",", ":")).encode()) > limits.MARKUP_BYTES
    ):
        raise bad_request("reply markup is too long")
