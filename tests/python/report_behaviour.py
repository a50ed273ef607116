"""iolite.darshan: what is read belongs to the report, and is read once. Usage: report_behaviour.py SEEDS WORK"""

import os
import sys
import unittest

import iolite.darshan as darshan

SEEDS, WORK = sys.argv[1:3]
del sys.argv[1:]


def report_of(name, **how):
    return darshan.DarshanReport(os.path.join(SEEDS, name + ".darshan"), **how)


class Editing(unittest.TestCase):
    def test_a_frame_can_be_edited_without_changing_the_report(self):
        records = report_of("demo").records["POSIX"]
        writes = records.to_df()["counters"]["POSIX_WRITES"].tolist()
        self.assertGreater(sum(writes), 0)
        frames = records.to_df()
        frames["counters"].loc[:, "POSIX_WRITES"] = 0
        frames["counters"].loc[:, "rank"] = 77
        frames["counters"].loc[:, "id"] = 5
        self.assertNotIn(77, frames["fcounters"]["rank"].tolist())
        self.assertEqual(records.to_df()["counters"]["POSIX_WRITES"].tolist(), writes)
        self.assertNotIn(77, records.to_df()["counters"]["rank"].tolist())
        self.assertNotIn(5, records.to_df()["counters"]["id"].tolist())


unittest.main()
