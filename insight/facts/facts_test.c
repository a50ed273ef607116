/* Facts: sums over records, who shared what, which requests were small or out of order, whose time counts, and what is
   left out because it cannot be. */
#include "insight/facts/facts_testing.h"

#include "insight/facts/facts_internal.h"

static const double near = 1e-9;

static void sums_are_over_all_and_over_shared_records(void **state) {
    (void)state;
    lm_log *log = job_of(4);
    put(log, LM_POSIX, "/a", 0, WITH(I(POSIX_READS, 3), I(POSIX_MMAPS, -1), F(POSIX_F_READ_TIME, 1.5)));
    put(log, LM_POSIX, "/a", 1, WITH(I(POSIX_READS, 4), I(POSIX_MMAPS, 2), F(POSIX_F_READ_TIME, NAN)));
    put(log, LM_POSIX, "/b", -1, WITH(I(POSIX_READS, 10), I(POSIX_MAX_BYTE_READ, 7), F(POSIX_F_READ_TIME, -0.25)));
    known k = know(log);
    const iol__facts_module *posix = &k.facts.modules[IOL_SLOT_POSIX];
    assert_true(posix->listed && posix->readable);
    assert_int_equal(posix->all.records, 3);
    assert_int_equal(posix->all.ints[IOL_POSIX_READS], 17);
    assert_int_equal(posix->all.ints[IOL_POSIX_MMAPS], 2);
    assert_true(posix->all.reals[IOL_POSIX_F_READ_TIME] == 1.25);
    assert_int_equal(posix->whole.records, 1);
    assert_int_equal(posix->whole.ints[IOL_POSIX_READS], 10);
    assert_int_equal(posix->max_ints[IOL_POSIX_READS], 10);
    assert_int_equal(posix->max_ints[IOL_POSIX_MAX_BYTE_READ], 7);
    assert_int_equal(posix->odd, 2);
    assert_int_equal(k.facts.odd, 2);
    assert_false(k.facts.modules[IOL_SLOT_MPIIO].listed);
    assert_int_equal(k.facts.modules[IOL_SLOT_MPIIO].all.ints[IOL_MPIIO_NB_READS], 0);
    forget(&k);
}

static void sums_do_not_run_over(void **state) {
    (void)state;
    lm_log *log = job_of(1);
    for (int rank = 0; rank < 3; rank++)
        put(log, LM_POSIX, "/a", rank, WITH(I(POSIX_BYTES_READ, 9e18), I(POSIX_READS, 9e18)));
    known k = know(log);
    assert_int_equal(k.facts.modules[IOL_SLOT_POSIX].all.ints[IOL_POSIX_BYTES_READ], INT64_MAX);
    assert_int_equal(use_of(&k, "/a", IOL_LAYER_POSIX)->direction[IOL_READ]->bytes, INT64_MAX);
    forget(&k);
}

static void sharing_has_three_classes(void **state) {
    (void)state;
    lm_log *log = job_of(8);
    put(log, LM_POSIX, "/one", 3, WITH(I(POSIX_READS, 1)));
    put(log, LM_POSIX, "/some", 0, WITH(I(POSIX_READS, 1)));
    put(log, LM_POSIX, "/some", 5, WITH(I(POSIX_READS, 1)));
    put(log, LM_POSIX, "/all", -1, WITH(I(POSIX_READS, 1)));
    put(log, LM_STDIO, "/one", -1, WITH(I(STDIO_READS, 1)));
    known k = know(log);
    assert_int_equal(k.facts.n_files, 3);
    const iol__facts_use *one = use_of(&k, "/one", IOL_LAYER_POSIX), *some = use_of(&k, "/some", IOL_LAYER_POSIX);
    const iol__facts_use *all = use_of(&k, "/all", IOL_LAYER_POSIX);
    assert_int_equal(iol__facts_sharing_of(one), IOL_SHARING_UNIQUE);
    assert_int_equal(one->rank, 3);
    assert_null(one->ranks);
    assert_int_equal(iol__facts_sharing_of(some), IOL_SHARING_PARTIAL);
    assert_int_equal(iol__facts_sharing_of(all), IOL_SHARING_SHARED);
    assert_int_equal(all->rank, -1);
    assert_int_equal(iol__facts_rank_count(&k.facts, some), 2);
    assert_int_equal(iol__facts_rank_count(&k.facts, all), 8);
    assert_int_equal(iol__facts_file_sharing(file_of(&k, "/one")), IOL_SHARING_SHARED);
    assert_int_equal(iol__facts_sharing_of(iol__facts_layer_of(file_of(&k, "/all"), IOL_LAYER_MPIIO)),
                     IOL_SHARING_UNIQUE);
    assert_null(iol__facts_find(&k.facts, 12345));
    assert_string_equal(iol__facts_name(&k.facts, file_of(&k, "/some")), "/some");
    forget(&k);
}

