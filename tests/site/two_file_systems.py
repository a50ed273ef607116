"""An exporter of two file systems, in the words of every exporter that a mapping is shipped for: prints its port into a file and
answers /metrics. "scratch" counts in steps of 1000, "project" in steps of 7, so that nobody takes one for the other."""
import sys

from listen import Quiet, listen

scrapes = 0


def lines(fs, step):
    count = step * scrapes
    for target in ("OST0000", "OST0001"):
        ost = f'component="ost",target="{fs}-{target}"'
        yield f'lustre_read_bytes_total{{{ost},operation="read"}} {count}'
        yield f'lustre_write_bytes_total{{{ost},operation="write"}} {2 * count}'
        yield f'lustre_job_read_bytes_total{{{ost},jobid="1"}} {count}'
        yield f'lustre_job_write_bytes_total{{{ost},jobid="1"}} {count}'
        for unit in ("kilobytes", "kibibytes"):
            yield f'lustre_capacity_{unit}{{{ost}}} {10 * step}'
            yield f'lustre_free_{unit}{{{ost}}} {4 * step}'
    for operation in ("open", "close", "getattr"):
        yield f'lustre_stats_total{{component="mdt",target="{fs}-MDT0000",operation="{operation}"}} {count}'
    for name in ("read", "write"):
        yield f'gpfs_perf_{name}_bytes_total{{fs="{fs}"}} {count}'
    for operation in ("reads", "writes", "opens", "closes"):
        yield f'gpfs_perf_operations_total{{fs="{fs}",operation="{operation}"}} {count}'
    for name, value in (("fs_size_bytes", 10), ("fs_free_bytes", 4), ("fs_used_inodes", 3), ("fs_inodes", 5)):
        yield f'gpfs_{name}{{fs="{fs}"}} {value * step}'
    for name in ("bytes_read", "bytes_written", "read_ops", "write_ops"):
        yield f'gpfs_fs_{name}{{gpfs_fs_name="{fs}",node="io1"}} {count}'
    for name, value in (("total", 10), ("free", 4)):
        yield f'gpfs_pool_{name}_dataKB{{gpfs_fs_name="{fs}",gpfs_diskpool_name="system"}} {value * step}'
    for name in ("xferred_fetch", "xferred_update", "ops_fetch", "ops_update", "ops_cont_open", "ops_cont_close"):
        yield f'engine_pool_{name}{{pool="{fs}",rank="0",target="1"}} {count}'
    for name in ("nvme", "scm"):
        yield f'engine_pool_vos_space_{name}_used{{pool="{fs}",rank="0",target="1"}} {3 * step}'
    label = f'fs="{fs}",device="{fs}0"'
    for name in ("disk_read_bytes", "disk_written_bytes", "network_receive_bytes", "network_transmit_bytes"):
        yield f'node_{name}_total{{{label}}} {count}'


class Handler(Quiet):
    def do_GET(self):
        global scrapes
        scrapes += 1
        body = "\n".join([*lines("scratch", 1000), *lines("project", 7), ""]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


listen(sys.argv[1], Handler)
