"""What `diagnose` found, as objects: level, title, cost, evidence, advice."""

from typing import Any, Dict, Iterator, List, Optional, Sequence, Union, overload

from ._show import framed, level_colour, safe, seconds, shown_as_text
from ._table import Table, of_rows

__all__ = ["Advice", "Cost", "Finding", "Findings"]


class Cost:
    """What a finding cost, in seconds of the job; None where the log has no times."""

    def __init__(self, cost: Dict[str, Any]) -> None:
        self.lost_s: Optional[float] = cost.get("lost_s")
        self.lost_s_lo: Optional[float] = cost.get("lost_s_lo")
        self.lost_s_hi: Optional[float] = cost.get("lost_s_hi")
        self.share_of_runtime: Optional[float] = cost.get("share_of_runtime")
        self.lost_node_h: Optional[float] = cost.get("lost_node_h")
        self.model: Optional[str] = cost.get("model")

    def __repr__(self) -> str:
        return "Cost(lost_s=%r, share_of_runtime=%r)" % (self.lost_s, self.share_of_runtime)


class Advice:
    """What to change: `text`, and `snippet` with `lang` and `code` where there is one."""

    def __init__(self, advice: Dict[str, Any]) -> None:
        self.action: str = advice.get("action") or ""
        self.text: str = advice.get("text") or ""
        self.applies_to: Any = advice.get("applies_to")
        self.effort: Optional[str] = advice.get("effort")
        self.check: Optional[str] = advice.get("check")
        self.snippet: Optional[Dict[str, str]] = advice.get("snippet")

    def __repr__(self) -> str:
        return "Advice(%r)" % self.text


class Finding:
    """One finding. `json` is all of it, as `iolite diagnose --json` has it (docs/json.md)."""

    def __init__(self, json: Dict[str, Any]) -> None:
        self.json = json
        self.id: str = json["id"]
        self.level: str = json["level"]
        self.title: str = json["title"]
        self.note: Optional[str] = json.get("note")
        self.subject: Dict[str, Any] = json.get("subject") or {}
        self.figures: Dict[str, Any] = json.get("figures") or {}
        self.cost: Optional[Cost] = Cost(json["cost"]) if json.get("cost") else None
        self.confidence: Dict[str, Any] = json.get("confidence") or {}
        self.evidence: List[Dict[str, Any]] = json.get("evidence") or []
        self.advice: List[Advice] = [Advice(advice) for advice in _as_list(json.get("advice"))]
        self.region: Optional[str] = json.get("region")

    def __repr__(self) -> str:
        return "Finding(%r, %r, %r)" % (self.id, self.level, self.title)

    def __str__(self) -> str:
        lines = ["%-4s  %s" % (self.level.upper(), self.title)]
        lines += ["      " + advice.text for advice in self.advice]
        return "\n".join(lines)

    _repr_pretty_ = shown_as_text

    def _repr_html_(self) -> str:
        return Findings([self], {})._repr_html_()


def _as_list(value: Any) -> List[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


class Findings(Sequence[Finding]):
    """Findings of a log, worst first. `json` is the whole diagnosis."""

    def __init__(self, findings: List[Finding], json: Dict[str, Any]) -> None:
        self._findings = findings
        self.json = json
        self.quality: List[str] = list(json.get("quality") or [])
        self.cannot_tell: List[str] = list(json.get("cannot_tell") or [])
        self.totals: Dict[str, int] = dict(json.get("totals") or {})

    @overload
    def __getitem__(self, index: int) -> Finding: ...

    @overload
    def __getitem__(self, index: slice) -> "Findings": ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Finding, "Findings"]:
        if isinstance(index, slice):
            return Findings(self._findings[index], self.json)
        return self._findings[index]

    def __len__(self) -> int:
        return len(self._findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings)

    def table(self, form: Optional[str] = None) -> Table:
        """A row per finding: id, level, title, lost_s, share_of_runtime, region."""
        rows = [{"id": f.id, "level": f.level, "title": f.title, "lost_s": f.cost.lost_s if f.cost else None,
                 "share_of_runtime": f.cost.share_of_runtime if f.cost else None, "region": f.region} for f in self]
        return of_rows(rows, form, ["id", "level", "title", "lost_s", "share_of_runtime", "region"])

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self) or "nothing was found"

    def __repr__(self) -> str:
        return "<%d findings: %s>" % (len(self), ", ".join(finding.id for finding in self[:3]))

    _repr_pretty_ = shown_as_text

    def _repr_html_(self) -> str:
        parts = []
        for finding in self:
            cost = seconds(finding.cost.lost_s) if finding.cost else ""
            advice = "".join("<p>%s</p>" % safe(advice.text) for advice in finding.advice)
            code = "".join("<pre>%s</pre>" % safe(advice.snippet.get("code", "")) for advice in finding.advice if advice.snippet)
            parts.append(
                "<details><summary><b style='color:%s'>%s</b> %s <small>%s</small></summary>%s%s</details>"
                % (level_colour(finding.level), safe(finding.level), safe(finding.title), safe(cost), advice, code))
        return framed("".join(parts) or "<p>nothing was found</p>")