static void records_of_ranks_give_extremes(void **state) {
    (void)state;
    lm_log *log = job_of(8);
    put(log, LM_POSIX, "/a", 1, WITH(I(POSIX_BYTES_WRITTEN, 30), I(POSIX_OPENS, 1), F(POSIX_F_WRITE_TIME, 2)));
    put(log, LM_POSIX, "/a", -1,
        WITH(I(POSIX_BYTES_WRITTEN, 1000), F(POSIX_F_WRITE_TIME, 50), F(POSIX_F_SLOWEST_RANK_TIME, 9)));
    put(log, LM_POSIX, "/a", 2, WITH(I(POSIX_BYTES_WRITTEN, 10), F(POSIX_F_META_TIME, 5)));
    put(log, LM_POSIX, "/a", 3, WITH(I(POSIX_BYTES_READ, 20), F(POSIX_F_READ_TIME, 1), I(POSIX_OPENS, 2)));
    known k = know(log);
    const iol__facts_use *use = use_of(&k, "/a", IOL_LAYER_POSIX);
    const iol__facts_ranks *ranks = use->ranks;
    assert_int_equal(use->records, 3);
    assert_int_equal(use->direction[IOL_WRITE]->bytes, 1040);
    assert_non_null(ranks);
    assert_int_equal(ranks->min_bytes[IOL_WRITE], 0);
    assert_int_equal(ranks->max_bytes[IOL_WRITE], 30);
    assert_int_equal(ranks->min_bytes[IOL_READ], 0);
    assert_int_equal(ranks->max_bytes[IOL_READ], 20);
    assert_true(ranks->bytes == 60 && ranks->squares == 900 + 100 + 400);
    assert_true(ranks->time == 8 && ranks->time_squares == 4 + 25 + 1);
    assert_int_equal(ranks->slowest_rank, 2);
    assert_true(ranks->slowest_time == 5 && ranks->slowest_bytes == 10);
    assert_int_equal(ranks->fastest_rank, 3);
    assert_int_equal(ranks->movers[IOL_WRITE], 2);
    assert_int_equal(ranks->openers, 2);
    assert_int_equal(use->whole->number, 1);
    assert_true(iol__facts_slowest_time(use) == 9);
    forget(&k);
}

