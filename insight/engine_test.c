/* Every rule with a small log that has its sin, and the same log just below the limit. Logs are written as text, one
   line a record: "MODULE RANK NAME COUNTER=VALUE ...". A value "5000|900" is the first in the sinful log and the
   second in the innocent one; NAME*40 stands for 40 files or, with rank *, for 40 ranks of one file. */
#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "insight/engine.h"
#include "schema/schema.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

typedef struct planted {
    const char *id;
    const char *log;
    const char *context;
} planted;

/* A file of one rank or all, with requests of a plain size. */
#define IO(n, bytes, max, time)                                                                   \
    " POSIX_OPENS=1 POSIX_WRITES=" n " POSIX_BYTES_WRITTEN=" bytes " POSIX_MAX_BYTE_WRITTEN=" max \
    " POSIX_F_WRITE_TIME=" time

/* Files of 10 MB, each of a rank of its own, on OSTs 0 to 3: one second each. */
#define TEN_MB " POSIX_WRITES=10 POSIX_BYTES_WRITTEN=10000000 POSIX_MAX_BYTE_WRITTEN=9999999 POSIX_F_WRITE_TIME="
#define THREE_OSTS                                                     \
    "LUSTRE /scratch/a*2 1048576 1@0\nPOSIX * /scratch/a%*2" TEN_MB    \
    "1\nLUSTRE /scratch/b*2 1048576 1@1\nPOSIX * /scratch/b%*2" TEN_MB \
    "1\nLUSTRE /scratch/c*2 1048576 1@2\nPOSIX * /scratch/c%*2" TEN_MB "1\n"
#define FOUR_OSTS THREE_OSTS "LUSTRE /scratch/d*2 1048576 1@3\nPOSIX * /scratch/d%*2" TEN_MB "1\n"

