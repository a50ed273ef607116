"""Coverage factors, as in the TOKIO paper: the share of each job in what the file system moved while it ran."""
from common import asked

site, fs, start, end = asked()
for number, job in sorted(site.jobs(start, end).items()):
    rows = [site.job(path, fs) for path in site.logs(number)] or [site.job(None, fs, job["start"], job["end"])]
    for row in rows:
        moved = row.get("fs_tot_gibs_written", 0) + row.get("fs_tot_gibs_read", 0)
        share = row.get("coverage_factor_bw")
        print(f"job {number}: {moved:.3f} GiB on the file system, " + ("no log" if share is None else f"{100 * share:.0f}% of it its own"))