static void effective_ranks_count_those_that_carry(void **state) {
    (void)state;
    lm_log *log = job_of(8);
    /* Two of eight ranks moved 400 each: mean 100, variance 30000. */
    put(log, LM_POSIX, "/all", -1, WITH(I(POSIX_BYTES_WRITTEN, 800), F(POSIX_F_VARIANCE_RANK_BYTES, 30000)));
    put(log, LM_POSIX, "/some", 0, WITH(I(POSIX_BYTES_READ, 50)));
    put(log, LM_POSIX, "/some", 1, WITH(I(POSIX_BYTES_READ, 50)));
    put(log, LM_POSIX, "/some", 2, WITH(I(POSIX_READS, 1)));
    put(log, LM_POSIX, "/nothing", -1, WITH(I(POSIX_OPENS, 8)));
    put(log, LM_POSIX, "/one", 0, WITH(I(POSIX_BYTES_READ, 50)));
    put(log, LM_DFS, "/dfs", -1, WITH(I(DFS_BYTES_READ, 50)));
    known k = know(log);
    const iol__facts *facts = &k.facts;
    assert_true(fabs(iol__facts_effective_ranks(facts, use_of(&k, "/all", IOL_LAYER_POSIX)) - 2) < near);
    assert_true(iol__facts_effective_ranks(facts, use_of(&k, "/some", IOL_LAYER_POSIX)) == 2);
    assert_true(iol__facts_effective_ranks(facts, use_of(&k, "/nothing", IOL_LAYER_POSIX)) < 0);
    assert_true(iol__facts_effective_ranks(facts, use_of(&k, "/one", IOL_LAYER_POSIX)) == 1);
    assert_true(iol__facts_effective_ranks(facts, use_of(&k, "/dfs", IOL_LAYER_DFS)) < 0);
    forget(&k);
}

static void first_accesses_are_not_random(void **state) {
    (void)state;
    lm_log *log = job_of(1);
    /* Seven of ten do not follow; three real opens explain three of them. */
    put(log, LM_POSIX, "/a", 0,
        WITH(I(POSIX_OPENS, 6), I(POSIX_FILENOS, 1), I(POSIX_DUPS, 2), I(POSIX_READS, 10), I(POSIX_SEQ_READS, 3),
             I(POSIX_CONSEC_READS, 2)));
    put(log, LM_POSIX, "/b", 0, WITH(I(POSIX_OPENS, 9), I(POSIX_WRITES, 5), I(POSIX_SEQ_WRITES, 1)));
    put(log, LM_POSIX, "/c", 0, WITH(I(POSIX_WRITES, 5), I(POSIX_SEQ_WRITES, -1), I(POSIX_FILENOS, -1)));
    known k = know(log);
    const iol__facts_use *use = use_of(&k, "/a", IOL_LAYER_POSIX);
    assert_int_equal(use->opens, 3);
    assert_int_equal(use->direction[IOL_READ]->random, 4);
    assert_int_equal(use->direction[IOL_READ]->seq, 3);
    assert_int_equal(use->direction[IOL_READ]->consec, 2);
    assert_int_equal(use_of(&k, "/b", IOL_LAYER_POSIX)->direction[IOL_WRITE]->random, 0);
    assert_int_equal(use_of(&k, "/c", IOL_LAYER_POSIX)->direction[IOL_WRITE]->random, 0);
    forget(&k);
}

static void exactly_one_mebibyte_is_not_small(void **state) {
    (void)state;
    lm_log *log = job_of(1);
    put(log, LM_POSIX, "/a", 0,
        WITH(I(POSIX_READS, 40), I(POSIX_SIZE_READ_0_100, 10), I(POSIX_SIZE_READ_100K_1M, 30), I(POSIX_WRITES, 90),
             I(POSIX_SIZE_WRITE_100K_1M, 90), I(POSIX_ACCESS1_ACCESS, 1048576), I(POSIX_ACCESS1_COUNT, 80),
             I(POSIX_ACCESS2_ACCESS, 1048575), I(POSIX_ACCESS2_COUNT, 40)));
    put(log, LM_POSIX, "/b", 0,
        WITH(I(POSIX_READS, 4), I(POSIX_SIZE_READ_100K_1M, 4), I(POSIX_ACCESS4_ACCESS, 1048576),
             I(POSIX_ACCESS4_COUNT, 99)));
    known k = know(log);
    const iol__facts_use *use = use_of(&k, "/a", IOL_LAYER_POSIX);
    assert_int_equal(use->direction[IOL_READ]->below_mib, 40 - 20);
    assert_int_equal(use->direction[IOL_WRITE]->below_mib, 90 - 60);
    assert_int_equal(use->direction[IOL_READ]->bins[4], 30);
    assert_int_equal(use_of(&k, "/b", IOL_LAYER_POSIX)->direction[IOL_READ]->below_mib, 0);
    forget(&k);
}

