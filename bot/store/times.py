"""Moments as SQLite keeps them: whole microseconds since 1970 UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def micros(at: datetime) -> int:
    """Microseconds since 1970 UTC.

    Args:
        at: Aware, in any zone.
    """
    return (at - _EPOCH) // _MICROSECOND


def moment(us: int) -> datetime:
    """The UTC moment that `micros` was called on."""
    return _EPOCH + timedelta(microseconds=us)


def maybe_micros(at: datetime | None) -> int | None:
    """`micros`, where there may be no moment."""
    return None if at is None else (at - _EPOCH) // _MICROSECOND


def maybe_moment(us: int | None) -> datetime | None:
    """`moment`, where there may be none."""
    return None if us is None else _EPOCH + timedelta(microseconds=us)
