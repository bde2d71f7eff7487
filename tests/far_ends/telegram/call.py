"""One call of a method: its fields, read the way the server reads them."""

import json
from dataclasses import dataclass, field
from typing import Any

from .errors import bad_request
from .text import Formatted, formatted

JSON_FIELDS = {
    "allowed_updates", "caption_entities", "commands", "correct_option_ids", "country_codes", "description_entities",
    "entities", "explanation_entities", "explanation_media", "link_preview_options", "media", "options",
    "question_entities", "reply_markup", "reply_parameters", "scope", "suggested_post_parameters",
}  # fmt: skip


@dataclass(slots=True)
class Call:
    """A method, its fields (JSON ones decoded, others as sent) and its uploads."""

    method: str
    fields: dict[str, Any]
    files: dict[str, bytes] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """What the uploads are called, by their field."""

    def decode(self) -> None:
        """Decode the fields that carry JSON in forms.

        Raises:
            ApiError: One of them is broken.
        """
        for name in JSON_FIELDS & self.fields.keys():
            value = self.fields[name]
            if isinstance(value, str) and value:
                try:
                    self.fields[name] = json.loads(value)
                except ValueError:
                    what = name.replace("_", " ")
                    raise bad_request(f"Can't parse {what} JSON object") from None

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        return "" if value is None else str(value)

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.fields.get(name)
        if value is None:
            return default
        return str(value).lower() in {"true", "yes", "1"}

    def number(self, name: str, default: int = 0) -> int:
        try:
            return int(self.fields.get(name, default))
        except (TypeError, ValueError):
            return default

    def formatted(self, text: str, entities: str, parse_mode: str) -> Formatted:
        return formatted(self.text(text), self.fields.get(entities), self.text(parse_mode))
