"""Schedules: when a place gets its daily question. One run per local date, whatever the clocks do that night.

Pure: the zone is handed in as a `tzinfo`, the present moment as an argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

CATCH_UP = timedelta(hours=2)
"""How late a missed run may still happen. Chosen by us: later, it would crowd the next one."""

EVERY_DAY = frozenset(range(7))


@dataclass(frozen=True, slots=True)
class Schedule:
    """A time of day on some days of the week, in a zone."""

    at: time
    """Local time, hours and minutes."""
    zone: tzinfo
    weekdays: frozenset[int] = EVERY_DAY
    """0 is Monday; at least one."""

    def __post_init__(self) -> None:
        """Refuse a schedule that never runs.

        Raises:
            ValueError: There is no weekday, one that does not exist, or the time has a zone of its own.
        """
        if not self.weekdays or not self.weekdays <= EVERY_DAY:
            raise ValueError(f"weekdays are some of 0 to 6, not {sorted(self.weekdays)}")
        if self.at.tzinfo is not None:
            raise ValueError("the time of a schedule has no zone of its own")

    def moment(self, day: date) -> datetime:
        """When the run of a local date happens, UTC.

        A time that the clocks skip that night runs at the first moment after the gap, one that they repeat at the first
        of the two.
        """
        local = datetime.combine(day, self.at, tzinfo=self.zone)
        moment = local.astimezone(UTC)
        if moment.astimezone(self.zone).replace(tzinfo=None) == local.replace(tzinfo=None):
            return moment
        return _end_of_gap(local.replace(fold=1).astimezone(UTC), moment, self.zone)

    def runs(self, after: datetime) -> Iterator[tuple[date, datetime]]:
        """The runs after a moment, in order, for ever: local date and moment, UTC."""
        day = after.astimezone(self.zone).date() - timedelta(days=1)
        while True:
            if day.weekday() in self.weekdays and (moment := self.moment(day)) > after:
                yield day, moment
            day += timedelta(days=1)


def _end_of_gap(before: datetime, behind: datetime, zone: tzinfo) -> datetime:
    """The moment at which clocks jumped, between two moments of which only the second lies behind the jump."""
    offset = before.astimezone(zone).utcoffset()
    while behind - before > timedelta(seconds=1):
        middle = before + (behind - before) // 2
        middle -= timedelta(microseconds=middle.microsecond)
        if middle <= before:
            middle = before + timedelta(seconds=1)
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            behind = middle
    return behind


@dataclass(frozen=True, slots=True)
class Quiet:
    """Hours in which nothing is sent by itself, in local time; the second may lie on the next day."""

    begins: time
    ends: time

    def until(self, moment: datetime, zone: tzinfo) -> datetime | None:
        """When the quiet hours end that a moment lies in, UTC; None if it lies in none."""
        local = moment.astimezone(zone)
        now = local.time().replace(tzinfo=None)
        overnight = self.begins > self.ends
        inside = now >= self.begins or now < self.ends if overnight else self.begins <= now < self.ends
        if not inside:
            return None
        day = local.date() + timedelta(days=1) if overnight and now >= self.begins else local.date()
        return Schedule(self.ends, zone).moment(day)


def catch_up(moment: datetime, now: datetime, zone: tzinfo, quiet: Quiet | None) -> datetime | None:
    """Whether a run that is due happens now, later, or not at all.

    Args:
        moment: When it was due, UTC.
        now: The present moment, UTC; at or after `moment`.
        zone: The place's zone, for its quiet hours.
        quiet: The place's quiet hours; they hold back only what comes late, not what was asked for at that hour.

    Returns:
        When it is to happen after all, UTC; None: it is skipped, and the moderator is told.
    """
    run_at = now
    if quiet is not None and now - moment > timedelta(minutes=1) and (ends := quiet.until(now, zone)) is not None:
        run_at = ends
    return run_at if run_at - moment <= CATCH_UP else None
