"""How answers look: in a notebook plain HTML without script or network, in a terminal text. Text of logs is escaped in HTML: it is data
of others."""

import html
import re
from typing import Any, Iterable, Sequence

from .errors import Error

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # with which text of others could steer a terminal
_COLOURS = {"high": "#c4314b", "warn": "#b7791f", "info": "#2b6cb0", "ok": "#2f855a"}


def safe(text: Any) -> str:
    return html.escape(str(text))


def level_colour(level: str) -> str:
    return _COLOURS.get(level, "inherit")


def framed(inside: str) -> str:
    return "<div style='border:1px solid #8884;border-radius:6px;padding:8px 12px;max-width:60em'>%s</div>" % inside


def rows_html(rows: Iterable[Sequence[Any]]) -> str:
    return "<table>%s</table>" % "".join(
        "<tr>%s</tr>" % "".join("<td style='text-align:left'>%s</td>" % safe(cell) for cell in row) for row in rows)


def page(document: str, height: int = 480, scripts: bool = False) -> str:
    """A page that a command wrote, in a frame of its own, which reaches neither the notebook nor the network. Only its own scripts
    can run there, and only where they are wanted."""
    return "<iframe sandbox='%s' loading='lazy' style='width:100%%;height:%dpx;border:0' srcdoc=\"%s\"></iframe>" % (
        "allow-scripts" if scripts else "", height, html.escape(document))


def _digits(value: float) -> str:
    """Three of them, and all before the point."""
    return ("%.0f" if value >= 99.95 else "%.3g") % value


def seconds(value: Any) -> str:
    """As the commands write them: 1.5 s, 181 us, 24 m 29 s."""
    if value is None:
        return ""
    if value >= 999.5:
        whole = round(value)
        long, part, names = (86400, 3600, "dh") if value >= 86370 else (3600, 60, "hm") if value >= 3599.5 else (60, 1, "ms")
        count, rest = divmod(round(whole / part), long // part)
        return "%d %s" % (count, names[0]) + (" %d %s" % (rest, names[1]) if rest else "")
    for unit in ("s", "ms", "us"):
        if value >= 0.9995 or not value:
            return "%s %s" % (_digits(value), unit)
        value *= 1000
    return "%s ns" % _digits(value)


def byte_count(value: Any) -> str:
    """As the commands write them: 1.5 GiB."""
    if value is None:
        return ""
    size = float(value)
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if size < 1023.5:
            return "%s %s" % (_digits(size), unit)
        size /= 1024
    return "%s PiB" % _digits(size)


def shown_as_text(self: Any, printer: Any, cycle: bool) -> None:
    """What IPython shows of a thing in a terminal: its text; in lists and dicts, where there may be many, its short form. Classes have
    it as `_repr_pretty_`, each by itself: IPython does not look for it in bases of one that has a __repr__."""
    if cycle or len(getattr(printer, "stack", ())) > 1:
        printer.text("..." if cycle else repr(self))
        return
    try:
        shown = str(self).rstrip("\n")
    except Error as error:
        shown = str(error)
    shown = _CONTROLS.sub(lambda found: "\\x%02x" % ord(found.group()), shown)
    for number, line in enumerate(shown.split("\n")):
        if number:
            printer.break_()
        printer.text(line)