static void common_values_are_merged(void **state) {
    (void)state;
    lm_log *log = job_of(2);
    put(log, LM_POSIX, "/a", 0,
        WITH(I(POSIX_WRITES, 9), I(POSIX_ACCESS1_ACCESS, 100), I(POSIX_ACCESS1_COUNT, 5), I(POSIX_ACCESS2_ACCESS, 200),
             I(POSIX_ACCESS2_COUNT, 4), I(POSIX_STRIDE1_STRIDE, 7), I(POSIX_STRIDE1_COUNT, 2)));
    put(log, LM_POSIX, "/a", 1,
        WITH(I(POSIX_WRITES, 9), I(POSIX_ACCESS1_ACCESS, 200), I(POSIX_ACCESS1_COUNT, 4), I(POSIX_ACCESS2_ACCESS, 300),
             I(POSIX_ACCESS2_COUNT, 3), I(POSIX_ACCESS3_ACCESS, 400), I(POSIX_ACCESS3_COUNT, 2),
             I(POSIX_ACCESS4_ACCESS, 500), I(POSIX_ACCESS4_COUNT, 6)));
    known k = know(log);
    const iol__facts_use *use = use_of(&k, "/a", IOL_LAYER_POSIX);
    static const iol__facts_common expected[] = {{200, 8}, {500, 6}, {100, 5}, {300, 3}};
    for (int i = 0; i < IOL_COMMON; i++) {
        assert_int_equal(use->sizes[i].value, expected[i].value);
        assert_int_equal(use->sizes[i].count, expected[i].count);
    }
    assert_int_equal(use->strides[0].value, 7);
    assert_int_equal(use->strides[1].count, 0);
    forget(&k);
}

static void excess_is_one_ranks_own(void **state) {
    (void)state;
    lm_log *log = job_of(2);
    put(log, LM_POSIX, "/a", 0, WITH(I(POSIX_BYTES_READ, 100), I(POSIX_MAX_BYTE_READ, 99)));
    put(log, LM_POSIX, "/a", 1, WITH(I(POSIX_BYTES_READ, 150), I(POSIX_MAX_BYTE_READ, 119)));
    put(log, LM_MPIIO, "/a", 0, WITH(I(MPIIO_BYTES_READ, 150)));
    known k = know(log);
    const iol__facts_traffic *read = use_of(&k, "/a", IOL_LAYER_POSIX)->direction[IOL_READ];
    assert_int_equal(read->excess, 30);
    assert_int_equal(read->max_byte, 119);
    assert_int_equal(use_of(&k, "/a", IOL_LAYER_MPIIO)->direction[IOL_READ]->max_byte, -1);
    assert_int_equal(use_of(&k, "/a", IOL_LAYER_MPIIO)->direction[IOL_READ]->excess, 0);
    forget(&k);
}

