/* Files of a run, put together as record/mapped.h describes them. */
#include "tests/support/runmaker.h"

#include <stdlib.h>
#include <string.h>

#include "record/spool_frame.h"

void rm_make(lm_log *log, const iol__mapped *facts) {
    iol__mapped block = *facts;
    lm_make_mapped(log);
    memcpy(block.magic, IOL_MAPPED_MAGIC, sizeof block.magic);
    block.bytes = sizeof block;
    if (block.zero_s == 0) {
        block.zero_s = log->start;
        block.zero_ns = log->start_ns;
    }
    log->start = block.zero_s;
    log->start_ns = block.zero_ns;
    log->processes = 1;
    log->facts.length = 0;
    bytes_raw(&log->facts, &block, sizeof block);
}

static void put_segment(bytes *b, const lm_segment *segment) {
    bytes_i64(b, segment->offset);
    bytes_i64(b, segment->length);
    bytes_f64(b, segment->start);
    bytes_f64(b, segment->end);
    bytes_u64(b, segment->thread);
}

void rm_trace(lm_log *log, int slot, uint64_t id, bool write, const lm_segment *segments, uint32_t used,
              uint32_t room) {
    bytes *b = &log->chunks;
    bytes_u64(b, id);
    bytes_u32(b, (uint32_t)slot);
    bytes_u32(b, write);
    bytes_u32(b, room);
    bytes_u32(b, used);
    bytes_u64(b, 0);
    for (uint32_t i = 0; i < used; i++) put_segment(b, &segments[i]);
    bytes_fill(b, 0xa5, (size_t)(room - used) * 40);
}

static void put_frame(bytes *spool, const uint8_t *frame, size_t length, size_t unpacked) {
    if (spool->length == 0) {
        bytes_raw(spool, IOL_SPOOL_MAGIC, 8);
        bytes_fill(spool, 0, sizeof(iol__spool_head) - 8);
    }
    size_t padded = (length + 7) / 8 * 8;
    bytes_u64(spool, padded);
    bytes_u64(spool, unpacked);
    bytes_raw(spool, frame, length);
    bytes_fill(spool, 0, padded - length);
    put_u64(spool->data + 8, spool->length, false);
}

void rm_spool_bytes(bytes *spool, const uint8_t *frame, size_t length) { put_frame(spool, frame, length, 0); }

void rm_spool(bytes *spool, lm_log *log) {
    size_t length;
    log->packed = true;
    uint8_t *frame = lm_finish(log, &length);
    lm_free(log);
    const size_t unpacked = (length + IOL_SPOOL_FRAME_LINE - 1) / IOL_SPOOL_FRAME_LINE * IOL_SPOOL_FRAME_LINE;
    if (unpacked <= IOL_SPOOL_FRAME_MOST) {
        static uint8_t room[IOL_SPOOL_FRAME_ROOM];
        iol__packing packing;
        iol__spool_frame_begin(&packing, room, unpacked);
        iol__spool_frame_add(&packing, frame, length);
        put_frame(spool, room, packing.used, unpacked);
    } else {
        rm_spool_bytes(spool, frame, length);
    }
    free(frame);
}

void rm_process(bytes *list, const iol__mapped *facts, const char *command, uint64_t how) {
    size_t length = strlen(command), padded = (length + 7) / 8 * 8;
    bytes_u32(list, (uint32_t)(sizeof(iol__process_entry) + padded));
    bytes_u32(list, (uint32_t)facts->pid);
    bytes_u32(list, (uint32_t)facts->parent);
    bytes_u32(list, (uint32_t)length);
    bytes_u64(list, facts->born);
    bytes_u64(list, facts->run);
    bytes_u64(list, (uint64_t)facts->zero_s);
    bytes_u64(list, (uint64_t)facts->zero_ns);
    bytes_f64(list, facts->start);
    bytes_u64(list, how);
    bytes_raw(list, command, length);
    bytes_fill(list, 0, padded - length);
}