static const planted sins[] = {
    {"data.partial", "partial 1|0\nPOSIX 0 /a POSIX_OPENS=1", NULL},
    {"data.partial", "POSIX 0 /a POSIX_OPENS=1\nPOSIX 1 /b POSIX_OPENS=1\nlost 8|0", NULL},
    {"data.partial", "POSIX 0 /a POSIX_OPENS=1\nlost 8|0", NULL},
    {"data.time.implausible", "job 1 100\nPOSIX 0 /a POSIX_OPENS=1 POSIX_F_META_TIME=106|104", NULL},
    {"data.names.missing", "job 1 100\nPOSIX 0 ?|/a POSIX_OPENS=1", NULL},
    {"data.unreadable", "POSIX 0 /a POSIX_OPENS=1\nversion 99|4", NULL},
    {"data.values.odd", "job 1 100\nPOSIX 0 /a POSIX_OPENS=1 POSIX_F_READ_TIME=-2|2", NULL},
    {"data.nompi", "job 1 100\nmeta OMPI_COMM_WORLD_SIZE=4|1\nPOSIX 0 /a POSIX_OPENS=1", NULL},
    {"hdf5.chunk.partial",
     "job 1 100\nH5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d H5D_READS=101|100 H5D_BYTES_READ=101000 "
     "H5D_DATATYPE_SIZE=8 H5D_DATASPACE_NDIMS=1 H5D_CHUNK_SIZE_D1=100000\n"
     "POSIX 0 /scratch/a.h5 POSIX_READS=101 POSIX_BYTES_READ=80800000 POSIX_F_READ_TIME=40",
     NULL},
    {"lustre.stripe.cut",
     "job 4 100\nLUSTRE /scratch/a 1048576 4\nPOSIX -1 /scratch/a POSIX_WRITES=100 POSIX_BYTES_WRITTEN=838860800 "
     "POSIX_ACCESS1_ACCESS=8388608|4194304 POSIX_ACCESS1_COUNT=100",
     NULL},
    {"lustre.stripe.misfit",
     "job 4 100\nLUSTRE /scratch/a 1048576 4\nPOSIX -1 /scratch/a POSIX_WRITES=100 POSIX_BYTES_WRITTEN=150000000 "
     "POSIX_ACCESS1_ACCESS=1500000|2097152 POSIX_ACCESS1_COUNT=100",
     NULL},
    {"mpiio.aggregators.few", /* of 1024 ranks, 16 nodes: 4 or 8 carry 2^40 bytes */
     "job 1024 1000\nLUSTRE /scratch/a 1048576 16\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400 "
     "MPIIO_BYTES_WRITTEN=1099511627776 MPIIO_F_WRITE_TIME=45000 MPIIO_F_SLOWEST_RANK_TIME=500\nPOSIX -1 /scratch/a "
     "POSIX_WRITES=41000 POSIX_BYTES_WRITTEN=1099511627776 POSIX_F_WRITE_TIME=700 POSIX_F_SLOWEST_RANK_TIME=400 "
     "POSIX_F_VARIANCE_RANK_BYTES=2.94e20|1.46e20",
     NULL},
    {"mpiio.aggregators.many",
     "job 64 1000\nLUSTRE /scratch/a 1048576 1|16\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400 "
     "MPIIO_BYTES_WRITTEN=4300000 MPIIO_F_WRITE_TIME=4500 MPIIO_F_SLOWEST_RANK_TIME=75\nPOSIX -1 /scratch/a "
     "POSIX_WRITES=41000 POSIX_BYTES_WRITTEN=4300000 POSIX_F_WRITE_TIME=70 POSIX_F_SLOWEST_RANK_TIME=70 "
     "POSIX_F_VARIANCE_RANK_BYTES=0",
     NULL},
    {"mpiio.async.none.read",
     "job 1 100\nMPI-IO 0 /scratch/a MPIIO_INDEP_READS=40 MPIIO_BYTES_READ=1073741824|1073741823 "
     "MPIIO_F_READ_TIME=20\nPOSIX 0 /scratch/a POSIX_READS=40 POSIX_BYTES_READ=1073741824 POSIX_F_READ_TIME=20\n"
     "TRACE 0 /scratch/a r 20 0 100 100 1 0.5 0.5\nTRACE 0 /scratch/a r 20 9000 100 100 51 0.5 0.5",
     NULL},
    {"mpiio.async.none.write",
     "job 1 100\nMPI-IO 0 /scratch/a MPIIO_INDEP_WRITES=40 MPIIO_BYTES_WRITTEN=1073741824|1073741823 "
     "MPIIO_F_WRITE_TIME=20\nPOSIX 0 /scratch/a POSIX_WRITES=40 POSIX_BYTES_WRITTEN=1073741824 POSIX_F_WRITE_TIME=20\n"
     "TRACE 0 /scratch/a w 20 0 100 100 1 0.5 0.5\nTRACE 0 /scratch/a w 20 9000 100 100 51 0.5 0.5",
     NULL},
    {"mpiio.collective.some", "job 4 100\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=49|50 MPIIO_INDEP_WRITES=51|50", NULL},
    {"mpiio.hints.few",
     "job 1024 1000\nnodes 16\nLUSTRE /scratch/a 1048576 16\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400 "
     "MPIIO_BYTES_WRITTEN=1000000 MPIIO_F_WRITE_TIME=45000 MPIIO_F_SLOWEST_RANK_TIME=500\n"
     "HINT file=/scratch/a;cb_nodes=7|8",
     NULL},
    {"mpiio.hints.many",
     "job 1024 1000\nnodes 16\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400 MPIIO_BYTES_WRITTEN=1000000 "
     "MPIIO_F_WRITE_TIME=45000 MPIIO_F_SLOWEST_RANK_TIME=500\n"
     "HINT {\"file\":\"/scratch/a\",\"hints\":{\"cb_nodes\":\"65|64\",\"other\":[1]}}",
     NULL},
    {"mpiio.hints.ok",
     "job 1024 1000\nnodes 16\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400 MPIIO_BYTES_WRITTEN=1000000 "
     "MPIIO_F_WRITE_TIME=45000 MPIIO_F_SLOWEST_RANK_TIME=500\nHINT cb_nodes=16|x",
     NULL},
    {"mpiio.hints.buffer",
     "job 4 1000\nLUSTRE /scratch/a 1048576 4\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400 MPIIO_F_WRITE_TIME=4500 "
     "MPIIO_F_SLOWEST_RANK_TIME=500\nHINT {\"file\":\"/scratch/a\",\"cb_buffer_size\":1048575|1048576}",
     NULL},
    {"mpiio.hints.off",
     "job 4 1000\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400 MPIIO_F_WRITE_TIME=1500 MPIIO_F_SLOWEST_RANK_TIME=500\n"
     "POSIX -1 /scratch/a POSIX_WRITES=6400 POSIX_BYTES_WRITTEN=6400000 POSIX_SIZE_WRITE_100_1K=6400 "
     "POSIX_F_WRITE_TIME=1400 POSIX_F_SLOWEST_RANK_TIME=400\nHINT romio_cb_write=disable|enable",
     NULL},
    {"posix.data.little",
     "job 64 100\nPOSIX -1 /scratch/a POSIX_OPENS=64 POSIX_WRITES=64 POSIX_SEQ_WRITES=64 "
     "POSIX_BYTES_WRITTEN=67108800|67108864 "
     "POSIX_F_WRITE_TIME=64 POSIX_F_SLOWEST_RANK_TIME=2",
     NULL},
    {"fs.nodelocal.unused",
     "job 2 100\nPOSIX * /scratch/t%*2 POSIX_OPENS=2|1 POSIX_WRITES=20 POSIX_BYTES_WRITTEN=20000000 POSIX_READS=20 "
     "POSIX_BYTES_READ=20000000 POSIX_F_READ_TIME=10",
     NULL},
    {"stdio.console.slow",
     "job 1 100\nPROC /home/u/out|/scratch/out\nSTDIO 0 <STDOUT> STDIO_WRITES=5000 STDIO_BYTES_WRITTEN=1048576 "
     "STDIO_F_WRITE_TIME=40",
     NULL},
    {"hdf5.fill",
     "job 4 100\nPOSIX -1 /scratch/a.h5 POSIX_WRITES=100 POSIX_BYTES_WRITTEN=200000000|170000000 "
     "POSIX_MAX_BYTE_WRITTEN=99999999 POSIX_SIZE_WRITE_1M_4M=100 POSIX_F_WRITE_TIME=80 POSIX_F_SLOWEST_RANK_TIME=20",
     NULL},
    {"hdf5.indep.data",
     "job 4 100\nH5F -1 /scratch/a.h5 H5F_OPENS=4\nH5D -1 /scratch/a.h5:d H5D_WRITES=2000|1000 "
     "H5D_BYTES_WRITTEN=2000000|1000000\n"
     "POSIX -1 /scratch/a.h5 POSIX_WRITES=2000 POSIX_BYTES_WRITTEN=2000000 POSIX_F_WRITE_TIME=80 "
     "POSIX_F_SLOWEST_RANK_TIME=20",
     NULL},
    {"hdf5.meta.small",
     "job 4 100\nPOSIX -1 /scratch/a.h5 POSIX_READS=1000 POSIX_BYTES_READ=200000 POSIX_SIZE_READ_0_100=500 "
     "POSIX_SIZE_READ_1M_4M=500 POSIX_WRITES=1000 POSIX_BYTES_WRITTEN=200000 POSIX_SIZE_WRITE_0_100=501|500 "
     "POSIX_SIZE_WRITE_1M_4M=500 POSIX_F_READ_TIME=80 POSIX_F_SLOWEST_RANK_TIME=20",
     NULL},
    /* A file cannot be on more OSTs than there are. */
    {"lustre.stripe.narrow",
     "job 64 100\nLUSTRE /scratch/a 1048576 4 96|4\nPOSIX -1 /scratch/a POSIX_WRITES=20000 "
     "POSIX_BYTES_WRITTEN=21474836480 POSIX_MAX_BYTE_WRITTEN=21474836479 POSIX_SIZE_WRITE_1M_4M=20000 "
     "POSIX_F_WRITE_TIME=3200 POSIX_F_SLOWEST_RANK_TIME=60",
     NULL},
    {"lustre.stripe.narrow",
     "job 64 100\nLUSTRE /scratch/a 1048576 1|12\nPOSIX -1 /scratch/a POSIX_WRITES=20000 "
     "POSIX_BYTES_WRITTEN=21474836480 "
     "POSIX_MAX_BYTE_WRITTEN=21474836479 POSIX_SIZE_WRITE_1M_4M=20000 POSIX_F_WRITE_TIME=3200 "
     "POSIX_F_SLOWEST_RANK_TIME=60",
     NULL},
    {"lustre.stripe.wide.small",
     "job 1 100\nLUSTRE /scratch/a*100|99 1048576 4\nPOSIX 0 /scratch/a*100 POSIX_OPENS=1 POSIX_WRITES=1 "
     "POSIX_BYTES_WRITTEN=1000 POSIX_MAX_BYTE_WRITTEN=999 POSIX_F_META_TIME=0.1",
     NULL},
    /* One slow file of the two on OST 9 may be slow for a reason of its own. */
    {"lustre.ost.slow",
     "job 10 100\n" FOUR_OSTS "LUSTRE /scratch/s*2 1048576 1@9\nPOSIX 0 /scratch/s0" TEN_MB
     "30\nPOSIX 1 /scratch/s1" TEN_MB "31|1",
     NULL},
    /* Twenty times the bytes may take thirty times as long. */
    {"lustre.ost.slow",
     "job 10 100\n" FOUR_OSTS "LUSTRE /scratch/s*2 1048576 1@9\nPOSIX * /scratch/s%*2 POSIX_WRITES=10 "
     "POSIX_BYTES_WRITTEN=20000000|200000000 POSIX_MAX_BYTE_WRITTEN=19999999 POSIX_F_WRITE_TIME=30",
     NULL},
    {"lustre.ost.slow",
     "job 10 100\n" FOUR_OSTS "LUSTRE /scratch/s*2 1048576 1@9\nPOSIX * /scratch/s%*2" TEN_MB "3.1|2.9", NULL},
    {"lustre.ost.slow",
     "job 10 1000\n" FOUR_OSTS "LUSTRE /scratch/s*2 1048576 1@9\nPOSIX * /scratch/s%*2" TEN_MB "22|20", NULL},
    {"lustre.ost.slow",
     "job 10 100\n" THREE_OSTS "LUSTRE /scratch/s*2 1048576 1@9|1@2\nPOSIX * /scratch/s%*2" TEN_MB "90", NULL},
    {"lustre.ost.skew",
     "job 1 100\nLUSTRE /scratch/a 1048576 1\nLUSTRE /scratch/b 1048576 4\nPOSIX 0 /scratch/a POSIX_WRITES=1000 "
     "POSIX_BYTES_WRITTEN=900000000|200000000 POSIX_F_WRITE_TIME=50\nPOSIX 0 /scratch/b POSIX_WRITES=100 "
     "POSIX_BYTES_WRITTEN=400000000 POSIX_F_WRITE_TIME=5",
     NULL},
    {"mpiio.aggregators.funnel",
     "job 64 1000\nMPI-IO -1 /scratch/a MPIIO_COLL_OPENS=64 MPIIO_COLL_WRITES=6400 MPIIO_BYTES_WRITTEN=43000000000 "
     "MPIIO_F_WRITE_TIME=45000 MPIIO_F_SLOWEST_RANK_TIME=750\nPOSIX -1 /scratch/a POSIX_WRITES=41000 "
     "POSIX_BYTES_WRITTEN=43000000000 POSIX_MAX_BYTE_WRITTEN=42999999999 POSIX_SIZE_WRITE_1M_4M=41000 "
     "POSIX_F_WRITE_TIME=700 POSIX_F_SLOWEST_RANK_TIME=700 POSIX_SLOWEST_RANK_BYTES=43000000000 "
     "POSIX_F_VARIANCE_RANK_BYTES=2.844e19|1.4e19",
     NULL},
    {"mpiio.aggregators.ok",
     "job 64 1000\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400 MPIIO_BYTES_WRITTEN=43000000000 MPIIO_F_WRITE_TIME=4500 "
     "MPIIO_F_SLOWEST_RANK_TIME=75\nPOSIX -1 /scratch/a POSIX_WRITES=41000 POSIX_BYTES_WRITTEN=43000000000 "
     "POSIX_F_WRITE_TIME=70 POSIX_F_SLOWEST_RANK_TIME=70 POSIX_F_VARIANCE_RANK_BYTES=3e18|2.844e19",
     NULL},
    {"mpiio.collective.none.write",
     "job 4 100\nMPI-IO -1 /scratch/a MPIIO_INDEP_WRITES=1001|1000 MPIIO_BYTES_WRITTEN=1001000 MPIIO_F_WRITE_TIME=80 "
     "MPIIO_F_SLOWEST_RANK_TIME=20\nPOSIX -1 /scratch/a POSIX_WRITES=1001 POSIX_BYTES_WRITTEN=1001000 "
     "POSIX_SIZE_WRITE_100_1K=1001 POSIX_F_WRITE_TIME=80 POSIX_F_SLOWEST_RANK_TIME=20",
     NULL},
    {"mpiio.collective.none.read",
     "job 4 100\nMPI-IO -1 /scratch/a MPIIO_INDEP_READS=1001|1000 MPIIO_BYTES_READ=1001000 MPIIO_F_READ_TIME=80 "
     "MPIIO_F_SLOWEST_RANK_TIME=20\nPOSIX -1 /scratch/a POSIX_READS=1001 POSIX_BYTES_READ=1001000 "
     "POSIX_SIZE_READ_100_1K=1001 POSIX_F_READ_TIME=80 POSIX_F_SLOWEST_RANK_TIME=20",
     NULL},
    {"mpiio.collective.used.write", "job 4 100\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=50|49 MPIIO_INDEP_WRITES=50|51",
     NULL},
    {"mpiio.collective.used.read", "job 4 100\nMPI-IO -1 /scratch/a MPIIO_COLL_READS=50|49 MPIIO_INDEP_READS=50|51",
     NULL},
    {"mpiio.sieving.write",
     "job 4 100\nMPI-IO -1 /scratch/a MPIIO_INDEP_WRITES=10 MPIIO_BYTES_WRITTEN=10000000\nPOSIX -1 /scratch/a "
     "POSIX_WRITES=10 POSIX_READS=10 POSIX_BYTES_WRITTEN=10000000 POSIX_BYTES_READ=1000001|1000000",
     NULL},
    {"mpiio.amplification",
     "job 4 100\nMPI-IO -1 /scratch/a MPIIO_INDEP_READS=10 MPIIO_BYTES_READ=10000000\nPOSIX -1 /scratch/a "
     "POSIX_READS=10 "
     "POSIX_BYTES_READ=12000001|12000000",
     NULL},
    {"mpiio.wait",
     "job 4 100\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=10 MPIIO_BYTES_WRITTEN=1000 MPIIO_F_WRITE_TIME=40 "
     "MPIIO_F_SLOWEST_RANK_TIME=10\nPOSIX -1 /scratch/a POSIX_WRITES=10 POSIX_BYTES_WRITTEN=1000 POSIX_F_WRITE_TIME=20 "
     "POSIX_F_SLOWEST_RANK_TIME=6.9|7",
     NULL},
    {"mpiio.open.indep", "job 4 100\nMPI-IO -1 /scratch/a MPIIO_INDEP_OPENS=4|3 MPIIO_COLL_WRITES=10", NULL},
    {"mpiio.absent", "job 4 100\nPOSIX -1 /scratch/a POSIX_WRITES=1 POSIX_BYTES_WRITTEN=1048576|1048575", NULL},
    {"posix.fsync.heavy",
     "job 1 100\nPOSIX 0 /scratch/a" IO("2000", "2000000", "1999999",
                                        "50") " POSIX_FSYNCS=201|200 POSIX_SIZE_WRITE_100_1K=2000",
     NULL},
    /* 120 syncs of 2000 writes are few, but take 6 of 20 seconds. */
    {"posix.fsync.heavy",
     "job 1 100\nOPER 120 6|5.9\nPOSIX 0 /scratch/a" IO("2000", "2000000", "1999999", "20") " POSIX_FSYNCS=120", NULL},
    {"posix.fsync.heavy",
     "job 1 100\nOPER 120 19\nPOSIX 0 /scratch/a" IO("2000", "2000000", "1999999", "20") " POSIX_FSYNCS=100|99", NULL},
    {"posix.strided",
     "job 4 100\nPOSIX 0 /scratch/a POSIX_READS=2000 POSIX_BYTES_READ=2000000 POSIX_STRIDE1_STRIDE=8000 "
     "POSIX_STRIDE1_COUNT=1001|1000 POSIX_ACCESS1_ACCESS=1000 POSIX_ACCESS1_COUNT=2000",
     NULL},
    {"posix.readall",
     "job 8 100\nPOSIX -1 /scratch/a POSIX_READS=800 POSIX_BYTES_READ=80000000|40000000 POSIX_MAX_BYTE_READ=9999999 "
     "POSIX_F_READ_TIME=80 POSIX_F_SLOWEST_RANK_TIME=10",
     NULL},
    {"dl.epoch.reread",
     "job 1 100\nPOSIX 0 /scratch/a*4 POSIX_OPENS=3 POSIX_READS=3000 POSIX_BYTES_READ=375000000|300000000 "
     "POSIX_MAX_BYTE_READ=99999999 POSIX_F_READ_TIME=10",
     NULL},
    {"posix.redundant.read",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_READS=300 POSIX_BYTES_READ=11048577|11048576 "
     "POSIX_MAX_BYTE_READ=9999999 POSIX_F_READ_TIME=50",
     NULL},
    {"posix.redundant.write", "job 1 100\nPOSIX 0 /scratch/a" IO("300", "11048577|11048576", "9999999", "50"), NULL},
    {"posix.balance.bytes",
     "job 8 100\nPOSIX -1 /scratch/a POSIX_WRITES=800 POSIX_BYTES_WRITTEN=80000000 POSIX_F_WRITE_TIME=30 "
     "POSIX_F_SLOWEST_RANK_TIME=20 POSIX_F_VARIANCE_RANK_BYTES=1.01e14|0.99e14",
     NULL},
    {"posix.balance.time",
     "job 8 100\nPOSIX -1 /scratch/a POSIX_WRITES=800 POSIX_BYTES_WRITTEN=8000000 POSIX_F_WRITE_TIME=16 "
     "POSIX_F_SLOWEST_RANK_TIME=3.1|2.9",
     NULL},
    {"posix.balance.ranks",
     "job 8 100\nPOSIX * /scratch/own%*8 POSIX_WRITES=80 POSIX_BYTES_WRITTEN=80000000 POSIX_F_WRITE_TIME=2\n"
     "POSIX 3 /scratch/slow POSIX_WRITES=1 POSIX_BYTES_WRITTEN=1 POSIX_F_WRITE_TIME=9|1.1",
     NULL},
    {"posix.small.read",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_READS=9000 POSIX_BYTES_READ=1001000 POSIX_SEQ_READS=8999 "
     "POSIX_SIZE_READ_100_1K=1001|1000 "
     "POSIX_SIZE_READ_1M_4M=7999 POSIX_F_READ_TIME=50",
     NULL},
    {"posix.small.write",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=9000 POSIX_BYTES_WRITTEN=1001000 POSIX_SEQ_WRITES=8999 "
     "POSIX_SIZE_WRITE_100_1K=1001|900 POSIX_SIZE_WRITE_1M_4M=7999 POSIX_F_WRITE_TIME=50",
     NULL},
    {"posix.small.shared.read",
     "job 4 100\nPOSIX -1 /scratch/a POSIX_OPENS=1 POSIX_READS=1001|1000 POSIX_BYTES_READ=1001000 "
     "POSIX_SIZE_READ_100_1K=1001|1000 POSIX_F_READ_TIME=50 POSIX_F_SLOWEST_RANK_TIME=20",
     NULL},
    {"posix.small.shared.write",
     "job 4 100\nPOSIX -1 /scratch/a POSIX_OPENS=1 POSIX_WRITES=1001|1000 POSIX_BYTES_WRITTEN=1001000 "
     "POSIX_SIZE_WRITE_100_1K=1001|1000 POSIX_F_WRITE_TIME=50 POSIX_F_SLOWEST_RANK_TIME=20",
     NULL},
    {"posix.random.read",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_READS=1002 POSIX_OPENS=1 POSIX_BYTES_READ=1002000000 "
     "POSIX_MAX_BYTE_READ=9999999 POSIX_SEQ_READS=0|1 "
     "POSIX_F_READ_TIME=50",
     NULL},
    {"posix.random.write",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_WRITES=1002 POSIX_OPENS=1 POSIX_BYTES_WRITTEN=1002000000 "
     "POSIX_MAX_BYTE_WRITTEN=9999999 POSIX_SEQ_WRITES=0|1 "
     "POSIX_F_WRITE_TIME=50",
     NULL},
    {"posix.sequential.read", "job 1 100\nPOSIX 0 /scratch/a POSIX_READS=100 POSIX_SEQ_READS=80|79", NULL},
    {"posix.sequential.write", "job 1 100\nPOSIX 0 /scratch/a POSIX_WRITES=100 POSIX_SEQ_WRITES=80|79", NULL},
    {"posix.align.file",
     "job 4 100\nPOSIX -1 /scratch/a POSIX_WRITES=100 POSIX_BYTES_WRITTEN=100 POSIX_FILE_NOT_ALIGNED=11|10 "
     "POSIX_FILE_ALIGNMENT=1048576",
     NULL},
    {"posix.align.mem",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_WRITES=100 POSIX_MEM_NOT_ALIGNED=11|10 POSIX_MEM_ALIGNMENT=512", NULL},
    {"posix.meta.time", "job 2 100\nPOSIX 0 /scratch/a POSIX_OPENS=5 POSIX_F_META_TIME=30.1|29.9", NULL},
    {"posix.open.repeat", "job 1 100\nPOSIX 0 /scratch/a*100 POSIX_OPENS=11|10 POSIX_F_META_TIME=0.5", NULL},
    {"posix.open.unused", "job 1 100\nPOSIX 0 /scratch/a*100|99 POSIX_OPENS=1", NULL},
    {"posix.stat.heavy", "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_STATS=1001|1000 POSIX_F_META_TIME=5", NULL},
    {"posix.seek.heavy",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_SEEKS=2000 POSIX_READS=1999|2000 POSIX_BYTES_READ=1999 "
     "POSIX_F_META_TIME=5",
     NULL},
    {"posix.rw.switch", "job 1 100\nPOSIX 0 /scratch/a POSIX_READS=1000 POSIX_WRITES=1000 POSIX_RW_SWITCHES=1001|1000",
     NULL},
    {"posix.slow.request",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_READS=1000 POSIX_F_READ_TIME=5 POSIX_F_MAX_READ_TIME=1|0.99", NULL},
    {"posix.single.writer",
     "job 8 100\nPOSIX 0 /scratch/a POSIX_WRITES=91 POSIX_BYTES_WRITTEN=91000000|89000000 POSIX_F_WRITE_TIME=50\n"
     "POSIX 1 /scratch/b POSIX_WRITES=9 POSIX_BYTES_WRITTEN=9000000|11000000",
     NULL},
    {"posix.fpp.tiny",
     "job 8 100\nPOSIX 0 /scratch/a*64|63 POSIX_OPENS=1 POSIX_WRITES=1 POSIX_BYTES_WRITTEN=100 "
     "POSIX_MAX_BYTE_WRITTEN=99 "
     "POSIX_F_META_TIME=0.1 POSIX_F_WRITE_TIME=0.1",
     NULL},
    {"posix.files.many", "job 1 100\nPOSIX 0 /scratch/a*1001|1000 POSIX_OPENS=1 POSIX_F_META_TIME=0.01", NULL},
    {"posix.mmap", "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_MMAPS=10|9", NULL},
    {"posix.mix", "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_READS=1|0", NULL},
    {"fs.slow.target",
     "job 1 100\nPOSIX 0 /home/u/a POSIX_WRITES=100 POSIX_BYTES_WRITTEN=67108864|67108863 POSIX_F_WRITE_TIME=20", NULL},
    {"python.import",
     "job 64 100\nPOSIX 0 /scratch/lib/site-packages/a*100 POSIX_OPENS=5 POSIX_STATS=5|4 POSIX_F_META_TIME=0.1", NULL},
    {"stdio.redundant.read",
     "job 1 100\nSTDIO 0 /scratch/a STDIO_OPENS=5 STDIO_READS=5000 STDIO_BYTES_READ=11048577|11048576 "
     "STDIO_MAX_BYTE_READ=9999999 STDIO_F_READ_TIME=40",
     NULL},
    {"stdio.console",
     "job 1 100\nSTDIO 0 <STDOUT> STDIO_WRITES=5000 STDIO_BYTES_WRITTEN=65536|65535 STDIO_F_WRITE_TIME=40", NULL},
    {"stdio.open.repeat",
     "job 1 100\nSTDIO 0 /scratch/a STDIO_OPENS=1000|999 STDIO_WRITES=1000 STDIO_BYTES_WRITTEN=100000 "
     "STDIO_F_META_TIME=0.9 STDIO_F_WRITE_TIME=0.1",
     NULL},
    {"stdio.seek",
     "job 1 100\nSTDIO 0 /scratch/a STDIO_SEEKS=1001|1000 STDIO_READS=1001 STDIO_BYTES_READ=100000 "
     "STDIO_MAX_BYTE_READ=99999 STDIO_F_READ_TIME=40",
     NULL},
    {"stdio.flush",
     "job 1 100\nSTDIO 0 /scratch/a STDIO_FLUSHES=1000|999 STDIO_WRITES=1001 STDIO_BYTES_WRITTEN=100000 "
     "STDIO_F_WRITE_TIME=40",
     NULL},
    {"stdio.tiny",
     "job 1 100\nSTDIO 0 /scratch/a STDIO_WRITES=2000 STDIO_BYTES_WRITTEN=8191999|8192000 "
     "STDIO_MAX_BYTE_WRITTEN=8191998 "
     "STDIO_F_WRITE_TIME=40",
     NULL},
    {"stdio.share",
     "job 1 100\nSTDIO 0 /scratch/a STDIO_WRITES=20 STDIO_BYTES_WRITTEN=16777216|16777215 "
     "STDIO_MAX_BYTE_WRITTEN=16777215 "
     "STDIO_F_WRITE_TIME=40",
     NULL},
    {"job.io.share", "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_F_META_TIME=1|0", NULL},
    {"job.io.none", "job 1 100\n", NULL},
    {"metric.redundant",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_READS=5 POSIX_BYTES_READ=1099511627877|1099511627876 POSIX_MAX_BYTE_READ=99",
     NULL},
    {"metric.metadata",
     "job 192|191 100\nPOSIX -1 /scratch/a POSIX_OPENS=5 POSIX_F_META_TIME=6000 POSIX_F_SLOWEST_RANK_TIME=40", NULL},
    {"metric.small",
     "job 4 100\nPOSIX -1 /scratch/a POSIX_WRITES=100000001|100000000 POSIX_SIZE_WRITE_0_100=100000001|100000000",
     NULL},
    {"history.slow", "job 1 100\nPOSIX 0 /scratch/a" IO("1000", "1000000|3000000", "2999999", "1"),
     "{\"history\": {\"runs\": 10, \"rate_p10\": 2000000, \"ops_median\": 1000, \"mean_request_median\": 1000}}"},
    {"history.changed", "job 1 100\nPOSIX 0 /scratch/a" IO("2001|2000", "2000000", "1999999", "1"),
     "{\"history\": {\"runs\": 3, \"rate_p10\": 1, \"ops_median\": 1000, \"mean_request_median\": 1000}, \"other\": "
     "[1, {}]}"},
    {"pnetcdf.indep",
     "job 4 100\nPNETCDF_VAR -1 /scratch/a.nc:v PNETCDF_VAR_INDEP_WRITES=1001|1000\nPOSIX -1 /scratch/a.nc "
     "POSIX_WRITES=10 "
     "POSIX_BYTES_WRITTEN=1000 POSIX_F_WRITE_TIME=40 POSIX_F_SLOWEST_RANK_TIME=20",
     NULL},
    /* Traces: TRACE RANK NAME r|w COUNT OFFSET STEP LENGTH START TICK DURATION */
    {"conflict.overlap",
     "job 2 10\nPOSIX * /scratch/a*2 POSIX_WRITES=1\nTRACE 0 /scratch/a w 1 0 0 101|100 1 0 0.1\n"
     "TRACE 1 /scratch/a w 1 100 0 100 1.05 0 0.1",
     NULL},
    {"lustre.lock.conflict",
     "job 2 10\nLUSTRE /scratch/a 1048576 1\nPOSIX -1 /scratch/a POSIX_WRITES=202 POSIX_BYTES_WRITTEN=202 "
     "POSIX_F_WRITE_TIME=2\n"
     "TRACE 0 /scratch/a w 101 0 10 10 1 0.01|10 0.001\nTRACE 1 /scratch/a w 101 2000 10 10 1.005|5 0.01|10 0.001",
     NULL},
    {"trace.repeated",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_READS=101 POSIX_BYTES_READ=2020000 POSIX_MAX_BYTE_READ=2019999\n"
     "TRACE 0 /scratch/a r 101|100 0 0 20000 1 0.1 0.01",
     NULL},
    {"trace.rewritten",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_WRITES=101 POSIX_BYTES_WRITTEN=2020000 POSIX_MAX_BYTE_WRITTEN=2019999\n"
     "TRACE 0 /scratch/a w 101|100 0 0 20000 1 0.1 0.01",
     NULL},
    /* Large requests first; then one rank of four makes small ones, or some out of order, for half a minute. */
    {"phase.small.write",
     "job 4 100\nPOSIX -1 /scratch/a POSIX_OPENS=4 POSIX_WRITES=1100 POSIX_BYTES_WRITTEN=1678620000 "
     "POSIX_SEQ_WRITES=1096 POSIX_SIZE_WRITE_1K_10K=300 POSIX_SIZE_WRITE_1M_4M=800 POSIX_F_WRITE_TIME=70 "
     "POSIX_F_SLOWEST_RANK_TIME=40\n"
     "TRACE 0 /scratch/a w 200 0 8388608 2097152 1 0.1 0.05\nTRACE 1 /scratch/a w 200 2097152 8388608 2097152 1 0.1 "
     "0.05\n"
     "TRACE 2 /scratch/a w 200 4194304 8388608 2097152 1 0.1 0.05\n"
     "TRACE 3 /scratch/a w 200 6291456 8388608 2097152 1 0.1 0.05\n"
     "TRACE 2 /scratch/a w 300|99 9000000000 3072 3072 60 0.1 0.1",
     NULL},
    {"phase.small.read",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_READS=1100 POSIX_BYTES_READ=1678620000 "
     "POSIX_MAX_BYTE_READ=9000921599 POSIX_SEQ_READS=1099 POSIX_SIZE_READ_1K_10K=300 POSIX_SIZE_READ_1M_4M=800 "
     "POSIX_F_READ_TIME=40\n"
     "TRACE 0 /scratch/a r 800 0 2097152 2097152 1 0.025 0.012\nTRACE 0 /scratch/a r 300|99 9000000000 3072 3072 60 "
     "0.1 0.1",
     NULL},
    {"phase.random.read",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_READS=2000 POSIX_BYTES_READ=4194304000 "
     "POSIX_MAX_BYTE_READ=9000000000 POSIX_SEQ_READS=1700 POSIX_SIZE_READ_1M_4M=2000 POSIX_F_READ_TIME=50\n"
     "TRACE 0 /scratch/a r 1700 0 2097152 2097152 1 0.01 0.01\n"
     "TRACE 0 /scratch/a r 300|100 9000000000 -4194304 2097152 60 0.1 0.1",
     NULL},
    {"phase.random.write",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=2000 POSIX_BYTES_WRITTEN=4194304000 "
     "POSIX_MAX_BYTE_WRITTEN=9000000000 POSIX_SEQ_WRITES=1700 POSIX_SIZE_WRITE_1M_4M=2000 POSIX_F_WRITE_TIME=50\n"
     "TRACE 0 /scratch/a w 1700 0 2097152 2097152 1 0.01 0.01\n"
     "TRACE 0 /scratch/a w 300|100 9000000000 -4194304 2097152 60 0.1 0.1",
     NULL},
    /* All ranks are alike for 30 s; then one takes 20 s where the others take one. */
    {"phase.imbalance",
     "job 4 100\nPOSIX -1 /scratch/a POSIX_WRITES=1430 POSIX_BYTES_WRITTEN=1430000000 POSIX_F_WRITE_TIME=143 "
     "POSIX_F_SLOWEST_RANK_TIME=50\n"
     "TRACE 0 /scratch/a w 300 0 8000000 2000000 1 0.1 0.1\nTRACE 1 /scratch/a w 300 2000000 8000000 2000000 1 0.1 "
     "0.1\n"
     "TRACE 2 /scratch/a w 300 4000000 8000000 2000000 1 0.1 0.1\n"
     "TRACE 3 /scratch/a w 300 6000000 8000000 2000000 1 0.1 0.1\n"
     "TRACE 0 /scratch/a w 10 9e9 2000000 2000000 60 0.1 0.1\nTRACE 1 /scratch/a w 10 10e9 2000000 2000000 60 0.1 0.1\n"
     "TRACE 2 /scratch/a w 200|10 11e9 2000000 2000000 60 0.1 0.1\n"
     "TRACE 3 /scratch/a w 10 12e9 2000000 2000000 60 0.1 0.1",
     NULL},
    {"phase.rank",
     "job 4 100\nPOSIX * /scratch/o%*4 POSIX_WRITES=310 POSIX_BYTES_WRITTEN=620000000 POSIX_F_WRITE_TIME=31\n"
     "TRACE 0 /scratch/o0 w 300 0 2000000 2000000 1 0.1 0.1\nTRACE 1 /scratch/o1 w 300 0 2000000 2000000 1 0.1 0.1\n"
     "TRACE 2 /scratch/o2 w 300 0 2000000 2000000 1 0.1 0.1\nTRACE 3 /scratch/o3 w 300 0 2000000 2000000 1 0.1 0.1\n"
     "TRACE 0 /scratch/o0 w 10 9e9 2000000 2000000 60 0.1 0.1\nTRACE 1 /scratch/o1 w 10 9e9 2000000 2000000 60 0.1 "
     "0.1\n"
     "TRACE 2 /scratch/o2 w 200|10 9e9 2000000 2000000 60 0.1 0.1\n"
     "TRACE 3 /scratch/o3 w 10 9e9 2000000 2000000 60 0.1 0.1",
     NULL},
    {"phase.metadata",
     "job 1 100\nPOSIX 0 /scratch/d POSIX_OPENS=1 POSIX_WRITES=810 POSIX_BYTES_WRITTEN=810000 POSIX_F_WRITE_TIME=81\n"
     "POSIX 0 /scratch/m*50 POSIX_OPENS=1 POSIX_F_META_TIME=0.2|0.02 POSIX_F_OPEN_START_TIMESTAMP=52 "
     "POSIX_F_CLOSE_END_TIMESTAMP=58\n"
     "TRACE 0 /scratch/d w 490 0 1000 1000 1 0.1 0.1\nTRACE 0 /scratch/d w 20 490000 1000 1000 55 0.1 0.1\n"
     "TRACE 0 /scratch/d w 300 510000 1000 1000 60 0.1 0.1",
     NULL},
    {"phase.covering",
     "job 2 100\nPOSIX 0 /scratch/a POSIX_WRITES=50 POSIX_F_WRITE_TIME=5\nPOSIX 1 /scratch/b POSIX_WRITES=1\n"
     "TRACE 0 /scratch/a w 51|49 0 1000 1000 1 0.1 0.1\nTRACE 1 /scratch/b w 1 0 1000 1000 1.5 0 0.1",
     NULL},
    {"hdf5.meta.allranks",
     "job 4 10\nPOSIX * /scratch/a.h5*4 POSIX_READS=1\nTRACE 0 /scratch/a.h5 r 1 0 0 512 1 0 0.1\n"
     "TRACE 1 /scratch/a.h5 r 1 0 0 512 1 0 0.1\nTRACE 2 /scratch/a.h5 r 1 0|8 0 512 1 0 0.1",
     NULL},
    {"phase.serial",
     "job 8 100\nPOSIX 0 /scratch/a POSIX_WRITES=50\nPOSIX 1 /scratch/b POSIX_WRITES=1\n"
     "TRACE 0 /scratch/a w 50 0 100000 100000 1 0.1 0.1\nTRACE 1 /scratch/b w 1 0 0 1|5000000 1 0 0.1",
     NULL},
    {"phase.straggler",
     "job 3 100\nPOSIX * /scratch/a*3 POSIX_WRITES=1\nTRACE 0 /scratch/a w 1 0 0 100 1 0 1\n"
     "TRACE 1 /scratch/a w 1 200 0 100 1 0 1\nTRACE 2 /scratch/a w 1 400 0 100 1 0 9|1.9",
     NULL},
    {"phase.burst",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_WRITES=100 POSIX_F_WRITE_TIME=6\n"
     "TRACE 0 /scratch/a w 20 0 100 100 1 0.05|0.2 0.03\nTRACE 0 /scratch/a w 20 0 100 100 21 0.05|0.2 0.03\n"
     "TRACE 0 /scratch/a w 20 0 100 100 41 0.05|0.2 0.03\nTRACE 0 /scratch/a w 20 0 100 100 61 0.05|0.2 0.03\n"
     "TRACE 0 /scratch/a w 20 0 100 100 81 0.05|0.2 0.03",
     NULL},
    {"phase.count",
     "job 1 2100\nPOSIX 0 /scratch/a POSIX_WRITES=1001 POSIX_F_WRITE_TIME=100\n"
     "TRACE 0 /scratch/a w 1001|1000 0 100 100 1 2 0.01",
     NULL},
    {"rank.idle", "job 2 100\nHEAT 0 5000\nHEAT 1 0|1", NULL},
};

/* Reading the text -------------------------------------------------------------------------------------------- */

typedef struct maker {
    lm_log *made;
    bool innocent;
    double nodes;
    char metadata[100];
} maker;

/* The word for this log: "a|b" has two. */
static char *choose(const maker *m, char *word) {
    char *bar = strchr(word, '|');
    if (!bar) return word;
    *bar = 0;
    return m->innocent ? bar + 1 : word;
}

static int slot_of(const char *module) {
    int slot = iol_module_find(module);
    if (slot < 0) fail_msg("no module %s", module);
    return slot;
}

static void set_counter(const maker *m, int slot, lm_counts *counts, char *word) {
    char *equals = strchr(word, '=');
    assert_non_null(equals);
    *equals = 0;
    int index = iol_counter_find(slot, word);
    if (index < 0) fail_msg("no counter %s", word);
    double value = atof(choose(m, equals + 1));
    int ints = iol__modules[slot].ints;
    if (index < ints)
        counts->ints[index] = (int64_t)value;
    else
        counts->reals[index - ints] = value;
}

static uint64_t named(const maker *m, const char *name) {
    if (strcmp(name, "?") == 0) return 77;
    uint64_t id = lm_id(name);
    lm_name(m->made, id, name);
    return id;
}

/* "NAME*40" to the name and 40. */
static int take_count(const maker *m, char *name) {
    char *star = strchr(name, '*');
    if (!star) return 1;
    *star = 0;
    return atoi(choose(m, star + 1));
}

static void one_record(const maker *m, int slot, const char *rank, char *name, int number, int count,
                       const lm_counts *counts) {
    char full[200], owner[200];
    bool ranks = strcmp(rank, "*") == 0;
    bool apart = !ranks || strchr(name, '%');
    size_t length = strcspn(name, "%");
    if (count > 1 && apart)
        snprintf(full, sizeof full, "%.*s%d", (int)length, name, number);
    else
        snprintf(full, sizeof full, "%.*s", (int)length, name);
    snprintf(owner, sizeof owner, "%.*s", (int)strcspn(full, ":"), full);
    unsigned version = lm_newest(slot);
    lm_fixed(lm_records(m->made, slot, version), slot, version, named(m, full), ranks ? number : atoll(rank),
             lm_id(owner), counts);
}

static void records_line(const maker *m, int slot, char *rest) {
    char *rank = strtok_r(rest, " ", &rest), *name = choose(m, strtok_r(rest, " ", &rest)), *word;
    int count = take_count(m, name);
    lm_counts *counts = calloc(1, sizeof *counts);
    while ((word = strtok_r(rest, " ", &rest))) set_counter(m, slot, counts, word);
    for (int i = 0; i < count; i++) one_record(m, slot, rank, name, i, count, counts);
    free(counts);
}

/* LUSTRE NAME STRIPE_SIZE COUNT[@FIRST] [OSTS]: the file is on COUNT OSTs from FIRST on; the file system has OSTS. */
static void lustre_line(const maker *m, char *rest) {
    int64_t osts[64];
    char *name = strtok_r(rest, " ", &rest);
    int count = 1;
    char *star = strchr(name, '*');
    if (star) {
        *star = 0;
        count = atoi(choose(m, star + 1));
    }
    int64_t stripe_size = atoll(strtok_r(rest, " ", &rest));
    char *where = choose(m, strtok_r(rest, " ", &rest)), *at = strchr(where, '@'), *all = strtok_r(rest, " ", &rest);
    size_t n_osts = (size_t)atoi(where);
    int64_t fs_osts = all ? atoll(choose(m, all)) : 96;
    for (int i = 0; i < 64; i++) osts[i] = i + (at ? atoi(at + 1) : 0);
    for (int i = 0; i < count; i++) {
        char full[200];
        if (count > 1)
            snprintf(full, sizeof full, "%s%d", name, i);
        else
            snprintf(full, sizeof full, "%s", name);
        lm_lustre_1_of(lm_records(m->made, LM_LUSTRE, 1), named(m, full), -1, fs_osts, stripe_size, osts, n_osts);
    }
}

static double next_number(const maker *m, char **rest) {
    char *word = strtok_r(*rest, " ", rest);
    assert_non_null(word);
    return atof(choose(m, word));
}

static void trace_line(const maker *m, char *rest) {
    int64_t rank = atoll(strtok_r(rest, " ", &rest));
    uint64_t id = named(m, strtok_r(rest, " ", &rest));
    bool write = strcmp(strtok_r(rest, " ", &rest), "w") == 0;
    size_t count = (size_t)next_number(m, &rest);
    double offset = next_number(m, &rest), step = next_number(m, &rest), length = next_number(m, &rest);
    double start = next_number(m, &rest), tick = next_number(m, &rest), duration = next_number(m, &rest);
    lm_segment *segments = calloc(count, sizeof *segments);
    for (size_t i = 0; i < count; i++) {
        double at = start + (double)i * tick;
        segments[i] = (lm_segment){(int64_t)(offset + (double)i * step), (int64_t)length, at, at + duration, 0};
    }
    lm_trace(lm_records(m->made, LM_DXT_POSIX, 1), id, rank, "node1", segments, write ? count : 0, write ? 0 : count,
             false);
    free(segments);
}

static void heat_line(const maker *m, char *rest) {
    int64_t rank = atoll(strtok_r(rest, " ", &rest));
    int64_t written[4] = {(int64_t)next_number(m, &rest)}, read[4] = {0};
    lm_heatmap(lm_records(m->made, LM_HEATMAP, 1), named(m, "heatmap:POSIX"), rank, 1.0, 4, written, read);
}

/* Text with '|' between quotes and ';' for the end of a line. */
static void hint_line(const maker *m, char *rest) {
    char text[400];
    size_t n = 0;
    char *bar = strchr(rest, '|'), *from = bar;
    while (bar && from > rest && !strchr("\"=:", from[-1])) from--;
    for (char *at = rest; *at && n < sizeof text - 1; at++) {
        if (bar && m->innocent && at == from) at = bar + 1;
        if (bar && !m->innocent && at == bar) at += strcspn(at, "\"};");
        if (!*at) break;
        text[n++] = *at == ';' ? '\n' : *at;
    }
    lm_trailer(m->made, "HINT", 0, text, n);
}

static void add_process(const maker *m, int rank, int start, int end, const char *out) {
    char text[300];
    int n =
        snprintf(text, sizeof text,
                 "{\"rank\":%d,\"pid\":7,\"parent\":1,\"start\":%d,\"end\":%d,\"ended\":\"exit\",\"command\":\"app\","
                 "\"stdout\":\"%s\"}\n",
                 rank, start, end, out);
    lm_trailer(m->made, "PROC", 0, text, (size_t)n);
}

/* A process of a run without MPI, whose standard output leads there; one that lived from here to there. */
static void process_line(const maker *m, char *rest) { add_process(m, 0, 0, 1, choose(m, rest)); }

static void life_line(const maker *m, char *rest) {
    int rank = atoi(strtok_r(rest, " ", &rest)), start = atoi(strtok_r(rest, " ", &rest));
    add_process(m, rank, start, atoi(rest), "/scratch/out");
}

static void folded_line(const maker *m, char *rest) {
    char text[100];
    int n = snprintf(text, sizeof text, "{\"POSIX\":%d}\n", atoi(rest));
    lm_trailer(m->made, "FOLD", 0, text, (size_t)n);
}

static void syncs_line(const maker *m, char *rest) {
    char text[100];
    int count = atoi(strtok_r(rest, " ", &rest));
    int n = snprintf(text, sizeof text, "{\"sync\":{\"count\":%d,\"failed\":0,\"time\":%s,\"slowest\":1}}\n", count,
                     choose(m, rest));
    lm_trailer(m->made, "OPER", 0, text, (size_t)n);
}

static void meta_line(maker *m, char *rest) {
    char *equals = strchr(rest, '=');
    *equals = 0;
    snprintf(m->metadata, sizeof m->metadata, "lib_ver=3.5.0\n%s=%s\n", rest, choose(m, equals + 1));
    m->made->metadata = m->metadata;
}

static void read_line(maker *m, char *line) {
    char *rest = line, *word = strtok_r(rest, " ", &rest);
    if (!word) return;
    if (strcmp(word, "job") == 0) {
        m->made->processes = atoll(choose(m, strtok_r(rest, " ", &rest)));
        m->made->end = m->made->start + atoll(strtok_r(rest, " ", &rest));
    } else if (strcmp(word, "partial") == 0) {
        if (atoi(choose(m, strtok_r(rest, " ", &rest)))) m->made->partial_flags |= 1u << LM_POSIX;
    } else if (strcmp(word, "version") == 0) {
        m->made->slots[LM_POSIX].version = (uint32_t)atoi(choose(m, rest));
    } else if (strcmp(word, "nodes") == 0) {
        m->nodes = atof(rest);
    } else if (strcmp(word, "meta") == 0) {
        meta_line(m, rest);
    } else if (strcmp(word, "HINT") == 0) {
        hint_line(m, rest);
    } else if (strcmp(word, "PROC") == 0) {
        process_line(m, rest);
    } else if (strcmp(word, "LIFE") == 0) {
        life_line(m, rest);
    } else if (strcmp(word, "FOLD") == 0) {
        folded_line(m, rest);
    } else if (strcmp(word, "OPER") == 0) {
        syncs_line(m, rest);
    } else if (strcmp(word, "lost") == 0) { /* bytes at the end of POSIX: behind all of its records */
        m->made->slots[LM_POSIX].payload.length -= (size_t)atoi(choose(m, rest));
    } else if (strcmp(word, "LUSTRE") == 0) {
        lustre_line(m, rest);
    } else if (strcmp(word, "TRACE") == 0) {
        trace_line(m, rest);
    } else if (strcmp(word, "HEAT") == 0) {
        heat_line(m, rest);
    } else {
        records_line(m, slot_of(word), rest);
    }
}

static double told_nodes; /* by the last log that was made */

static opened log_of(const char *text, bool innocent) {
    maker m = {.made = lm_new(41, false, LM_ZLIB), .innocent = innocent};
    m.made->text = "/opt/app/bin/solver -n 4\next4\t/\nlustre\t/scratch\nnfs\t/home";
    m.made->start = 1000000;
    m.made->end = 1000100;
    m.made->start_ns = m.made->end_ns = 0;
    char *copy = strdup(text), *rest = copy, *line;
    while ((line = strtok_r(rest, "\n", &rest))) read_line(&m, line);
    free(copy);
    told_nodes = m.nodes;
    return opened_from(m.made);
}

/* Asking ------------------------------------------------------------------------------------------------------ */

static iol__rulebook *book;

static iol__diagnosis *diagnose(const opened *o, const char *context) {
    iol__diagnose_options options = {.rulebook = book, .context = context, .evidence = 10, .nodes = told_nodes};
    iol__diagnosis *d = NULL;
    assert_int_equal(iol__diagnose(o->log, &options, &d, NULL), IOL_OK);
    return d;
}

static const iol__finding *find(const iol__diagnosis *d, const char *id) {
    for (size_t i = 0; i < d->n_findings; i++)
        if (strcmp(d->findings[i].id, id) == 0) return &d->findings[i];
    return NULL;
}

static void list_found(const iol__diagnosis *d) {
    for (size_t i = 0; i < d->n_findings; i++) print_message("  %s: %s\n", d->findings[i].id, d->findings[i].title);
}

static void check_sane(const iol__finding *f) {
    assert_null(strchr(f->title, '{'));
    assert_null(strchr(f->title, '?'));
    assert_null(strstr(f->title, "nan"));
    assert_true(f->confidence.value > 0 && f->confidence.value <= 1);
    if (f->costed && f->cost.known) {
        assert_true(f->cost.low <= f->cost.best && f->cost.best <= f->cost.high);
        assert_true(f->cost.low >= 0);
    }
    for (size_t i = 0; i < f->n_advice; i++) {
        assert_null(strchr(f->advice[i].text, '@'));
        assert_null(strchr(f->advice[i].check, '@'));
    }
}

static void each_rule_finds_its_sin(void **state) {
    (void)state;
    int missed = 0;
    for (size_t i = 0; i < sizeof sins / sizeof *sins; i++) {
        opened o = log_of(sins[i].log, false);
        iol__diagnosis *d = diagnose(&o, sins[i].context);
        const iol__finding *f = find(d, sins[i].id);
        if (f) {
            check_sane(f);
        } else {
            print_error("%s was not found, but:\n", sins[i].id);
            list_found(d);
            missed++;
        }
        iol__diagnosis_free(d);
        opened_close(&o);
    }
    assert_int_equal(missed, 0);
}

static void each_rule_leaves_the_innocent(void **state) {
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof sins / sizeof *sins; i++) {
        if (!strchr(sins[i].log, '|')) continue;
        opened o = log_of(sins[i].log, true);
        iol__diagnosis *d = diagnose(&o, sins[i].context);
        if (find(d, sins[i].id))
            print_error("%s was found where it is not: %s\n", sins[i].id, find(d, sins[i].id)->title);
        wrong += find(d, sins[i].id) != NULL;
        iol__diagnosis_free(d);
        opened_close(&o);
    }
    assert_int_equal(wrong, 0);
}

/* A rule without a test is a claim. */
static void every_rule_has_a_sin(void **state) {
    (void)state;
    iol__rule_info info;
    for (size_t r = 0; iol__rulebook_rule(book, r, &info); r++) {
        bool found = false;
        for (size_t i = 0; i < sizeof sins / sizeof *sins; i++) found = found || strcmp(sins[i].id, info.id) == 0;
        if (!found) fail_msg("%s has no test", info.id);
    }
}

/* Causes, costs, levels --------------------------------------------------------------------------------------- */

static const char *sin_log(const char *id) {
    for (size_t i = 0; i < sizeof sins / sizeof *sins; i++)
        if (strcmp(sins[i].id, id) == 0) return sins[i].log;
    fail_msg("no sin %s", id);
    return NULL;
}

static void one_cause_gives_one_finding(void **state) {
    (void)state;
    static const struct {
        const char *cause, *silent;
    } pairs[] = {
        {"posix.fsync.heavy", "posix.small.write"},  {"mpiio.collective.none.write", "posix.small.shared.write"},
        {"hdf5.fill", "posix.redundant.write"},      {"posix.readall", "posix.redundant.read"},
        {"dl.epoch.reread", "posix.redundant.read"}, {"mpiio.aggregators.funnel", "posix.balance.time"},
        {"stdio.redundant.read", "stdio.tiny"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        opened o = log_of(sin_log(pairs[i].cause), false);
        iol__diagnosis *d = diagnose(&o, NULL);
        assert_non_null(find(d, pairs[i].cause));
        if (find(d, pairs[i].silent)) fail_msg("%s is found beside %s", pairs[i].silent, pairs[i].cause);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

static double cost_of(const char *log, const char *id) {
    opened o = log_of(log, false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, id);
    if (!f) fail_msg("%s was not found", id);
    double best = f ? f->cost.best : NAN;
    iol__diagnosis_free(d);
    opened_close(&o);
    return best;
}

#define SMALL_AND_SYNCED(max, syncs)                                                                          \
    "POSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=20000 POSIX_BYTES_WRITTEN=81920000 POSIX_F_WRITE_TIME=20 " \
    "POSIX_SIZE_WRITE_1K_10K=20000 POSIX_SEQ_WRITES=20000 POSIX_MAX_BYTE_WRITTEN=" max " POSIX_FSYNCS=" syncs

/* Time in syncs is not saved by other writes; where it is most of the time, it is what is told. */
static void syncs_are_not_blamed_on_writes(void **state) {
    (void)state;
    opened o = log_of("job 1 100\nOPER 200 19\n" SMALL_AND_SYNCED("40959999", "200"), false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.fsync.heavy");
    assert_non_null(f);
    assert_non_null(strstr(f->note, "19.0 s of the 20.0 s"));
    assert_non_null(strstr(f->note, "written again"));
    assert_true(f->cost.best > 18.8 && f->cost.best < 19);
    assert_null(find(d, "posix.small.write"));
    assert_null(find(d, "posix.redundant.write"));
    iol__diagnosis_free(d);
    opened_close(&o);
    /* Few syncs: the writes are told, but what they cost is without the syncs' 5 s. */
    static const struct {
        const char *id, *plain, *told;
    } costs[] = {{"posix.small.write", "job 1 100\n" SMALL_AND_SYNCED("81919999", "99"),
                  "job 1 100\nOPER 99 5\n" SMALL_AND_SYNCED("81919999", "99")},
                 {"posix.redundant.write", "job 1 100\n" SMALL_AND_SYNCED("40959999", "99"),
                  "job 1 100\nOPER 99 5\n" SMALL_AND_SYNCED("40959999", "99")}};
    for (int i = 0; i < 2; i++) {
        double plain = cost_of(costs[i].plain, costs[i].id), told = cost_of(costs[i].told, costs[i].id);
        if (!(plain > 0 && fabs(told / plain - 0.75) < 0.01)) fail_msg("%s: %g, %g", costs[i].id, plain, told);
    }
}

/* A log that lacks a part is never called clean, and what is found in the rest is less certain. */
static void damage_is_told(void **state) {
    (void)state;
    static const struct {
        const char *lines, *sentence;
    } logs[] = {
        {"POSIX 0 /a POSIX_OPENS=1\nlost 8", "The log is damaged: POSIX cannot be read."},
        {"POSIX 0 /a POSIX_OPENS=1 POSIX_READS=2\nPOSIX 0 /b POSIX_OPENS=1\nlost 8",
         "The log is damaged: of POSIX only a part can be read."},
    };
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        opened o = log_of(logs[i].lines, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        assert_true(d->damaged);
        assert_true(d->n_quality > 0);
        assert_string_equal(d->quality[0], logs[i].sentence);
        assert_string_equal(find(d, "data.partial")->title, "The log is damaged: data of one module is missing");
        assert_int_equal(find(d, "data.partial")->n_advice, 0); /* memory would not have helped */
        assert_null(find(d, "job.io.none"));
        assert_null(find(d, "data.unreadable"));
        for (size_t f = 0; f < d->n_findings; f++)
            if (strncmp(d->findings[f].id, "data.", 5) != 0) assert_true(d->findings[f].confidence.data <= 0.6);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
    opened o = log_of("POSIX 0 /a POSIX_OPENS=1 POSIX_READS=2", false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_false(d->damaged);
    assert_int_equal(d->n_quality, 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* What the head says fits together: bytes by time is the rate, also where threads add up to more than the run. */
static void the_rate_is_bytes_over_time(void **state) {
    (void)state;
    opened o = log_of(
        "job 1 100\nPOSIX 0 /a" IO(
            "10", "1000", "999", "700") "\n"
                                        "STDIO 0 <STDOUT> STDIO_WRITES=5 STDIO_BYTES_WRITTEN=500 STDIO_F_WRITE_TIME=1",
        false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_true(d->io_time == 100);
    assert_true(d->bytes_read == 0 && d->bytes_written == 1500);
    assert_true(fabs(d->rate - 15) < 1e-9);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* The example of the specification: one aggregator, 43 GB, 750 s. */
static void a_funnel_costs_what_spreading_would_save(void **state) {
    (void)state;
    opened o = log_of(sin_log("mpiio.aggregators.funnel"), false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "mpiio.aggregators.funnel");
    assert_int_equal(f->level, IOL_LEVEL_HIGH);
    assert_float_equal(f->cost.best, 750 * (1 - 1.0 / 4), 1);
    assert_ptr_equal(f, &d->findings[0]);
    assert_int_equal(f->evidence[0].kind, IOL_EVIDENCE_FILE);
    assert_int_equal(f->evidence[1].kind, IOL_EVIDENCE_RECORD);
    assert_string_equal(f->evidence[1].figures[2].name, "POSIX_F_SLOWEST_RANK_TIME");
    assert_float_equal(f->evidence[1].figures[2].value, 700, 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Files of different ranks are used side by side: their costs do not add up. */
static void costs_of_ranks_are_not_added(void **state) {
    (void)state;
    opened o = log_of("job 8 100\nPOSIX * /scratch/own%*8 POSIX_OPENS=1 POSIX_WRITES=2000 POSIX_SEQ_WRITES=1999 "
                      "POSIX_BYTES_WRITTEN=20000 "
                      "POSIX_SIZE_WRITE_0_100=2000 POSIX_F_WRITE_TIME=30\n"
                      "POSIX * /scratch/large%*8 POSIX_OPENS=1 POSIX_READS=10 POSIX_BYTES_READ=100000000 "
                      "POSIX_SIZE_READ_4M_10M=10 POSIX_F_READ_TIME=60",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.small.write");
    assert_non_null(f);
    assert_float_equal(f->cost.best, 30, 0.1);
    assert_int_equal(f->subject_count, 8);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Less than a tenth of a second is nobody's problem, and a job of a few seconds has no serious one. */
static void small_losses_and_short_jobs(void **state) {
    (void)state;
    static const struct {
        const char *seconds, *time;
        iol__level level;
    } cases[] = {{"100", "50", IOL_LEVEL_HIGH},
                 {"100", "5", IOL_LEVEL_WARN},
                 {"100", "1", IOL_LEVEL_INFO},
                 {"9", "5", IOL_LEVEL_WARN},
                 {"1", "0.09", IOL_LEVEL_INFO}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "job 1 %s\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=2000 POSIX_SEQ_WRITES=1999 "
                 "POSIX_BYTES_WRITTEN=20000 "
                 "POSIX_SIZE_WRITE_0_100=2000 POSIX_F_WRITE_TIME=%s",
                 cases[i].seconds, cases[i].time);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "posix.small.write");
        assert_non_null(f);
        if (f->level != cases[i].level)
            fail_msg("%s s of %s s: %s", cases[i].time, cases[i].seconds, iol__level_name(f->level));
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

static void without_times_the_fallback_counts(void **state) {
    (void)state;
    opened o = log_of(
        "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=2000 POSIX_SEQ_WRITES=1999 POSIX_BYTES_WRITTEN=20000 "
        "POSIX_SIZE_WRITE_0_100=2000",
        false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.small.write");
    assert_non_null(f);
    assert_false(f->cost.known);
    assert_int_equal(f->level, IOL_LEVEL_HIGH);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Requests of exactly 1 MiB are not small, although they are in the same bin. */
static void one_mebibyte_is_not_small(void **state) {
    (void)state;
    opened o = log_of("job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=5000 POSIX_BYTES_WRITTEN=5242880000 "
                      "POSIX_SIZE_WRITE_100K_1M=5000 POSIX_ACCESS1_ACCESS=1048576 POSIX_ACCESS1_COUNT=5000 "
                      "POSIX_F_WRITE_TIME=50",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_null(find(d, "posix.small.write"));
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Times that cannot be make a question of what rests on them. */
static void doubtful_times_make_questions(void **state) {
    (void)state;
    opened o = log_of("job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_STATS=5000 POSIX_F_META_TIME=5000", false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.meta.time");
    assert_non_null(find(d, "data.time.implausible"));
    assert_non_null(f);
    assert_int_equal(f->level, IOL_LEVEL_INFO);
    assert_int_equal(strncmp(f->title, "Is this so?", 11), 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* What is found of one phase goes with what was found of the whole run, if that is about the same file. */
static void a_closer_look_joins_the_finding(void **state) {
    (void)state;
    opened o = log_of("job 4 100\nPOSIX -1 /scratch/a POSIX_OPENS=4 POSIX_WRITES=3200 POSIX_BYTES_WRITTEN=5036000000 "
                      "POSIX_SEQ_WRITES=3196 POSIX_SIZE_WRITE_1K_10K=1200 POSIX_SIZE_WRITE_1M_4M=2000 "
                      "POSIX_F_WRITE_TIME=60 POSIX_F_SLOWEST_RANK_TIME=40\n"
                      "TRACE 0 /scratch/a w 500 0 8388608 2097152 1 0.02 0.02\n"
                      "TRACE 1 /scratch/a w 500 2097152 8388608 2097152 1 0.02 0.02\n"
                      "TRACE 2 /scratch/a w 500 4194304 8388608 2097152 1 0.02 0.02\n"
                      "TRACE 3 /scratch/a w 500 6291456 8388608 2097152 1 0.02 0.02\n"
                      "TRACE 1 /scratch/a w 100 8000000000 3072 3072 60 0.02 0.02\n"
                      "TRACE 3 /scratch/a w 1100 9000000000 3072 3072 60 0.02 0.02",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.small.shared.write");
    assert_non_null(f);
    assert_null(find(d, "phase.small.write"));
    assert_non_null(f->note);
    assert_non_null(strstr(f->note, "1 of 4 ranks issue 92% of the 3 KiB writes to a"));
    const iol__evidence *range = NULL;
    for (size_t i = 0; i < f->n_evidence; i++)
        if (f->evidence[i].kind == IOL_EVIDENCE_TIMERANGE) range = &f->evidence[i];
    assert_non_null(range);
    assert_string_equal(range->ranks, "3");
    assert_float_equal(range->t0, 60, 1e-9);
    assert_float_equal(range->t1, 82, 0.1);
    assert_string_equal(range->name, "/scratch/a");
    iol__diagnosis_free(d);
    opened_close(&o);
}

static double figure_of(const iol__finding *f, const char *name) {
    for (size_t i = 0; i < f->n_figures; i++)
        if (strcmp(f->figures[i].name, name) == 0) return f->figures[i].value;
    fail_msg("%s has no figure %s", f->id, name);
    return NAN;
}

/* All requests are in one bin of the profile; the trace knows which of them are below 1 MiB, and how far below. */
static void a_trace_counts_small_requests(void **state) {
    (void)state;
    static const char *const traces[] = {"TRACE 0 /scratch/a r 3000 0 300000 300000 1 0.01 0.01\n"
                                         "TRACE 0 /scratch/a r 1000 900000000 1048576 1048576 40 0.01 0.01",
                                         "TRACE 0 /scratch/a r 3999 0 300000 300000 1 0.01 0.01"};
    static const double expected[] = {3000, 4000}; /* the second is no complete trace: bins count */
    for (int i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_READS=4000 POSIX_BYTES_READ=1948576000 "
                 "POSIX_SEQ_READS=3999 POSIX_MAX_BYTE_READ=1948575999 POSIX_SIZE_READ_100K_1M=4000 "
                 "POSIX_F_READ_TIME=40\n%s",
                 traces[i]);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "posix.small.read");
        assert_non_null(f);
        assert_float_equal(figure_of(f, "small_reads"), expected[i], 0);
        if (i == 0) assert_float_equal(figure_of(f, "small_read_mean"), 300000, 0);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* The stripe that a write ends in counts as much as the one it begins in. */
static void locks_travel_at_both_ends(void **state) {
    (void)state;
    opened o = log_of("job 2 10\nLUSTRE /scratch/a 1048576 4\nPOSIX -1 /scratch/a POSIX_WRITES=202 "
                      "POSIX_BYTES_WRITTEN=158866000 POSIX_F_WRITE_TIME=2\n"
                      "TRACE 0 /scratch/a w 101 0 3145728 1572864 1 0.01 0.001\n"
                      "TRACE 1 /scratch/a w 101 1600000 3145728 100 1.005 0.01 0.001",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "lustre.lock.conflict");
    assert_non_null(f);
    assert_float_equal(figure_of(f, "lock_conflicts"), 101, 0);
    assert_float_equal(figure_of(f, "lock_writes"), 202, 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Evenly spread over four OSTs by the profile; by the trace all of it goes to the first stripe. */
static void a_trace_knows_the_busiest_ost(void **state) {
    (void)state;
    for (int traced = 0; traced < 2; traced++) {
        char text[400];
        snprintf(text, sizeof text,
                 "job 1 100\nLUSTRE /scratch/a 1048576 4\nPOSIX 0 /scratch/a POSIX_WRITES=104 "
                 "POSIX_BYTES_WRITTEN=104000000 POSIX_F_WRITE_TIME=50\n%s",
                 traced ? "TRACE 0 /scratch/a w 101 0 4194304 1048576 1 0.1 0.1\n"
                          "TRACE 0 /scratch/a w 3 1048576 1048576 1048576 50 0.1 0.1"
                        : "");
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "lustre.ost.skew");
        assert_int_equal(f != NULL, traced);
        if (f) assert_float_equal(figure_of(f, "ost_most"), 101.0F / 26, 1e-5);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

static size_t records_in(const iol__finding *f) {
    size_t n = 0;
    for (size_t i = 0; i < f->n_evidence; i++) n += f->evidence[i].kind == IOL_EVIDENCE_RECORD;
    return n;
}

static const iol__advice *advice_of(const iol__finding *f, const char *action) {
    for (size_t i = 0; i < f->n_advice; i++)
        if (strcmp(f->advice[i].action, action) == 0) return &f->advice[i];
    return NULL;
}

static bool tells(const iol__diagnosis *d, const char *part) {
    for (size_t i = 0; i < d->n_cannot_tell; i++)
        if (strstr(d->cannot_tell[i], part)) return true;
    return false;
}

/* The ranks that wait for an OST are no stragglers; what it costs is what the slowest of them took more than usual. */
static void a_slow_ost_is_named(void **state) {
    (void)state;
    for (int innocent = 0; innocent < 2; innocent++) {
        opened o = log_of(sin_log("lustre.ost.slow"), innocent);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "lustre.ost.slow");
        assert_int_equal(f != NULL, !innocent);
        assert_int_equal(find(d, "posix.balance.ranks") != NULL, innocent);
        assert_int_equal(tells(d, "slow disks are unknown"), innocent);
        if (f) {
            assert_ptr_equal(f, &d->findings[0]);
            assert_non_null(strstr(f->title, "OST 9 is slow: 2 files on it took 30.5 s"));
            assert_float_equal(figure_of(f, "ost_slow"), 9, 0);
            assert_float_equal(figure_of(f, "ost_slow_rank"), 1, 0);
            assert_float_equal(figure_of(f, "ost_slow_ranks"), 2, 0);
            assert_float_equal(f->cost.best, 30, 1e-6);
            assert_string_equal(f->evidence[0].name, "/scratch/s1");
            assert_int_equal(records_in(f), 2);
            assert_non_null(strstr(advice_of(f, "avoid_ost")->code, "--ost 9 "));
            assert_non_null(strstr(advice_of(f, "report_ost")->code, "OST0009"));
        }
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* Each file is on two OSTs. Those beside the slow one share files with it, and are well. */
static void neighbours_of_a_slow_ost_are_well(void **state) {
    (void)state;
    char text[4000];
    int n = snprintf(text, sizeof text, "job 24 100\n");
    for (int i = 0; i < 24; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "LUSTRE /scratch/%d 1048576 2@%d\nPOSIX %d /scratch/%d" TEN_MB "%d\n", i, i % 8, i, i,
                      i % 8 == 4 || i % 8 == 5 ? 40 : 2);
    opened o = log_of(text, false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "lustre.ost.slow");
    assert_non_null(f);
    assert_float_equal(figure_of(f, "ost_slow"), 5, 0);
    assert_float_equal(figure_of(f, "ost_slow_count"), 1, 0);
    assert_float_equal(figure_of(f, "ost_slow_ranks"), 6, 0);
    assert_float_equal(f->cost.best, 38, 1e-6);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Title, advice and check name one stripe count, and what one finding advises the next does not repeat. */
static void one_stripe_count_is_advised_once(void **state) {
    (void)state;
    opened o =
        log_of("job 64 1000\nnodes 1\nLUSTRE /scratch/a 1048576 4 24\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400 "
               "MPIIO_BYTES_WRITTEN=214748364800 MPIIO_F_WRITE_TIME=45000 MPIIO_F_SLOWEST_RANK_TIME=750\n"
               "POSIX -1 /scratch/a POSIX_WRITES=204800 POSIX_BYTES_WRITTEN=214748364800 "
               "POSIX_MAX_BYTE_WRITTEN=214748364799 POSIX_SIZE_WRITE_1M_4M=204800 POSIX_F_WRITE_TIME=40000 "
               "POSIX_F_SLOWEST_RANK_TIME=700",
               false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "lustre.stripe.narrow"), *many = find(d, "mpiio.aggregators.many");
    assert_non_null(f);
    assert_non_null(many);
    assert_float_equal(figure_of(f, "recommended_stripes"), 16, 0);
    assert_non_null(strstr(f->title, "16 would suit"));
    assert_non_null(strstr(advice_of(f, "stripe")->code, "setstripe -c 16 "));
    assert_non_null(strstr(advice_of(f, "stripe")->check, "becomes 16"));
    assert_non_null(advice_of(f, "hints"));
    assert_int_equal(many->n_advice, 1);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* POSIX_STRIDE is a gap. Four processes take turns with 4000 pieces of 512 bytes, one every 2048. */
static void a_file_view_fits_the_pieces(void **state) {
    (void)state;
    static const struct {
        const char *process, *way, *call;
    } cases[] = {
        {"", "WRITE", "MPI_File_write_all("}, {"", "READ", "MPI_File_read_all("}, {"PROC /x\n", "WRITE", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        const char *way = cases[i].way, *done = strcmp(way, "READ") == 0 ? "READ" : "WRITTEN";
        snprintf(text, sizeof text,
                 "job 4 100\n%sPOSIX -1 /scratch/a POSIX_%sS=16000 POSIX_BYTES_%s=8192000 POSIX_MAX_BYTE_%s=8191999 "
                 "POSIX_SIZE_%s_100_1K=16000 POSIX_STRIDE1_STRIDE=1536 POSIX_STRIDE1_COUNT=15996 "
                 "POSIX_ACCESS1_ACCESS=512 POSIX_ACCESS1_COUNT=16000 POSIX_F_%s_TIME=40",
                 cases[i].process, way, done, done, way, way);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "posix.strided");
        assert_non_null(f);
        assert_non_null(strstr(f->title, "512 B every 2 KiB"));
        const iol__advice *view = advice_of(f, "file_view");
        assert_int_equal(view != NULL, cases[i].call != NULL);
        if (view) assert_non_null(strstr(view->code, "MPI_Type_vector(4000, 512, 2048, MPI_BYTE"));
        if (view && cases[i].call) assert_non_null(strstr(view->code, cases[i].call));
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* The advice of a finding: what it must say, and what it must not. */
static void snippets_fit_what_was_done(void **state) {
    (void)state;
    static const struct {
        const char *log, *id, *action, *has, *lacks;
    } cases[] = {
        {"job 1 100\nSTDIO 0 /scratch/a STDIO_WRITES=2000 STDIO_BYTES_WRITTEN=8191999 STDIO_MAX_BYTE_WRITTEN=8191998 "
         "STDIO_F_WRITE_TIME=40",
         "stdio.tiny", "setvbuf", "setvbuf(f", "\"rb\""},
        {"job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=9000 POSIX_CONSEC_WRITES=60 "
         "POSIX_SEQ_WRITES=8999 POSIX_BYTES_WRITTEN=9000000 POSIX_MAX_BYTE_WRITTEN=99999999 "
         "POSIX_SIZE_WRITE_100_1K=9000 POSIX_F_WRITE_TIME=50",
         "posix.small.write", "sort_writes", "pwritev(", "flush_pending"},
        {"job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=9000 POSIX_CONSEC_WRITES=8999 "
         "POSIX_SEQ_WRITES=8999 POSIX_BYTES_WRITTEN=9000000 POSIX_MAX_BYTE_WRITTEN=8999999 "
         "POSIX_SIZE_WRITE_100_1K=9000 POSIX_F_WRITE_TIME=50",
         "posix.small.write", "buffer", "flush_pending", "pwritev("},
        {"job 4 100\nMPI-IO -1 /scratch/it's MPIIO_INDEP_WRITES=1001 MPIIO_BYTES_WRITTEN=1001000 "
         "MPIIO_F_WRITE_TIME=80 MPIIO_F_SLOWEST_RANK_TIME=20\nPOSIX -1 /scratch/it's POSIX_WRITES=1001 "
         "POSIX_BYTES_WRITTEN=1001000 POSIX_SIZE_WRITE_100_1K=1001 POSIX_F_WRITE_TIME=80",
         "mpiio.collective.none.write", "collective_write_fortran", "'/scratch/it''s'", "'data'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opened o = log_of(cases[i].log, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, cases[i].id);
        assert_non_null(f);
        const iol__advice *advice = advice_of(f, cases[i].action);
        const char *code = advice ? advice->code : "";
        if (!strstr(code, cases[i].has)) fail_msg("%s does not advise %s", cases[i].id, cases[i].action);
        assert_null(strstr(code, cases[i].lacks));
        iol__diagnosis_free(d);
        opened_close(&o);
    }
    opened o = log_of("job 4 100\nSTDIO -1 /scratch/a STDIO_OPENS=4 STDIO_READS=5000 STDIO_BYTES_READ=40000000 "
                      "STDIO_MAX_BYTE_READ=9999999 STDIO_F_READ_TIME=40 STDIO_F_SLOWEST_RANK_TIME=10",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "stdio.redundant.read");
    assert_non_null(f);
    assert_string_equal(advice_of(f, "broadcast_read")->check, "STDIO_BYTES_READ falls to 10000000");
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* The same requests are one finding, and what may have cost nothing is not HIGH. */
static void metadata_of_a_format_is_one_finding(void **state) {
    (void)state;
    opened o = log_of("job 4 100\nPOSIX -1 /scratch/a.h5 POSIX_READS=63488 POSIX_BYTES_READ=6348800 "
                      "POSIX_SIZE_READ_0_100=63488 POSIX_F_READ_TIME=80 POSIX_F_SLOWEST_RANK_TIME=20",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.small.shared.read");
    assert_non_null(f);
    assert_null(find(d, "hdf5.meta.small"));
    assert_non_null(advice_of(f, "hdf5_metadata"));
    assert_non_null(strstr(f->note, "63,488 requests"));
    iol__diagnosis_free(d);
    opened_close(&o);
    o = log_of("job 4 100\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=10 MPIIO_BYTES_WRITTEN=1000 MPIIO_F_WRITE_TIME=400 "
               "MPIIO_F_SLOWEST_RANK_TIME=100\nPOSIX -1 /scratch/a POSIX_WRITES=10 POSIX_BYTES_WRITTEN=1000 "
               "POSIX_F_WRITE_TIME=20 POSIX_F_SLOWEST_RANK_TIME=5",
               false);
    d = diagnose(&o, NULL);
    f = find(d, "mpiio.wait");
    assert_non_null(f);
    assert_true(f->cost.share > 0.4);
    assert_int_equal(f->level, IOL_LEVEL_WARN);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* What a finding rests on can be looked up in the log. */
static void findings_name_their_records(void **state) {
    (void)state;
    static const char *const ids[] = {"lustre.stripe.narrow", "mpiio.aggregators.many", "mpiio.wait", "hdf5.meta.small",
                                      "fs.slow.target"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        opened o = log_of(sin_log(ids[i]), false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, ids[i]);
        assert_non_null(f);
        if (!records_in(f)) fail_msg("%s names no record", ids[i]);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
    /* Bulk data through streams has no POSIX record. */
    opened o = log_of(
        "job 1 100\nSTDIO 0 /home/u/a STDIO_WRITES=100 STDIO_BYTES_WRITTEN=67108864 STDIO_F_WRITE_TIME=20", false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "fs.slow.target");
    assert_non_null(f);
    assert_int_equal(records_in(f), 1);
    const iol__evidence *record = &f->evidence[1];
    assert_string_equal(record->module, "STDIO");
    assert_string_equal(record->figures[1].name, "STDIO_BYTES_WRITTEN");
    assert_float_equal(record->figures[1].value, 67108864, 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* One file behind the other; what runs beside them is not on the list. */
static void the_covering_set_is_the_smallest(void **state) {
    (void)state;
    opened o = log_of("job 3 100\nPOSIX 0 /scratch/first POSIX_WRITES=10\nPOSIX 1 /scratch/beside POSIX_WRITES=8\n"
                      "POSIX 2 /scratch/last POSIX_WRITES=11\nPOSIX 2 /scratch/other POSIX_WRITES=1\n"
                      "TRACE 0 /scratch/first w 10 0 100 100 1 1 1\nTRACE 1 /scratch/beside w 8 0 100 100 1 1 1\n"
                      "TRACE 2 /scratch/last w 11 0 100 100 9 1 1",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    assert_int_equal(d->phases.n_covering, 2);
    assert_int_equal(d->phases.kept_covering, 2);
    assert_string_equal(d->phases.covering[0].name, "/scratch/first");
    assert_float_equal(d->phases.covering[0].seconds, 10, 1e-9);
    assert_string_equal(d->phases.covering[1].name, "/scratch/last");
    assert_float_equal(d->phases.covering[1].seconds, 9, 1e-9);
    const iol__finding *f = find(d, "phase.covering");
    assert_non_null(f);
    assert_int_equal(f->subject_count, 2);
    assert_string_equal(f->evidence[0].name, "/scratch/first");
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* A complete trace tells which ranks moved nothing. */
static void a_complete_trace_knows_idle_ranks(void **state) {
    (void)state;
    for (int writes = 1; writes < 3; writes++) {
        char text[300];
        snprintf(text, sizeof text,
                 "job 4 100\nPOSIX 0 /scratch/a POSIX_WRITES=%d POSIX_BYTES_WRITTEN=100\n"
                 "TRACE 0 /scratch/a w 1 0 100 100 1 1 1",
                 writes);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        if (writes == 1) {
            assert_non_null(find(d, "rank.idle"));
            assert_float_equal(d->phases.idle_ranks, 3, 0);
        } else {
            assert_null(find(d, "rank.idle"));
        }
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* Ten processes that read the same for a second each: side by side they wait a second, one behind the other ten. */
static void processes_in_turn_wait_in_turn(void **state) {
    (void)state;
    for (int in_turn = 0; in_turn < 2; in_turn++) {
        double seconds = in_turn ? 10 : 1, saved = 0.9 * seconds;
        char text[6000] = "job 10 20\n";
        for (int i = 0; i < 10; i++) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used,
                     "LIFE %d %d %d\nPOSIX %d /data/genome POSIX_OPENS=1 POSIX_READS=20 POSIX_SEQ_READS=19 "
                     "POSIX_BYTES_READ=20000000 POSIX_MAX_BYTE_READ=19999999 POSIX_SIZE_READ_1M_4M=20 "
                     "POSIX_F_READ_TIME=1\n",
                     i, in_turn ? 2 * i : 0, in_turn ? 2 * i + 1 : 2, i);
        }
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        const iol__finding *f = find(d, "posix.readall");
        assert_non_null(f);
        assert_non_null(strstr(f->title, "Each of 10 processes"));
        assert_float_equal(d->io_time, seconds, 1e-9);
        assert_float_equal(f->cost.best, saved, 1e-6);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

/* The record that stands for all files beyond the recorder's memory is no file. */
static void folded_files_are_counted_not_judged(void **state) {
    (void)state;
    opened o = log_of("job 1 100\nFOLD 5000\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_F_META_TIME=1\n"
                      "POSIX 0 <FOLDED> POSIX_OPENS=5000 POSIX_WRITES=5000 POSIX_BYTES_WRITTEN=500000000 "
                      "POSIX_MAX_BYTE_WRITTEN=99999 POSIX_F_META_TIME=20",
                      false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, "posix.files.many");
    assert_non_null(f);
    assert_float_equal(figure_of(f, "files"), 5001, 0);
    assert_true(f->cost.best > 20);
    assert_null(find(d, "posix.open.repeat"));
    assert_null(find(d, "posix.redundant.write"));
    iol__diagnosis_free(d);
    opened_close(&o);
}

/* Hints come from outside: whatever they are, the rest of the log is judged. */
static void any_hints_are_survived(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "{",
                                        "{\"file\":",
                                        "{\"hints\":{\"hints\":{\"cb_nodes\":\"4\"}}}",
                                        "=",
                                        "file=",
                                        "cb_nodes=1e999",
                                        "{\"file\":5,\"cb_nodes\":null}",
                                        ";;{};=;file=/scratch/a;=="};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[300];
        snprintf(text, sizeof text, "job 4 100\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400\nHINT %s", texts[i]);
        opened o = log_of(text, false);
        iol__diagnosis *d = diagnose(&o, NULL);
        assert_non_null(find(d, "mpiio.collective.used.write"));
        assert_null(find(d, "mpiio.hints.few"));
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

static void findings_never_cost_more_than_io_took(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sins / sizeof *sins; i++) {
        opened o = log_of(sins[i].log, false);
        iol__diagnosis *d = diagnose(&o, sins[i].context);
        double sum = 0;
        for (size_t k = 0; k < d->n_findings; k++) sum += d->findings[k].cost.best;
        if (d->io_time > 0 && sum > d->io_time * 1.000001) fail_msg("%s: %g of %g s", sins[i].id, sum, d->io_time);
        iol__diagnosis_free(d);
        opened_close(&o);
    }
}

static void selection_by_glob_and_level(void **state) {
    (void)state;
    static const char *const only[] = {"posix.small.*", NULL}, *const skip[] = {"P06", NULL};
    opened o = log_of(sin_log("posix.small.write"), false);
    iol__diagnose_options options = {.rulebook = book, .only = only};
    iol__diagnosis *d;
    assert_int_equal(iol__diagnose(o.log, &options, &d, NULL), IOL_OK);
    assert_int_equal(d->n_findings, 1);
    iol__diagnosis_free(d);
    options = (iol__diagnose_options){.rulebook = book, .skip = skip};
    assert_int_equal(iol__diagnose(o.log, &options, &d, NULL), IOL_OK);
    assert_null(find(d, "posix.small.write"));
    assert_non_null(find(d, "posix.mix"));
    iol__diagnosis_free(d);
    options = (iol__diagnose_options){.rulebook = book, .min_level = IOL_LEVEL_WARN};
    assert_int_equal(iol__diagnose(o.log, &options, &d, NULL), IOL_OK);
    for (size_t i = 0; i < d->n_findings; i++) assert_true(d->findings[i].level >= IOL_LEVEL_WARN);
    assert_int_equal(d->count[IOL_LEVEL_WARN], 1);
    assert_int_equal(d->count[IOL_LEVEL_INFO], 0);
    iol__diagnosis_free(d);
    opened_close(&o);
}

static int make_book(void **state) {
    (void)state;
    return iol__rulebook_new(&book, NULL) == IOL_OK ? 0 : -1;
}

static int free_book(void **state) {
    (void)state;
    iol__rulebook_free(book);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_sin),
        cmocka_unit_test(each_rule_leaves_the_innocent),
        cmocka_unit_test(every_rule_has_a_sin),
        cmocka_unit_test(one_cause_gives_one_finding),
        cmocka_unit_test(syncs_are_not_blamed_on_writes),
        cmocka_unit_test(damage_is_told),
        cmocka_unit_test(the_rate_is_bytes_over_time),
        cmocka_unit_test(a_funnel_costs_what_spreading_would_save),
        cmocka_unit_test(costs_of_ranks_are_not_added),
        cmocka_unit_test(small_losses_and_short_jobs),
        cmocka_unit_test(without_times_the_fallback_counts),
        cmocka_unit_test(one_mebibyte_is_not_small),
        cmocka_unit_test(doubtful_times_make_questions),
        cmocka_unit_test(a_closer_look_joins_the_finding),
        cmocka_unit_test(a_trace_counts_small_requests),
        cmocka_unit_test(locks_travel_at_both_ends),
        cmocka_unit_test(a_trace_knows_the_busiest_ost),
        cmocka_unit_test(a_slow_ost_is_named),
        cmocka_unit_test(neighbours_of_a_slow_ost_are_well),
        cmocka_unit_test(one_stripe_count_is_advised_once),
        cmocka_unit_test(a_file_view_fits_the_pieces),
        cmocka_unit_test(snippets_fit_what_was_done),
        cmocka_unit_test(metadata_of_a_format_is_one_finding),
        cmocka_unit_test(findings_name_their_records),
        cmocka_unit_test(the_covering_set_is_the_smallest),
        cmocka_unit_test(a_complete_trace_knows_idle_ranks),
        cmocka_unit_test(processes_in_turn_wait_in_turn),
        cmocka_unit_test(folded_files_are_counted_not_judged),
        cmocka_unit_test(any_hints_are_survived),
        cmocka_unit_test(findings_never_cost_more_than_io_took),
        cmocka_unit_test(selection_by_glob_and_level),
    };
    return cmocka_run_group_tests(tests, make_book, free_book);
}
