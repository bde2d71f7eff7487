"""What the Bot API says when it says no."""

from typing import Any


class ApiError(Exception):
    """An answer with `ok` false.

    Args:
        code: HTTP status and `error_code`.
        description: The whole text, prefix included.
        parameters: `retry_after` or `migrate_to_chat_id`.
    """

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            body["parameters"] = self.parameters
        return body


def bad_request(text: str) -> ApiError:
    """400; the server writes the first letter small unless the text is a code such as `BUTTON_DATA_INVALID`.

    Source: Client.cpp, `fail_query_with_error`.
    """
    return ApiError(400, _prefixed("Bad Request", text))


def forbidden(text: str) -> ApiError:
    return ApiError(403, _prefixed("Forbidden", text))


def too_many_requests(retry_after_s: int) -> ApiError:
    """Source: Query.cpp, `set_retry_after_error`."""
    return ApiError(429, f"Too Many Requests: retry after {retry_after_s}", retry_after=retry_after_s)


def _prefixed(prefix: str, text: str) -> str:
    if not (len(text) >= 2 and (text[1] == "_" or "A" <= text[1] <= "Z")):
        text = text[:1].lower() + text[1:]
    return f"{prefix}: {text}"
