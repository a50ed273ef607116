"""What goes with the load of servers, as in Fig. 9 of the TOKIO paper: a correlation over all jobs."""
from common import asked, pearson

site, fs, start, end = asked()
rows = [site.job(None, fs, job["start"], job["end"]) for job in site.jobs(start, end).values()]
rows = [row for row in rows if row.get("fs_ave_oss_cpu") is not None]
r = pearson([row["fs_ave_bytes_written_per_sec"] for row in rows], [row["fs_ave_oss_cpu"] for row in rows])
print(f"{len(rows)} jobs: traffic and processor load of servers go together with r = {r:+.3f}")