static void times_and_calls_are_gathered(void **state) {
    (void)state;
    lm_log *log = job_of(2);
    put(log, LM_POSIX, "/a", 0,
        WITH(I(POSIX_STATS, 2), I(POSIX_SEEKS, 3), I(POSIX_FSYNCS, 4), I(POSIX_FDSYNCS, 5), I(POSIX_MMAPS, 6),
             I(POSIX_READS, 1), I(POSIX_RW_SWITCHES, 7), I(POSIX_FILE_NOT_ALIGNED, 8), I(POSIX_FILE_ALIGNMENT, 4096),
             I(POSIX_MAX_READ_TIME_SIZE, 77), F(POSIX_F_MAX_READ_TIME, 0.5), F(POSIX_F_READ_START_TIMESTAMP, 3),
             F(POSIX_F_READ_END_TIMESTAMP, 5), F(POSIX_F_OPEN_START_TIMESTAMP, 2), F(POSIX_F_CLOSE_START_TIMESTAMP, 6),
             F(POSIX_F_CLOSE_END_TIMESTAMP, 8)));
    put(log, LM_POSIX, "/a", 1,
        WITH(I(POSIX_READS, 1), I(POSIX_FILE_ALIGNMENT, -1), I(POSIX_MAX_READ_TIME_SIZE, 88),
             F(POSIX_F_MAX_READ_TIME, 0.25), F(POSIX_F_READ_START_TIMESTAMP, 1), F(POSIX_F_READ_END_TIMESTAMP, 4)));
    put(log, LM_STDIO, "/s", 0, WITH(I(STDIO_OPENS, 5), I(STDIO_FDOPENS, 2), I(STDIO_FLUSHES, 3)));
    known k = know(log);
    const iol__facts_use *use = use_of(&k, "/a", IOL_LAYER_POSIX);
    const iol__facts_traffic *read = use->direction[IOL_READ];
    assert_int_equal(use->stats, 2);
    assert_int_equal(use->seeks, 3);
    assert_int_equal(use->syncs, 9);
    assert_int_equal(use->mmaps, 6);
    assert_int_equal(use->rw_switches, 7);
    assert_int_equal(use->file_not_aligned, 8);
    assert_int_equal(use->file_alignment, 4096);
    assert_true(read->slowest == 0.5 && read->slowest_size == 77);
    assert_true(read->first == 1 && read->last == 5);
    assert_true(use->first_open == 2 && use->last_close == 8 && use->close_span == 2);
    assert_int_equal(use->direction[IOL_WRITE]->ops, 0);
    assert_int_equal(use_of(&k, "/s", IOL_LAYER_STDIO)->opens, 3);
    assert_int_equal(use_of(&k, "/s", IOL_LAYER_STDIO)->syncs, 3);
    forget(&k);
}

static void the_top_layers_time_counts(void **state) {
    (void)state;
    lm_log *log = job_of(4);
    put(log, LM_MPIIO, "/mpi", -1, WITH(I(MPIIO_COLL_WRITES, 4), F(MPIIO_F_SLOWEST_RANK_TIME, 10)));
    put(log, LM_POSIX, "/mpi", -1, WITH(I(POSIX_WRITES, 4), F(POSIX_F_SLOWEST_RANK_TIME, 7)));
    put(log, LM_POSIX, "/mpi", 1, WITH(I(POSIX_WRITES, 4), F(POSIX_F_WRITE_TIME, 7)));
    put(log, LM_POSIX, "/own", 1, WITH(I(POSIX_WRITES, 4), F(POSIX_F_WRITE_TIME, 3)));
    put(log, LM_POSIX, "/own2", 2, WITH(I(POSIX_WRITES, 4), F(POSIX_F_META_TIME, 2), I(POSIX_BYTES_READ, 5)));
    put(log, LM_STDIO, "/own2", 2, WITH(I(STDIO_WRITES, 4), F(STDIO_F_WRITE_TIME, 2)));
    known k = know(log);
    assert_true(k.facts.io_time == 10 + 4);
    assert_int_equal(k.facts.n_top, 3);
    assert_true(k.facts.top_time[1] == 3 && k.facts.top_time[2] == 4);
    const iol__facts_layer_ranks *posix = &k.facts.ranks[IOL_LAYER_POSIX];
    assert_int_equal(posix->count, 3);
    assert_true(posix->ranks[1].time[IOL_WRITE] == 10 && posix->ranks[1].files == 2);
    assert_true(posix->ranks[2].meta_time == 2 && posix->ranks[2].bytes[IOL_READ] == 5);
    assert_true(posix->whole_slowest == 7);
    iol__facts_layer layer;
    assert_non_null(iol__facts_top(file_of(&k, "/mpi"), &layer));
    assert_int_equal(layer, IOL_LAYER_MPIIO);
    assert_int_equal(file_of(&k, "/mpi")->mpiio->coll[IOL_WRITE], 4);
    assert_null(file_of(&k, "/own")->mpiio);
    /* As a stream and by descriptor: both. Below MPI-IO: once. */
    assert_true(iol__facts_file_slowest(file_of(&k, "/own2")) == 4);
    assert_true(iol__facts_file_slowest(file_of(&k, "/mpi")) == iol__facts_slowest_time(file_of(&k, "/mpi")->layer[0]));
    forget(&k);
}

