"""What can go wrong, as exceptions. Their text is the sentence of the C side: file, place, what was expected."""

from typing import Any, Optional

__all__ = ["DamageWarning", "Error", "NotThere"]


class Error(Exception):
    """Something could not be read or done. `status` is the C side's number, or the exit status of a command; `partial` is what
    could be read before the damage, where that is something."""

    def __init__(self, message: str, status: Optional[int] = None, partial: Any = None) -> None:
        super().__init__(message)
        self.status = status
        self.partial = partial


class NotThere(Error):
    """A part of Iolite is not installed here, or this release does not have it."""


class DamageWarning(UserWarning):
    """Part of a log could not be read; the answer is made from the rest."""
