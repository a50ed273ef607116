"""Points in time as programs have them: numbers, datetime, Timestamps of pandas, datetime64 of NumPy, and text as the commands read it.
Nothing is imported to recognise them: a value of a package is there only where the package is."""

import datetime
from typing import Any, Optional

from .errors import Error


def _plain(value: Any) -> Any:
    """Values of NumPy as Python's; its datetime64 counts in UTC."""
    if type(value).__module__ != "numpy":
        return value
    value = value.astype("datetime64[us]").item() if type(value).__name__ == "datetime64" else value.item()
    return value.replace(tzinfo=datetime.timezone.utc) if isinstance(value, datetime.datetime) else value


def _checked(value: Any, given: Any) -> Any:
    if value is None or value != value or isinstance(value, bool):  # NaT and NaN are not what they are
        raise Error("%r is no time" % (given,))
    return value


def epoch_seconds(given: Any) -> float:
    """Seconds since the epoch. Where a value has no time zone, its own package says what it means: local time in Python, UTC in
    pandas and NumPy."""
    value = _checked(_plain(given), given)
    if isinstance(value, str):
        try:
            value = float(value[1:]) if value.startswith("@") else datetime.datetime.fromisoformat(value)
        except ValueError:
            raise Error("'%s' is no time, which is written 2017-03-20T02:07:47 or @1490000867" % value) from None
    if isinstance(value, datetime.datetime):
        return value.timestamp()
    if isinstance(value, datetime.date):
        return datetime.datetime(value.year, value.month, value.day).timestamp()
    if isinstance(value, (int, float)):
        return float(value)
    raise Error("%r is no time" % (given,))


def moment_option(value: Any) -> Optional[str]:
    """A point in time as an option of a command; texts as they are."""
    return value if value is None or isinstance(value, str) else "@%d" % epoch_seconds(value)


def day_option(given: Any) -> Optional[str]:
    """A day as an option of a command, which counts days in local time; texts as they are."""
    if given is None or isinstance(given, str):
        return given
    value = _checked(_plain(given), given)
    if isinstance(value, datetime.datetime) and (value.tzinfo is None or value is not given):  # a day without a zone
        return value.date().isoformat()
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.isoformat()
    return datetime.date.fromtimestamp(epoch_seconds(value)).isoformat()