static void metadata_of_shared_files_has_bounds(void **state) {
    (void)state;
    lm_log *log = job_of(10);
    put(log, LM_POSIX, "/a", -1, WITH(F(POSIX_F_META_TIME, 20), F(POSIX_F_SLOWEST_RANK_TIME, 6)));
    put(log, LM_POSIX, "/b", -1, WITH(F(POSIX_F_META_TIME, 3), F(POSIX_F_SLOWEST_RANK_TIME, 6)));
    known k = know(log);
    assert_true(k.facts.ranks[IOL_LAYER_POSIX].whole_meta == 23);
    assert_true(k.facts.ranks[IOL_LAYER_POSIX].whole_meta_capped == 9);
    assert_true(fabs(iol__facts_time_excess(&k.facts, use_of(&k, "/a", IOL_LAYER_POSIX)) - 4) < near);
    forget(&k);
}

static void impossible_ranks_and_times_are_left_out(void **state) {
    (void)state;
    lm_log *log = job_of(4);
    put(log, LM_POSIX, "/a", INT64_MAX, WITH(I(POSIX_READS, 1), F(POSIX_F_READ_TIME, 5)));
    put(log, LM_POSIX, "/b", -7, WITH(I(POSIX_READS, 1), F(POSIX_F_READ_TIME, 5)));
    put(log, LM_POSIX, "/c", 0, WITH(I(POSIX_READS, 1), F(POSIX_F_READ_TIME, -2662), F(POSIX_F_META_TIME, -0.001)));
    put(log, LM_POSIX, "/d", 0, WITH(I(POSIX_READS, -1), F(POSIX_F_READ_TIME, -1)));
    known k = know(log);
    assert_int_equal(k.facts.no_rank, 2);
    assert_int_equal(k.facts.odd, 1);
    assert_true(iol__facts_time(use_of(&k, "/c", IOL_LAYER_POSIX)) == 0);
    assert_int_equal(use_of(&k, "/b", IOL_LAYER_POSIX)->records, 1);
    forget(&k);
}

static void libraries_tell_about_their_files(void **state) {
    (void)state;
    lm_log *log = job_of(4);
    uint64_t file = lm_id("/a.h5"), netcdf = lm_id("/a.nc");
    put(log, LM_H5F, "/a.h5", -1, WITH(I(H5F_OPENS, 4), I(H5F_FLUSHES, 2), I(H5F_USE_MPIIO, 1)));
    put_owned(log, LM_H5D, "/a.h5:/x", 0, file,
              WITH(I(H5D_WRITES, 10), I(H5D_BYTES_WRITTEN, 1000), I(H5D_DATATYPE_SIZE, 8), I(H5D_CHUNK_SIZE_D1, 10),
                   I(H5D_CHUNK_SIZE_D2, 6), I(H5D_REGULAR_HYPERSLAB_SELECTS, 3)));
    put_owned(log, LM_H5D, "/a.h5:/y", 0, file,
              WITH(I(H5D_READS, 10), I(H5D_BYTES_READ, 1200), I(H5D_DATATYPE_SIZE, 8), I(H5D_CHUNK_SIZE_D1, 60),
                   I(H5D_USE_MPIIO_COLLECTIVE, 1)));
    put_owned(log, LM_H5D, "/b.h5:/z", 0, 0, WITH(I(H5D_READS, 10)));
    put(log, LM_PNETCDF_FILE, "/a.nc", -1, WITH(I(PNETCDF_FILE_CREATES, 1), I(PNETCDF_FILE_OPENS, 2)));
    put_owned(log, LM_PNETCDF_VAR, "/a.nc:v", -1, netcdf,
              WITH(I(PNETCDF_VAR_INDEP_WRITES, 5), I(PNETCDF_VAR_COLL_READS, 6), I(PNETCDF_VAR_BYTES_WRITTEN, 7)));
    known k = know(log);
    const iol__facts_hdf5 *h = file_of(&k, "/a.h5")->hdf5;
    assert_true(h->mpiio && h->file_records == 1 && h->dataset_records == 2 && h->collective == 1);
    assert_int_equal(h->opens, 4);
    assert_int_equal(h->reads + h->writes, 20);
    assert_int_equal(h->regular, 3);
    assert_int_equal(h->indep_ops, 10);
    assert_int_equal(h->indep_bytes, 1000);
    assert_int_equal(h->partial_chunks, 1); /* 100 bytes of chunks of 480; 120 are a quarter */
    assert_int_equal(h->worst_dataset, lm_id("/a.h5:/x"));
    assert_int_equal(h->worst_chunk, 480);
    assert_int_equal(h->partial_pieces, 10);
    const iol__facts_pnetcdf *p = file_of(&k, "/a.nc")->pnetcdf;
    assert_int_equal(p->opens, 3);
    assert_int_equal(p->indep[IOL_WRITE], 5);
    assert_int_equal(p->coll[IOL_READ], 6);
    assert_int_equal(p->bytes[IOL_WRITE], 7);
    assert_int_equal(k.facts.n_files, 2);
    forget(&k);
}

