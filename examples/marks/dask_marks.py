"""Dask: every task as a region named after its function, by a plugin of the workers.

    client.register_plugin(Marks())

Start the workers under Iolite: `iolite run -- dask worker ...`. Tasks of one thread follow each other, so regions do too; a worker
with several threads has the I/O of all of them in each region, and one thread per worker is easier to read."""

import iolite

try:
    from distributed import WorkerPlugin
except ImportError:
    WorkerPlugin = object


def task_name(key):
    """"load" of "load-3f2a..." and of ("load-3f2a...", 7): as many tasks have one name as come from one call."""
    text = key[0] if isinstance(key, tuple) else str(key)
    return text.rsplit("-", 1)[0] or text


class Marks(WorkerPlugin):
    name = "iolite-marks"

    def transition(self, key, start, finish, *arguments, **keywords):
        if finish == "executing":
            iolite.begin(task_name(key))
        elif start == "executing":
            iolite.end(task_name(key))
