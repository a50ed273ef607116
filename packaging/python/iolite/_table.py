"""Tables: the C side fills columns, and they become what is there: a DataFrame of pandas, else arrays of NumPy, else lists.
No loop of Python goes over rows."""

import ctypes
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence

from . import _library as c
from .errors import Error, NotThere

Table = Any  # pandas.DataFrame, or a dict of columns

_FIRST, _MOST = 1024, 65536  # rows of a batch


class Column(NamedTuple):
    """A column of a table: what its values are."""

    name: str
    unit: str
    meaning: str
    kind: str


_KINDS = {c.INT: "int64", c.UINT: "uint64", c.REAL: "float64", c.TEXT: "text"}


def described(is_: c.CCounter) -> Column:
    return Column(c.text_of(is_.name), c.text_of(is_.unit), c.text_of(is_.meaning), _KINDS[is_.kind])


def module_or_none(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def usual_form() -> str:
    """"pandas", "numpy" or "lists": the first that is there."""
    return next((form for form in ("pandas", "numpy") if module_or_none(form)), "lists")


def empty_columns(kinds: Dict[str, str], numpy: Any) -> Dict[str, Any]:
    """Columns without rows that have their types all the same."""
    if numpy is None:
        return {name: [] for name in kinds}
    return {name: numpy.empty(0, dtype=object if kind == "text" else kind) for name, kind in kinds.items()}


class Reader:
    """Rows of one table of one module. The caller sees to it that one thread at a time uses the log."""

    def __init__(self, log: ctypes.c_void_p, slot: int, kind: int, wanted: Optional[Sequence[str]]) -> None:
        self._c = c.library()
        self._table = ctypes.c_void_p()
        self.status = int(self._c.iol_table_open(log, slot, kind, ctypes.byref(self._table)))
        self.columns: List[Column] = []
        self.wanted: List[int] = []
        if self.status != c.OK:
            return
        for index in range(self._c.iol_table_columns(self._table)):
            is_ = c.CCounter()
            self._c.iol_table_column(self._table, index, ctypes.byref(is_))
            self.columns.append(described(is_))
        names = [column.name for column in self.columns]
        chosen = names if wanted is None else [wanted] if isinstance(wanted, str) else list(wanted)
        for name in chosen:
            if name not in names:
                self.close()
                raise Error("there is no column '%s'" % name)
        self.wanted = [names.index(name) for name in chosen]

    def close(self) -> None:
        self._c.iol_table_close(self._table)
        self._table = ctypes.c_void_p()

    def _fill(self, addresses: List[int], room: int) -> int:
        cells = (ctypes.c_void_p * len(self.columns))()
        for index, address in zip(self.wanted, addresses):
            cells[index] = address
        rows = ctypes.c_size_t()
        self.status = int(self._c.iol_table_fill(self._table, cells, room, ctypes.byref(rows)))
        return rows.value

    def _texts(self) -> List[Optional[str]]:
        """The texts so far, and None behind them, where an index of -1 leads."""
        index = next((i for i in self.wanted if self.columns[i].kind == "text"), None)
        if index is None:
            return [None]
        block, length, count = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t()
        self._c.iol_table_texts(self._table, index, ctypes.byref(block), ctypes.byref(length), ctypes.byref(count))
        if not count.value or not block.value:
            return [None]
        texts: List[Optional[str]] = list(ctypes.string_at(block.value, length.value - 1).decode("utf-8", "replace").split("\0"))
        return texts + [None]

    def _numpy_batch(self, numpy: Any, room: int) -> Optional[Dict[str, Any]]:
        block = numpy.empty((max(len(self.wanted), 1), room), dtype=numpy.int64)
        rows = self._fill([block[i].ctypes.data for i in range(len(self.wanted))], room)
        if not rows:
            return None
        texts = numpy.array(self._texts(), dtype=object)
        batch = {}
        for place, index in enumerate(self.wanted):
            column, cells = self.columns[index], block[place, :rows]
            batch[column.name] = texts[cells] if column.kind == "text" else cells.view(column.kind)
        return batch

    def _list_batch(self, room: int) -> Optional[Dict[str, Any]]:
        kinds: Dict[str, Any] = {"int64": ctypes.c_int64, "uint64": ctypes.c_uint64, "float64": ctypes.c_double, "text": ctypes.c_int64}
        arrays = [(kinds[self.columns[index].kind] * room)() for index in self.wanted]
        rows = self._fill([ctypes.addressof(array) for array in arrays], room)
        if not rows:
            return None
        texts, batch = self._texts(), {}
        for array, index in zip(arrays, self.wanted):
            column = self.columns[index]
            cells: Any = array[:rows]
            batch[column.name] = list(map(texts.__getitem__, cells)) if column.kind == "text" else cells
        return batch

    def empty(self, numpy: Any) -> Dict[str, Any]:
        return empty_columns({self.columns[index].name: self.columns[index].kind for index in self.wanted}, numpy)

    def batches(self, numpy: Any, first: int, most: int) -> Iterator[Dict[str, Any]]:
        """Dicts of columns; after the last one `status` says how it ended."""
        room = first
        while self.status == c.OK:
            batch = self._numpy_batch(numpy, room) if numpy is not None else self._list_batch(room)
            if batch is not None:
                yield batch
            room = min(4 * room, most)


def joined(batches: List[Dict[str, Any]], empty: Dict[str, Any], numpy: Any) -> Dict[str, Any]:
    if not batches:
        return empty
    if len(batches) == 1:
        return batches[0]
    if numpy is not None:
        return {name: numpy.concatenate([batch[name] for batch in batches]) for name in batches[0]}
    return {name: [cell for batch in batches for cell in batch[name]] for name in batches[0]}


def shaped(columns: Dict[str, Any], form: Optional[str]) -> Table:
    """A dict of columns in the form that was asked for, or the usual one."""
    form = form or usual_form()
    if form in ("lists", "numpy"):
        return columns
    if form == "pandas":
        pandas = module_or_none("pandas")
        if pandas is None:
            raise NotThere("pandas is not installed")
        return pandas.DataFrame(columns)
    if form == "arrow":
        arrow = module_or_none("pyarrow")
        if arrow is None:
            raise NotThere("pyarrow is not installed")
        return arrow.table(columns)
    raise Error("there is no form '%s'; there are pandas, numpy, arrow and lists" % form)


def numpy_for(form: Optional[str]) -> Any:
    """NumPy, or None where lists are asked for or all there is."""
    numpy = None if form == "lists" else module_or_none("numpy")
    if numpy is None and form == "numpy":
        raise NotThere("NumPy is not installed")
    return numpy


def of_rows(rows: Sequence[Dict[str, Any]], form: Optional[str] = None, columns: Optional[Sequence[str]] = None,
            usual: Sequence[str] = ()) -> Table:
    """A table of objects, as JSON has them: `columns` alone, or all keys, and those that are `usual` even without rows."""
    names = list(columns) if columns is not None else list(dict.fromkeys([*usual, *(name for row in rows for name in row)]))
    lists = {name: [row.get(name) for row in rows] for name in names}
    return of_columns(lists, form)


def _numpy_column(numpy: Any, cells: List[Any]) -> Any:
    """Numbers, among which those that are not known are NaN; else objects."""
    known = [cell for cell in cells if cell is not None]
    plain = known and all(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in known)
    if plain:
        return numpy.array(cells) if len(known) == len(cells) else numpy.array(cells, dtype=float)
    return numpy.array([*cells, None], dtype=object)[:-1]


def of_columns(lists: Dict[str, List[Any]], form: Optional[str] = None) -> Table:
    form = form or usual_form()
    if form == "numpy":
        numpy = numpy_for(form)
        return {name: _numpy_column(numpy, cells) for name, cells in lists.items()}
    return shaped(lists, form)