static void stripes_are_kept_with_their_servers(void **state) {
    (void)state;
    lm_log *log = job_of(4);
    const lm_component components[] = {{{65536, 1, 0, 0, 0, 1048576, 1}, "p"},
                                       {{1048576, 3, 0, 0, 1048576, -1, 1}, "p"}};
    const int64_t osts[] = {4, 7, 8, 9};
    bytes *records = lm_records(log, LM_LUSTRE, 2);
    lm_lustre_2(records, lm_id("/a"), 0, components, 2, osts, 4);
    lm_lustre_2(records, lm_id("/a"), 1, components, 1, osts, 1);
    static const char servers[] = "{\"testfs\":{\"mount\":\"/scratch\",\"osts\":96,\"mdts\":4}}";
    lm_trailer(log, "LUST", 0, servers, sizeof servers - 1);
    known k = know(log);
    const iol__facts_lustre *lustre = file_of(&k, "/a")->lustre;
    assert_int_equal(lustre->fs_osts, 96);
    assert_int_equal(lustre->fs_mdts, 4);
    assert_int_equal(lustre->components, 2);
    assert_int_equal(lustre->stripes[0].end, 1048576);
    assert_int_equal(lustre->stripes[1].size, 1048576);
    assert_int_equal(lustre->stripes[1].count, 3);
    assert_int_equal(lustre->stripes[1].osts[2], 9);
    forget(&k);
}

static void visit(void *context, iol__facts *facts, iol_records *records, const iol_record *record) {
    iol_segment segments[4];
    size_t got, *seen = context;
    if (iol_record_slot(record) != IOL_SLOT_DXT_POSIX) return;
    assert_non_null(iol__facts_find(facts, iol_record_id(record)));
    assert_int_equal(iol_records_segments(records, segments, 4, &got), IOL_OK);
    *seen += got;
}

static void traces_are_for_visitors(void **state) {
    (void)state;
    lm_log *log = job_of(1);
    const lm_segment segments[2] = {{0, 10, 1, 2, 0}, {10, 10, 2, 3, 0}};
    put(log, LM_POSIX, "/a", 0, WITH(I(POSIX_WRITES, 2)));
    lm_trace(lm_records(log, LM_DXT_POSIX, 1), lm_id("/a"), 0, "node", segments, 2, 0, false);
    lm_sample(log, LM_HEATMAP, 1, 6, 0, 1);
    opened o = opened_from(log);
    iol__facts facts;
    size_t seen = 0;
    assert_true(iol__facts_make(o.log, visit, &seen, &facts));
    assert_int_equal(seen, 2);
    assert_int_equal(facts.n_files, 1);
    assert_true(facts.modules[IOL_SLOT_HEATMAP].readable);
    iol__facts_free(&facts);
    assert_true(iol__facts_make(o.log, NULL, NULL, &facts));
    assert_true(facts.modules[IOL_SLOT_DXT_POSIX].listed && !facts.modules[IOL_SLOT_DXT_POSIX].readable);
    iol__facts_free(&facts);
    opened_close(&o);
}

