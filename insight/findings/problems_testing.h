/* For the tests of the engine: for every rule a small log that has its sin, and the same log just below the limit
   (tests/support/plainlog.h); and how to ask for a diagnosis. */
#ifndef IOL_INSIGHT_PROBLEMS_TESTING_H
#define IOL_INSIGHT_PROBLEMS_TESTING_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "insight/findings/engine.h"
#include "tests/support/plainlog.h"

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

/* Large plain writes that take half of the run, or a hundredth of it; metadata with them. */
#define OUTSIDE                                                                                    \
    "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=100 POSIX_BYTES_WRITTEN=1048576000 " \
    "POSIX_MAX_BYTE_WRITTEN=1048575999 POSIX_F_WRITE_TIME=30|0.5 POSIX_F_META_TIME=20|0.1"

/* Rank 0 is the least in MPI calls: the others are there for it. */
#define LATE_RANK                                                                                                \
    "job 4 100\nAPMPI 0 MPI_TOTAL_COMM_TIME=1\nAPMPI 1 MPI_TOTAL_COMM_TIME=21\nAPMPI 2 MPI_TOTAL_COMM_TIME=20\n" \
    "APMPI 3 MPI_TOTAL_COMM_TIME=22\n"

static const planted problems[] = {
    {"mpi.wait.io",
     LATE_RANK "STDIO 0 /scratch/a STDIO_OPENS=1 STDIO_WRITES=10 STDIO_BYTES_WRITTEN=10000 "
               "STDIO_F_WRITE_TIME=19|3",
     NULL},
    {"mpi.wait.compute",
     LATE_RANK "STDIO 0 /scratch/a STDIO_OPENS=1 STDIO_WRITES=10 STDIO_BYTES_WRITTEN=10000 "
               "STDIO_F_WRITE_TIME=3|19",
     NULL},
    {"mpi.wait.cause", LATE_RANK "POSIX 0 /scratch/a" TEN_MB "19|0.1\nPOSIX 1 /scratch/b" TEN_MB "0.1", NULL},
    {"data.partial", "partial 1|0\nPOSIX 0 /a POSIX_OPENS=1", NULL},
    {"data.partial", "POSIX 0 /a POSIX_OPENS=1\nPOSIX 1 /b POSIX_OPENS=1\nlost 8|0", NULL},
    {"data.partial", "POSIX 0 /a POSIX_OPENS=1\nlost 8|0", NULL},
    {"data.folded", "POSIX 0 /a POSIX_OPENS=1\nFOLD 3|0", NULL},
    {"data.time.implausible", "job 1 100\nPOSIX 0 /a POSIX_OPENS=1 POSIX_F_META_TIME=51300|51100", NULL},
    {"data.time.implausible", "job 1 100\nPOSIX 0 /a POSIX_OPENS=1 POSIX_F_META_TIME=106 POSIX_F_READ_TIME=-2|2", NULL},
    {"data.threads", "job 1 100\nPOSIX 0 /a POSIX_OPENS=1 POSIX_F_META_TIME=106|104", NULL},
    {"data.names.missing", "job 1 100\nPOSIX 0 ?|/a POSIX_OPENS=1", NULL},
    {"data.unreadable", "POSIX 0 /a POSIX_OPENS=1\nversion 99|4", NULL},
    {"data.values.odd", "job 1 100\nPOSIX 0 /a POSIX_OPENS=1 POSIX_F_READ_TIME=-2|2", NULL},
    {"data.launcher", "job 1 100\nexe mpirun ./solver\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_BYTES_READ=0|100", NULL},
    {"data.nompi", "job 1 100\nmeta OMPI_COMM_WORLD_SIZE=4|1\nPOSIX 0 /a POSIX_OPENS=1", NULL},
    /* Locks of atomic mode: half of the time is not in POSIX calls. */
    {"mpiio.locks",
     "job 4 100\nMPI-IO -1 /scratch/a MPIIO_INDEP_WRITES=400 MPIIO_BYTES_WRITTEN=400000000 MPIIO_F_WRITE_TIME=80 "
     "MPIIO_F_SLOWEST_RANK_TIME=20\nPOSIX -1 /scratch/a POSIX_WRITES=400 POSIX_BYTES_WRITTEN=400000000 "
     "POSIX_MAX_BYTE_WRITTEN=399999999 POSIX_F_WRITE_TIME=40|72 POSIX_F_SLOWEST_RANK_TIME=10|18",
     NULL},
    /* A process for each item, and one that works for a while. */
    {"process.many", "job 300 100\nSHORT 260|249 5\nPOSIX 0 /scratch/a POSIX_OPENS=1", NULL},
    {"process.many", "job 300 100\nSHORT 5000 5|150\nPOSIX 0 /scratch/a POSIX_OPENS=1", NULL},
    /* Interpreters are slow to start: twenty of them count, of any version, and other programs or longer ones do not. */
    {"process.interpreter",
     "job 300 10\nSHORT 20|19 120 /usr/bin/python3.11 convert.py\nPOSIX 0 /scratch/a POSIX_OPENS=1", NULL},
    {"process.interpreter", "job 300 10\nSHORT 40 120 Rscript|Rscripting a.R\nPOSIX 0 /scratch/a POSIX_OPENS=1", NULL},
    {"process.interpreter", "job 300 10\nSHORT 40 120|3000 perl a.pl\nPOSIX 0 /scratch/a POSIX_OPENS=1", NULL},
    /* Datasets of 128 bytes in a loop; the same with a MiB each. */
    {"hdf5.objects",
     "job 1 100\nH5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d*1001 H5D_OPENS=1 H5D_WRITES=1 "
     "H5D_BYTES_WRITTEN=128|1048576 H5D_F_WRITE_TIME=0.0001\nPOSIX 0 /scratch/a.h5 POSIX_WRITES=10 "
     "POSIX_BYTES_WRITTEN=3840",
     NULL},
    /* One call that writes 65,536 chunks of 128 bytes; the same in chunks of a MiB. */
    {"hdf5.chunk.tiny",
     "job 1 100\nH5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d H5D_OPENS=1 H5D_WRITES=1 "
     "H5D_BYTES_WRITTEN=8388608 H5D_DATATYPE_SIZE=8 H5D_CHUNK_SIZE_D1=16|131072 H5D_F_WRITE_TIME=30\n"
     "POSIX 0 /scratch/a.h5 POSIX_WRITES=70 POSIX_BYTES_WRITTEN=8388608",
     NULL},
    /* Three whole checkpoints over each other are meant so; a hundred are not. */
    {"posix.rewrite.whole",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=3 POSIX_WRITES=30 POSIX_BYTES_WRITTEN=31457280|1048576000 "
     "POSIX_MAX_BYTE_WRITTEN=10485759 POSIX_SEQ_WRITES=27 POSIX_CONSEC_WRITES=27 POSIX_F_WRITE_TIME=50",
     NULL},
    {"posix.redundant.write",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=100|3 POSIX_WRITES=1000 POSIX_BYTES_WRITTEN=1048576000|31457280 "
     "POSIX_MAX_BYTE_WRITTEN=10485759 POSIX_SEQ_WRITES=900 POSIX_CONSEC_WRITES=900 POSIX_F_WRITE_TIME=50",
     NULL},
    /* Two million entries that take a tenth of the run. */
    {"posix.names.heavy", "job 1 100\nCALLS readdir 20000 5|1\nPOSIX 0 /scratch/a POSIX_OPENS=1", NULL},
    /* Syncs of a rank at the end of its work, and after every write. */
    {"posix.fsync.heavy",
     "job 64 100\nPOSIX -1 /scratch/a POSIX_WRITES=300 POSIX_FSYNCS=320|128 POSIX_BYTES_WRITTEN=3000000 "
     "POSIX_F_WRITE_TIME=640 POSIX_F_SLOWEST_RANK_TIME=10",
     NULL},
    /* Rows of 64 bytes; the same calls with 8 KiB each are fine. */
    {"hdf5.rows",
     "job 1 100\nH5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d H5D_WRITES=60000 "
     "H5D_BYTES_WRITTEN=3840000|491520000 H5D_F_WRITE_TIME=20\nPOSIX 0 /scratch/a.h5 POSIX_WRITES=60000 "
     "POSIX_BYTES_WRITTEN=3840000 POSIX_F_WRITE_TIME=5",
     NULL},
    {"hdf5.rows",
     "job 1 100\nH5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d H5D_WRITES=1000|999 "
     "H5D_BYTES_WRITTEN=64000 H5D_F_WRITE_TIME=20\nPOSIX 0 /scratch/a.h5 POSIX_WRITES=1000 "
     "POSIX_BYTES_WRITTEN=64000 POSIX_F_WRITE_TIME=5",
     NULL},
    /* Columns of 4,000 numbers, from chunks of four rows or of one column. */
    {"hdf5.chunk.partial",
     "job 1 100\nH5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d H5D_READS=60 H5D_BYTES_READ=1920000 "
     "H5D_DATATYPE_SIZE=8 H5D_DATASPACE_NDIMS=2 H5D_CHUNK_SIZE_D1=2000|1 H5D_CHUNK_SIZE_D2=4|4000 "
     "H5D_ACCESS1_ACCESS=32000 H5D_ACCESS1_LENGTH_D4=1 H5D_ACCESS1_LENGTH_D5=4000 H5D_ACCESS1_COUNT=60\n"
     "POSIX 0 /scratch/a.h5 POSIX_OPENS=1 POSIX_READS=60000 POSIX_BYTES_READ=3840000000 POSIX_MAX_BYTE_READ=63999999 "
     "POSIX_SIZE_READ_10K_100K=60000 POSIX_F_READ_TIME=40",
     NULL},
    /* Columns of a dataset in rows: every call in pieces of 8 bytes, or of 800. */
    {"hdf5.chunk.partial",
     "job 1 100\nH5F 0 /scratch/a.h5 H5F_OPENS=1\nH5D 0 /scratch/a.h5:d H5D_READS=400 H5D_BYTES_READ=6553600 "
     "H5D_DATATYPE_SIZE=8 H5D_DATASPACE_NDIMS=1 H5D_CHUNK_SIZE_D1=131072\nPOSIX 0 /scratch/a.h5 "
     "POSIX_READS=819200|8192 POSIX_BYTES_READ=6553600 POSIX_SIZE_READ_0_100=819200|8192 POSIX_F_READ_TIME=40",
     NULL},
    {"hdf5.flush",
     "job 1 100\nH5F 0 /scratch/a.h5 H5F_OPENS=1 H5F_FLUSHES=1000|999\nH5D 0 /scratch/a.h5:d H5D_WRITES=1000 "
     "H5D_BYTES_WRITTEN=8388608 H5D_F_WRITE_TIME=20\nPOSIX 0 /scratch/a.h5 POSIX_WRITES=1000 "
     "POSIX_BYTES_WRITTEN=8388608 POSIX_F_WRITE_TIME=20",
     NULL},
    /* Reads beyond the end of a file that is written with gaps; a few of them are of no account. */
    {"mpiio.sieving.write",
     "job 4 60\nPNETCDF_FILE -1 /scratch/a.nc PNETCDF_FILE_CREATES=4\nMPI-IO -1 /scratch/a.nc MPIIO_COLL_WRITES=400 "
     "MPIIO_BYTES_WRITTEN=400000000 MPIIO_F_WRITE_TIME=80 MPIIO_F_SLOWEST_RANK_TIME=25\nPOSIX -1 /scratch/a.nc "
     "POSIX_READS=6000|90 POSIX_SIZE_READ_0_100=6000|90 POSIX_WRITES=6000 POSIX_BYTES_WRITTEN=400000000 "
     "POSIX_MAX_BYTE_WRITTEN=399999999 POSIX_SIZE_WRITE_10K_100K=6000 POSIX_SEQ_WRITES=6000 POSIX_F_READ_TIME=5 "
     "POSIX_F_WRITE_TIME=60 POSIX_F_SLOWEST_RANK_TIME=20",
     NULL},
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
    /* Nearly all calls are independent: those ranks are no aggregators. */
    {"mpiio.aggregators.many",
     "job 64 1000\nLUSTRE /scratch/a 1048576 1\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=6400|1000 "
     "MPIIO_INDEP_WRITES=0|5400 "
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
     "POSIX_F_WRITE_TIME=900 POSIX_F_SLOWEST_RANK_TIME=15",
     NULL},
    /* 34 MB/s where one OST gives 1 GB/s, by many ranks: not the stripe, but the crowd. The same by three ranks, or at 200
       MB/s, is something else. */
    {"lustre.contention",
     "job 256 100\nLUSTRE /scratch/a 1048576 1|90\nPOSIX -1 /scratch/a POSIX_WRITES=256 POSIX_BYTES_WRITTEN=2147483648 "
     "POSIX_MAX_BYTE_WRITTEN=2147483647 POSIX_SIZE_WRITE_4M_10M=256 POSIX_F_WRITE_TIME=7431 "
     "POSIX_F_SLOWEST_RANK_TIME=60 POSIX_F_FASTEST_RANK_TIME=0.1 POSIX_F_VARIANCE_RANK_TIME=362",
     NULL},
    {"lustre.contention",
     "job 256 100\nLUSTRE /scratch/a 1048576 1\nPOSIX -1 /scratch/a POSIX_WRITES=256 POSIX_BYTES_WRITTEN=2147483648 "
     "POSIX_MAX_BYTE_WRITTEN=2147483647 POSIX_SIZE_WRITE_4M_10M=256 POSIX_F_WRITE_TIME=7431|1200 "
     "POSIX_F_SLOWEST_RANK_TIME=60|10",
     NULL},
    {"lustre.stripe.narrow",
     "job 64 100\nLUSTRE /scratch/a 1048576 1|12\nPOSIX -1 /scratch/a POSIX_WRITES=20000 "
     "POSIX_BYTES_WRITTEN=21474836480 "
     "POSIX_MAX_BYTE_WRITTEN=21474836479 POSIX_SIZE_WRITE_1M_4M=20000 POSIX_F_WRITE_TIME=3200 "
     "POSIX_F_SLOWEST_RANK_TIME=60",
     NULL},
    /* 160 MiB in 60 s are not what one OST gives: something else is slow. */
    {"lustre.stripe.narrow",
     "job 64 100\nLUSTRE /scratch/a 1048576 1\nPOSIX -1 /scratch/a POSIX_WRITES=20000 "
     "POSIX_BYTES_WRITTEN=21474836480|167772160 POSIX_MAX_BYTE_WRITTEN=21474836479 POSIX_SIZE_WRITE_1M_4M=20000 "
     "POSIX_F_WRITE_TIME=3200 POSIX_F_SLOWEST_RANK_TIME=60",
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
    /* One aggregator for the ranks of one node is right. */
    {"mpiio.aggregators.funnel",
     "job 64 1000\nnodes 2|1\nMPI-IO -1 /scratch/a MPIIO_COLL_OPENS=64 MPIIO_COLL_WRITES=6400 "
     "MPIIO_BYTES_WRITTEN=43000000000 MPIIO_F_WRITE_TIME=45000 MPIIO_F_SLOWEST_RANK_TIME=750\nPOSIX -1 /scratch/a "
     "POSIX_WRITES=41000 POSIX_BYTES_WRITTEN=43000000000 POSIX_MAX_BYTE_WRITTEN=42999999999 "
     "POSIX_SIZE_WRITE_1M_4M=41000 POSIX_F_WRITE_TIME=700 POSIX_F_SLOWEST_RANK_TIME=700 "
     "POSIX_SLOWEST_RANK_BYTES=43000000000 POSIX_F_VARIANCE_RANK_BYTES=2.844e19",
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
    /* A few collective calls of the library do not make the others collective; half of them do. */
    {"mpiio.collective.none.write",
     "job 4 100\nMPI-IO -1 /scratch/a MPIIO_INDEP_WRITES=2000 MPIIO_COLL_WRITES=20|2000 MPIIO_BYTES_WRITTEN=1001000 "
     "MPIIO_F_WRITE_TIME=80 MPIIO_F_SLOWEST_RANK_TIME=20\nPOSIX -1 /scratch/a POSIX_WRITES=2020 "
     "POSIX_BYTES_WRITTEN=1001000 POSIX_SIZE_WRITE_100_1K=2020 POSIX_F_WRITE_TIME=80 POSIX_F_SLOWEST_RANK_TIME=20",
     NULL},
    {"mpiio.collective.small", /* 4,000 calls of 512 bytes per rank, or of 1 MiB */
     "job 4 100\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=16000 MPIIO_BYTES_WRITTEN=8192000|16777216000 "
     "MPIIO_F_WRITE_TIME=80 MPIIO_F_SLOWEST_RANK_TIME=20\nPOSIX -1 /scratch/a POSIX_WRITES=4000 "
     "POSIX_BYTES_WRITTEN=8192000 POSIX_SIZE_WRITE_1K_10K=4000 POSIX_F_WRITE_TIME=8 POSIX_F_SLOWEST_RANK_TIME=8",
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
    {"mpiio.open.repeat",
     "job 4 100\nMPIIO -1 /scratch/a MPIIO_COLL_OPENS=200|196 MPIIO_COLL_WRITES=200 MPIIO_BYTES_WRITTEN=819200 "
     "MPIIO_F_WRITE_TIME=40 MPIIO_F_META_TIME=120 MPIIO_F_SLOWEST_RANK_TIME=40\nPOSIX -1 /scratch/a POSIX_OPENS=4 "
     "POSIX_WRITES=200 POSIX_BYTES_WRITTEN=819200 POSIX_F_WRITE_TIME=20 POSIX_F_SLOWEST_RANK_TIME=10",
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
     "job 1 100\nPOSIX 0 /scratch/a*8 POSIX_OPENS=3 POSIX_READS=3000 POSIX_BYTES_READ=230000000|200000000 "
     "POSIX_MAX_BYTE_READ=99999999 POSIX_F_READ_TIME=5",
     NULL},
    /* Large pieces, with an open for each pass. */
    {"dl.epoch.reread",
     "job 1 100\nPOSIX 0 /scratch/a*8 POSIX_OPENS=3|1 POSIX_READS=60 POSIX_BYTES_READ=300000000 "
     "POSIX_MAX_BYTE_READ=99999999 POSIX_F_READ_TIME=5",
     NULL},
    {"posix.redundant.read",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_READS=300 POSIX_BYTES_READ=11048577|11048576 "
     "POSIX_MAX_BYTE_READ=9999999 POSIX_F_READ_TIME=50",
     NULL},
    /* A benchmark that writes a file five times reads it back as often; who reads it twice as often reads it again. */
    {"posix.redundant.read",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=10 POSIX_WRITES=200 POSIX_BYTES_WRITTEN=200000000 "
     "POSIX_MAX_BYTE_WRITTEN=39999999 POSIX_SEQ_WRITES=195 POSIX_READS=400 POSIX_BYTES_READ=400000000|200000000 "
     "POSIX_MAX_BYTE_READ=39999999 POSIX_F_READ_TIME=50",
     NULL},
    {"stdio.redundant.read",
     "job 1 100\nSTDIO 0 /scratch/a STDIO_OPENS=10 STDIO_WRITES=200 STDIO_BYTES_WRITTEN=200000000 "
     "STDIO_MAX_BYTE_WRITTEN=39999999 STDIO_READS=400 STDIO_BYTES_READ=400000000|200000000 "
     "STDIO_MAX_BYTE_READ=39999999 "
     "STDIO_F_READ_TIME=50",
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
    /* 64 aggregators of 384 ranks take 4.94 s each on average: the slowest is late with 9 s, not with 5.94 s. */
    {"posix.balance.time",
     "job 384 100\nMPI-IO -1 /scratch/a MPIIO_COLL_WRITES=38400 MPIIO_BYTES_WRITTEN=64000000000 "
     "MPIIO_F_WRITE_TIME=3800 MPIIO_F_SLOWEST_RANK_TIME=10\nPOSIX -1 /scratch/a POSIX_WRITES=64000 "
     "POSIX_BYTES_WRITTEN=64000000000 POSIX_F_WRITE_TIME=316 POSIX_F_SLOWEST_RANK_TIME=9|5.94 "
     "POSIX_SLOWEST_RANK=162 POSIX_SLOWEST_RANK_BYTES=1000000000 POSIX_F_VARIANCE_RANK_BYTES=1.38888888888e17",
     NULL},
    {"posix.balance.ranks",
     "job 8 100\nPOSIX * /scratch/own%*8 POSIX_WRITES=80 POSIX_BYTES_WRITTEN=80000000 POSIX_F_WRITE_TIME=2\n"
     "POSIX 3 /scratch/slow POSIX_WRITES=1 POSIX_BYTES_WRITTEN=1 POSIX_F_WRITE_TIME=9|1.1",
     NULL},
    /* One rank moves ten times as much as each of the others, or as much. */
    {"posix.balance.ranks",
     "job 4 100\nPOSIX 0 /scratch/a POSIX_WRITES=100 POSIX_BYTES_WRITTEN=100000000|10000000 POSIX_F_WRITE_TIME=40|4\n"
     "POSIX 1 /scratch/b POSIX_WRITES=10 POSIX_BYTES_WRITTEN=10000000 POSIX_F_WRITE_TIME=4\n"
     "POSIX 2 /scratch/c POSIX_WRITES=10 POSIX_BYTES_WRITTEN=10000000 POSIX_F_WRITE_TIME=4\n"
     "POSIX 3 /scratch/d POSIX_WRITES=10 POSIX_BYTES_WRITTEN=10000000 POSIX_F_WRITE_TIME=4",
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
    {"posix.stat.heavy", "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_STATS=1001|1000 POSIX_F_META_TIME=1.9",
     NULL},
    {"posix.stat.heavy", "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_STATS=17|15 POSIX_F_META_TIME=5", NULL},
    {"posix.stat.heavy", "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_STATS=100 POSIX_F_META_TIME=5|1.9", NULL},
    {"posix.sync.open",
     "job 1 100\nFLAG sync 1|0\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=2000 POSIX_BYTES_WRITTEN=8192000 "
     "POSIX_SIZE_WRITE_1K_10K=2000 POSIX_F_WRITE_TIME=20",
     NULL},
    {"posix.direct.small",
     "job 1 100\nFLAG direct 1|0\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_READS=2000 POSIX_BYTES_READ=8192000 "
     "POSIX_SIZE_READ_1K_10K=2000 POSIX_F_READ_TIME=20",
     NULL},
    {"posix.sync.many",
     "job 1 100\nCALLS sync 100|99 20\nPOSIX 0 /scratch/a*100 POSIX_OPENS=1 POSIX_WRITES=1 POSIX_BYTES_WRITTEN=4096 "
     "POSIX_F_WRITE_TIME=0.21",
     NULL},
    {"posix.sync.many",
     "job 40 10\nCALLS sync 40 3|2\nSHORT 40 5\nPOSIX 0 /scratch/a*40 POSIX_OPENS=1 POSIX_WRITES=1 "
     "POSIX_BYTES_WRITTEN=4096 "
     "POSIX_F_WRITE_TIME=0.07",
     NULL},
    /* Lines of 20 bytes in a microsecond each: with a buffer that is the processor's time. */
    {"stdio.tiny",
     "job 1 10\nCALLS unbuffered 1 8|3\nSTDIO 0 /scratch/a STDIO_OPENS=1 STDIO_WRITES=8000000 "
     "STDIO_BYTES_WRITTEN=160000000 STDIO_MAX_BYTE_WRITTEN=159999999 STDIO_F_WRITE_TIME=8",
     NULL},
    {"posix.resize.heavy", "job 1 100\nCALLS truncate 5000|4999 20\nPOSIX 0 /scratch/a POSIX_OPENS=1", NULL},
    {"posix.rename.repeat",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=3000 POSIX_RENAME_SOURCES=3000|99 POSIX_WRITES=3000 "
     "POSIX_BYTES_WRITTEN=6000000 POSIX_MAX_BYTE_WRITTEN=1999 POSIX_F_WRITE_TIME=1 POSIX_F_META_TIME=20",
     NULL},
    /* A file that takes another name each time is no longer there to be kept open. */
    {"posix.open.repeat",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=3000 POSIX_RENAME_SOURCES=0|3000 POSIX_WRITES=3000 "
     "POSIX_BYTES_WRITTEN=6000000 POSIX_MAX_BYTE_WRITTEN=1999 POSIX_F_WRITE_TIME=1 POSIX_F_META_TIME=20",
     NULL},
    {"posix.names.heavy", "job 1 100\nCALLS mkdir 5000|4999 20\nPOSIX 0 /scratch/a POSIX_OPENS=1", NULL},
    {"posix.lookup.database",
     "job 1 100\nLOOK 100 10000|9999 20\nPOSIX 0 /scratch/a.db POSIX_OPENS=1 POSIX_READS=10 POSIX_BYTES_READ=40960",
     NULL},
    {"posix.lookup.failed", "job 1 100\nLOOK 100 10000|9999 20\nPOSIX 0 /scratch/a POSIX_OPENS=1", NULL},
    {"posix.lookup.poll", "job 1 10\nLOOK 1 1000|999 0.01", NULL},
    {"posix.lookup.heavy", "job 4 100\nLOOK 40000|39999 0 20\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_WRITES=1", NULL},
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
    /* The same through stdio; and with MPI-IO, where collective calls are meant to end in few ranks. */
    {"posix.single.writer",
     "job 8 100\nSTDIO 0 /scratch/a STDIO_WRITES=91 STDIO_BYTES_WRITTEN=91000000|89000000 STDIO_F_WRITE_TIME=50\n"
     "STDIO 1 /scratch/b STDIO_WRITES=9 STDIO_BYTES_WRITTEN=9000000|11000000",
     NULL},
    {"posix.single.writer",
     "job 8 100\nMPI-IO 0 /scratch/a MPIIO_INDEP_WRITES=91|0 MPIIO_COLL_WRITES=0|91 MPIIO_BYTES_WRITTEN=91000000 "
     "MPIIO_F_WRITE_TIME=50\nPOSIX 0 /scratch/a POSIX_WRITES=91 POSIX_BYTES_WRITTEN=91000000 POSIX_F_WRITE_TIME=50",
     NULL},
    {"posix.fpp.tiny",
     "job 8 100\nPOSIX 0 /scratch/a*64|63 POSIX_OPENS=1 POSIX_WRITES=1 POSIX_BYTES_WRITTEN=100 "
     "POSIX_MAX_BYTE_WRITTEN=99 "
     "POSIX_F_META_TIME=0.1 POSIX_F_WRITE_TIME=0.1",
     NULL},
    {"posix.fpp.tiny",
     "job 8 100\nSTDIO 0 /scratch/a*64|63 STDIO_OPENS=1 STDIO_WRITES=1 STDIO_BYTES_WRITTEN=100 STDIO_F_META_TIME=0.1 "
     "STDIO_F_WRITE_TIME=0.1",
     NULL},
    {"posix.fpp.tiny",
     "job 8 100\nSTDIO 0 /scratch/a*64 STDIO_OPENS=1 STDIO_WRITES=1 STDIO_BYTES_WRITTEN=100|10000000 "
     "STDIO_F_META_TIME=0.1 STDIO_F_WRITE_TIME=0.1",
     NULL},
    {"posix.files.many", "job 1 100\nSTDIO 0 /scratch/a*1001|1000 STDIO_OPENS=1 STDIO_F_META_TIME=0.01", NULL},
    {"posix.files.many", "job 1 100\nPOSIX 0 /scratch/a*1001|1000 POSIX_OPENS=1 POSIX_F_META_TIME=0.01", NULL},
    {"posix.mmap",
     "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_MMAPS=10|9\nPOSIX 0 /scratch/b POSIX_OPENS=1 POSIX_READS=1",
     NULL},
    {"posix.mmap", "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_MMAPS=1|0", NULL},
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
    /* A million bytes in 0.2 s are the buffer's. */
    {"stdio.console",
     "job 1 10\nmeta iolite=0.1.0\nSTDIO 0 <STDOUT> STDIO_WRITES=150000 STDIO_BYTES_WRITTEN=1000000 "
     "STDIO_F_WRITE_TIME=8|0.2",
     NULL},
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
    /* Lines of 40 bytes at 50 microseconds each wait for something; at 0.3 they come out of the buffer. */
    {"stdio.tiny",
     "job 1 100\nSTDIO 0 /scratch/a STDIO_WRITES=1000000 STDIO_BYTES_WRITTEN=40000000 "
     "STDIO_MAX_BYTE_WRITTEN=39999999 STDIO_F_WRITE_TIME=50|2",
     NULL},
    /* Lines that took long: without a buffer, or with one on a busy machine, as Iolite's logs tell. */
    {"stdio.tiny",
     "job 1 10\nmeta iolite=1\nSTDIO 0 /scratch/a STDIO_WRITES=100000 STDIO_BYTES_WRITTEN=3300000 "
     "STDIO_MAX_BYTE_WRITTEN=3299999 STDIO_F_WRITE_TIME=5|1",
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
    /* The same bytes, seven seconds apart: fill values and then the data. */
    {"conflict.overlap",
     "job 2 10\nPOSIX * /scratch/a*2 POSIX_WRITES=1\nTRACE 0 /scratch/a w 1 0 0 100 1 0 0.1\n"
     "TRACE 1 /scratch/a w 1 50 0 100 1.05|8.3 0 0.1",
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
     "POSIX 0 /scratch/m*50 POSIX_OPENS=3|1 POSIX_F_META_TIME=0.15 POSIX_F_OPEN_START_TIMESTAMP=52 "
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
    /* A rank that reads 5 MB for all is none. */
    {"phase.serial",
     "job 8 100\nPOSIX 0 /scratch/a POSIX_WRITES=50\nPOSIX 1 /scratch/b POSIX_WRITES=1\n"
     "TRACE 0 /scratch/a w|r 50 0 100000 100000 1 0.1 0.1\nTRACE 1 /scratch/b w 1 0 0 1 1 0 0.1",
     NULL},
    {"posix.mmap.bytes",
     "job 1 100\nPOSIX 0 /scratch/a.npy POSIX_OPENS=1 POSIX_MMAPS=1\nMAPS /scratch/a.npy 67108864|67108863 99999999 1",
     NULL},
    {"posix.mmap.faults", "job 1 100\nPOSIX 0 /scratch/a POSIX_OPENS=1 POSIX_MMAPS=1\nPAGE 501|499 2", NULL},
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
    /* Causes outside the program: without I/O that matters they explain nothing. */
    {"outside.contention", OUTSIDE, "{\"site\": {\"coverage\": 0.2, \"other_jobs\": 3}}"},
    {"outside.ost.contention", OUTSIDE, "{\"site\": {\"coverage\": 0.9, \"ost_coverage\": 0.1, \"shared_osts\": 2}}"},
    {"outside.ost.slow", OUTSIDE, "{\"site\": {\"slow_osts\": 1, \"slow_ost\": 20}}"},
    {"outside.failover", OUTSIDE, "{\"site\": {\"failover_osts\": 8}}"},
    {"outside.rebuild", OUTSIDE, "{\"site\": {\"rebuilds\": 1}}"},
    {"outside.full", OUTSIDE, "{\"site\": {\"fullest\": 0.95}}"},
    {"outside.servers.busy", OUTSIDE, "{\"site\": {\"server_load\": 0.99}}"},
    {"outside.mds.busy", OUTSIDE, "{\"site\": {\"mds_load\": 0.99}}"},
    {"outside.network.busy", OUTSIDE, "{\"site\": {\"network\": 4}}"},
    {"outside.verdict", OUTSIDE, "{\"site\": {\"coverage\": 0.2}}"},
    {"rank.idle", "job 2 100\nHEAT 0 5000\nHEAT 1 0|1", NULL},
};

static iol__rulebook *book;

static inline iol__diagnosis *diagnose(const opened *o, const char *context) {
    iol__diagnose_options options = {.rulebook = book, .context = context, .evidence = 10, .nodes = log_nodes()};
    iol__diagnosis *d = NULL;
    assert_int_equal(iol__diagnose(o->log, &options, &d, NULL), IOL_OK);
    return d;
}

static inline const iol__finding *find(const iol__diagnosis *d, const char *id) {
    for (size_t i = 0; i < d->n_findings; i++)
        if (strcmp(d->findings[i].id, id) == 0) return &d->findings[i];
    return NULL;
}

static inline int make_book(void **state) {
    (void)state;
    return iol__rulebook_new(&book, NULL) == IOL_OK ? 0 : -1;
}

static inline int free_book(void **state) {
    (void)state;
    iol__rulebook_free(book);
    return 0;
}

static inline const char *problem_log(const char *id) {
    for (size_t i = 0; i < IOL_COUNT(problems); i++)
        if (strcmp(problems[i].id, id) == 0) return problems[i].log;
    fail_msg("no problem %s", id);
    return NULL;
}

/* The best estimate of what a finding costs, which must be there. */
static inline double cost_of(const char *log, const char *id) {
    opened o = log_of(log, false);
    iol__diagnosis *d = diagnose(&o, NULL);
    const iol__finding *f = find(d, id);
    if (!f) fail_msg("%s was not found", id);
    double best = f ? f->cost.best : NAN;
    iol__diagnosis_free(d);
    opened_close(&o);
    return best;
}

static inline double figure_of(const iol__finding *f, const char *name) {
    for (size_t i = 0; i < f->n_figures; i++)
        if (strcmp(f->figures[i].name, name) == 0) return f->figures[i].value;
    fail_msg("%s has no figure %s", f->id, name);
    return NAN;
}

static inline size_t records_in(const iol__finding *f) {
    size_t n = 0;
    for (size_t i = 0; i < f->n_evidence; i++) n += f->evidence[i].kind == IOL_EVIDENCE_RECORD;
    return n;
}

static inline const iol__advice *advice_of(const iol__finding *f, const char *action) {
    for (size_t i = 0; i < f->n_advice; i++)
        if (strcmp(f->advice[i].action, action) == 0) return &f->advice[i];
    return NULL;
}

/* Whether the diagnosis says that it cannot tell something. */
static inline bool cannot_tell(const iol__diagnosis *d, const char *part) {
    for (size_t i = 0; i < d->n_cannot_tell; i++)
        if (strstr(d->cannot_tell[i], part)) return true;
    return false;
}

#endif
