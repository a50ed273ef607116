/* Footer and sections of the trailer, on bytes in memory; and the CRC that guards them. */
#include "record/trailer.h"

#include <string.h>

static const uint8_t magic[8] = "IOLTRAIL";

const char iol__trailer_words[] =
    "\"POSIX\":1,\"STDIO\":1,\"MPI-IO\":1,\"trace_lost\":1,\"lost\":1,\"ring_unseen\":1,\"calls_unseen\":1,\"stopped\":"
    "1,"
    "\"trailer_lost\":1,\"mount\":\"/lustre\",\"osts\":1,\"mdts\":1},\"scratch\":{\"mount\":\"/scratch\",\"link\":{"
    "\"symlink\":{\"readlink\":{\"opendir\":{\"readdir\":{\"chmod\":{\"chown\":{\"utime\":{\"truncate\":{\"fallocate\":"
    "{"
    "\"xattr\":{\"rmdir\":{\"mkdir\":{\"rename\":{\"mmap\":{\"fcntl\":{\"ioctl\":{\"flock\":{\"access\":{\"statfs\":{"
    "\"unlink\":{\"sync\":{\"seek\":{\"stat\":{\"open_direct\":{\"open_sync\":{\"scheduler\":\"PBS\",\"scheduler_job\":"
    "\""
    "\"scheduler\":\"Slurm\",\"scheduler_job\":\"nid[001-nid0000node[01-node01"
    "\",\"mpi\":\"Intel(R) MPI Library 2021.\",\"mpi\":\"CRAY MPICH version 8.1.\",\"mpi\":\"MPICH Version:\\t4.3."
    "\",\"mpi\":\"Open MPI v5.0.\",\"mpi\":\"Open MPI v4.1.4\",\"kernel\":\"4.18.0-553.el8.x86_64"
    "\",\"kernel\":\"5.14.0-.el9_x86_64\",\"kernel\":\"6.1.0-amd64\",\"machine\":\"aarch64\",\"processor\":\"Neoverse-"
    "V2"
    "\",\"machine\":\"ppc64le\",\"machine\":\"x86_64\",\"processor\":\"AMD EPYC 7763 64-Core Processor"
    "\",\"machine\":\"x86_64\",\"processor\":\"Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz"
    "\",\"machine\":\"x86_64\",\"processor\":\"Intel(R) Xeon(R) Platinum 8480+"
    "\",\"page_bytes\":65536,\"container\":\"apptainer\"}\",\"page_bytes\":4096,\"container\":\"docker\"}"
    " Processor\",\"page_bytes\":4096,\"container\":\"\"}LUST{FOLD{"
    "OPER{\"open\":{\"count\":1,\"failed\":0,\"time\":0.000,\"slowest\":0.0000},\"close\":{\"count\":1,\"failed\":0,"
    "\"time\":0.0000,\"slowest\":0.00000}}\0PLAT{\"nodes\":1,\"ranks_per_node_min\":1,\"ranks_per_node_max\":1,"
    "\"node_list\":\"";

size_t iol__trailer_words_length(void) { return sizeof iol__trailer_words - 1; }

static uint64_t trailer_little(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int i = count - 1; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

bool iol__trailer_footer_parse(const uint8_t bytes[IOL_TRAILER_FOOTER], iol__trailer_footer *footer) {
    if (memcmp(bytes, magic, sizeof magic) != 0) return false;
    footer->version = (uint32_t)trailer_little(bytes + 8, 4);
    footer->crc = (uint32_t)trailer_little(bytes + 12, 4);
    footer->offset = trailer_little(bytes + 16, 8);
    footer->length = trailer_little(bytes + 24, 8);
    return true;
}

bool iol__trailer_next(const uint8_t *bytes, size_t length, size_t *at, iol__trailer_section *section, bool *damaged) {
    size_t left = length - *at;
    *damaged = false;
    if (left == 0) return false;
    *damaged = true;
    if (left < IOL_TRAILER_HEAD) return false;
    const uint8_t *head = bytes + *at;
    memcpy(section->tag, head, 4);
    section->tag[4] = 0;
    section->method = (uint32_t)trailer_little(head + 4, 4);
    section->stored = trailer_little(head + 8, 8);
    section->raw = trailer_little(head + 16, 8);
    section->bytes = head + IOL_TRAILER_HEAD;
    if (section->stored > left - IOL_TRAILER_HEAD) return false;
    *damaged = false;
    *at += IOL_TRAILER_HEAD + (size_t)section->stored;
    return true;
}

static void put_trailer_little(uint8_t *bytes, uint64_t value, int count) {
    for (int i = 0; i < count; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

void iol__trailer_head(uint8_t bytes[IOL_TRAILER_HEAD], const char *tag, uint32_t method, uint64_t stored,
                       uint64_t raw) {
    memcpy(bytes, tag, 4);
    put_trailer_little(bytes + 4, method, 4);
    put_trailer_little(bytes + 8, stored, 8);
    put_trailer_little(bytes + 16, raw, 8);
}

bool iol__trailer_text(const uint8_t *bytes, size_t length, size_t *at, iol__trailer_section *section, bool *damaged) {
    const size_t left = length - *at;
    const uint8_t *begin = bytes + *at + IOL_TRAILER_TAG;
    *damaged = left > 0;
    const uint8_t *end = left > IOL_TRAILER_TAG ? memchr(begin, 0, left - IOL_TRAILER_TAG) : NULL;
    if (!end) return false;
    *damaged = false;
    *section = (iol__trailer_section){.method = IOL_TRAILER_STORED, .bytes = begin};
    section->stored = section->raw = (uint64_t)(end - begin);
    memcpy(section->tag, bytes + *at, IOL_TRAILER_TAG);
    *at = (size_t)(end - bytes) + 1;
    return true;
}

void iol__trailer_footer_write(uint8_t bytes[IOL_TRAILER_FOOTER], const iol__trailer_footer *footer) {
    memcpy(bytes, magic, sizeof magic);
    put_trailer_little(bytes + 8, footer->version, 4);
    put_trailer_little(bytes + 12, footer->crc, 4);
    put_trailer_little(bytes + 16, footer->offset, 8);
    put_trailer_little(bytes + 24, footer->length, 8);
}

/* The reflected polynomial of zlib and Ethernet, four bits at a time: small, and fast enough for a trailer. */
uint32_t iol__crc32(uint32_t crc, const void *bytes, size_t length) {
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const uint8_t *at = bytes;
    crc = ~crc;
    for (size_t i = 0; i < length; i++) {
        crc = crc >> 4 ^ table[(crc ^ at[i]) & 15];
        crc = crc >> 4 ^ table[(crc ^ (uint32_t)(at[i] >> 4)) & 15];
    }
    return ~crc;
}