static void the_job_is_described(void **state) {
    (void)state;
    lm_log *log = job_of(0);
    log->end = log->end_ns = 0;
    log->partial_flags = UINT64_C(1) << LM_POSIX;
    put(log, LM_POSIX, "/a", 0, WITH(I(POSIX_WRITES, 2)));
    log->slots[LM_POSIX].payload.length -= 8; /* damaged */
    known k = know(log);
    assert_int_equal(k.facts.processes, 1);
    assert_true(k.facts.run_time == 0);
    assert_int_equal(k.facts.partial, UINT64_C(1) << IOL_SLOT_POSIX);
    assert_int_equal(k.facts.unreadable, UINT64_C(1) << IOL_SLOT_POSIX);
    assert_int_equal(k.facts.damaged, UINT64_C(1) << IOL_SLOT_POSIX);
    assert_true(iol__facts_damaged(&k.facts));
    assert_int_equal(k.facts.n_files, 0);
    forget(&k);
}

static void a_module_may_be_there_in_part(void **state) {
    (void)state;
    lm_log *log = job_of(1);
    put(log, LM_POSIX, "/a", 0, WITH(I(POSIX_WRITES, 2)));
    put(log, LM_POSIX, "/b", 0, WITH(I(POSIX_WRITES, 2)));
    put(log, LM_STDIO, "/b", 0, WITH(I(STDIO_WRITES, 2)));
    log->slots[LM_POSIX].payload.length -= 8;
    known k = know(log);
    assert_int_equal(k.facts.damaged, UINT64_C(1) << IOL_SLOT_POSIX);
    assert_int_equal(k.facts.unreadable, 0);
    assert_int_equal(k.facts.modules[IOL_SLOT_POSIX].all.records, 1);
    forget(&k);
}

static void a_table_has_its_limit(void **state) {
    (void)state;
    iol__facts_store store = {.budget = 400};
    iol__facts facts = {.store = &store};
    assert_non_null(iol__facts_enter(&facts, 1));
    assert_non_null(iol__facts_enter(&facts, 2));
    assert_null(iol__facts_enter(&facts, 3));
    assert_non_null(iol__facts_enter(&facts, 1));
    assert_int_equal(facts.n_files, 2);
    assert_int_equal(facts.no_file, 1);
    iol__idmap_free(&store.ids);
    free(facts.file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_over_all_and_over_shared_records),
        cmocka_unit_test(sums_do_not_run_over),
        cmocka_unit_test(sharing_has_three_classes),
        cmocka_unit_test(records_of_ranks_give_extremes),
        cmocka_unit_test(effective_ranks_count_those_that_carry),
        cmocka_unit_test(first_accesses_are_not_random),
        cmocka_unit_test(exactly_one_mebibyte_is_not_small),
        cmocka_unit_test(common_values_are_merged),
        cmocka_unit_test(excess_is_one_ranks_own),
        cmocka_unit_test(times_and_calls_are_gathered),
        cmocka_unit_test(the_top_layers_time_counts),
        cmocka_unit_test(metadata_of_shared_files_has_bounds),
        cmocka_unit_test(impossible_ranks_and_times_are_left_out),
        cmocka_unit_test(libraries_tell_about_their_files),
        cmocka_unit_test(stripes_are_kept_with_their_servers),
        cmocka_unit_test(traces_are_for_visitors),
        cmocka_unit_test(the_job_is_described),
        cmocka_unit_test(a_module_may_be_there_in_part),
        cmocka_unit_test(a_table_has_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
