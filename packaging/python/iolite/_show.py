"""How answers look in a notebook: plain HTML without script or network. Text of logs is escaped: it is data of others."""

import html
from typing import Any, Iterable, Sequence

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


def seconds(value: Any) -> str:
    return "" if value is None else "%.3g s" % value


def byte_count(value: Any) -> str:
    """As the commands write them: 1.5 GiB."""
    if value is None:
        return ""
    size = float(value)
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if size < 1024:
            return "%.3g %s" % (size, unit)
        size /= 1024
    return "%.3g PiB" % size
