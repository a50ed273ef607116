// A page document with everything in it, made up but consistent, and the same every time: many files, hostile names,
// processes, striping, unknown values. What real logs rarely have together is tested with it.

/** Pseudo-random numbers that are the same on every machine. */
function numbers(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

export const hostileNames = [
    `/scratch/<img src=x onerror="window.broken=1">.h5`,
    `/scratch/"quotes" and 'more', with commas.dat`,
    "/scratch/two\nlines\tand a tab",
    "/scratch/\u202egnp.exe",
    "</script><script>window.broken=1</script>",
];

const finding = (level, index, more = {}) => ({
    schema: "iolite.finding/1",
    id: `posix.test.${level}`,
    rule_version: 1,
    aliases: ["P99"],
    level,
    audience: ["user"],
    title: `Finding ${index} of level ${level}: 1,000 requests of 4 KiB`,
    note: "It is so because it is so.",
    subject: { kind: "file", file_id: String(1000 + index), name: hostileNames[0], files: 3 },
    figures: { requests: 1000, bytes: 4096000, lost_share: 0.25, slowest_s: 12.5, slowest_rank: 3 },
    thresholds: { "posix.small.bytes": 1048576 },
    cost: {
        lost_s: 20 - index * 3,
        lost_s_lo: 10 - index,
        lost_s_hi: 30,
        share_of_runtime: 0.2 - index * 0.03,
        lost_node_h: 0.5,
        model: "latency",
    },
    confidence: { value: 0.56, label: "medium", factors: { data: 1, attribution: 0.8, model: 0.7 } },
    evidence: [
        { kind: "file", file_id: "1007", name: "/scratch/run/output-00007.dat", lost_s: 9 },
        {
            kind: "record",
            module: "POSIX",
            file_id: "1007",
            name: "/scratch/run/output-00007.dat",
            rank: 3,
            counters: { POSIX_WRITES: 1000 },
        },
        { kind: "timerange", t0: 10, t1: 20, ranks: "all" },
    ],
    advice: [
        {
            action: "buffer",
            text: "Write in larger pieces.",
            applies_to: "source",
            effort: "few lines",
            check: "POSIX_WRITES falls",
            snippet: { lang: "c", code: "setvbuf(stream, NULL, _IOFBF, 1 << 20);\n" },
        },
    ],
    suppresses: [],
    related: [],
    ...more,
});

function filesTable(amount) {
    const random = numbers(7);
    const columns = {};
    for (let row = 0; row < amount; row += 1) {
        const time = 40 / (row + 1);
        const [reads, writes] = [Math.floor(random() * 1e4), Math.floor(random() * 1e3)];
        const values = {
            id: String(1000 + row),
            name: hostileNames[row] ?? `/scratch/run/output-${String(row).padStart(5, "0")}.dat`,
            mount: row % 3 === 0 ? 1 : 0,
            layers: row % 4 === 0 ? 0b11 : row % 5 === 0 ? 0b100 : 0b10,
            sharing: row % 3,
            ranks: row % 3 === 0 ? 1 : 16,
            bytes_read: reads * 4096,
            bytes_written: writes * 65536,
            reads,
            writes,
            opens: 1 + (row % 7),
            stats: row % 3,
            seeks: row % 11,
            syncs: 0,
            read_time: time * 2,
            write_time: time * 3,
            meta_time: time,
            time,
            share: time / 90,
            mean_read: 4096,
            mean_write: 65536,
            max_byte: row % 9 === 0 ? -1 : 1 << 20,
            effective_ranks: row % 3 ? 4.5 : null,
            stripe_count: row % 2 ? 4 : null,
            stripe_size: row % 2 ? 1048576 : null,
            first: random() * 10,
            last: 50 + random() * 40,
            small: reads,
            findings: row === 7 ? [0, 1] : [],
        };
        for (const [name, value] of Object.entries(values)) (columns[name] ??= []).push(value);
    }
    return {
        total: amount + 5,
        rows: amount,
        columns,
        layer_names: ["MPI-IO", "POSIX", "STDIO", "HDF5", "PNETCDF", "DFS", "DAOS"],
        left_out: { files: 5, bytes_read: 1000, bytes_written: 2000, time: 0.001 },
    };
}

const labels = ["0-100", "101-1K", "1K-10K", "10K-100K", "100K-1M", "1M-4M", "4M-10M", "10M-100M", "100M-1G", "1G+"];
const bins = (at, value) => labels.map((_, index) => (index === at ? value : 0));

/** Three regions of four ranks, one with a hostile name and without an end. */
function markedRegions() {
    const total = (name, io_time, more = {}) => ({
        name,
        ranks: 4,
        count: 12,
        unended: 0,
        unbalanced: 0,
        unmeasured: 0,
        time: 100,
        slowest: 9,
        first: 0,
        last: 95,
        io_time,
        io_share: io_time / 90,
        bytes_read: 0,
        bytes_written: 6e9,
        ...more,
    });
    const spans = (name, from, length) =>
        [0, 1, 2, 3].flatMap((rank) =>
            [0, 30, 60].map((step) => ({
                name,
                rank,
                t0: step + from + rank / 4,
                t1: length === null ? null : step + from + length,
            })),
        );
    return {
        io_time: 90,
        totals: [total("checkpoint", 72), total("compute", 0), total(hostileNames[0], 9, { unended: 12 })],
        spans: [...spans("checkpoint", 20, 8), ...spans("compute", 0, 19), ...spans(hostileNames[0], 29, null)],
        spans_lost: 5,
    };
}

/** Records of a module that only this document has. */
function customModule() {
    const counter = (name, unit, meaning, kind) => ({ name, unit, meaning, kind, rule: "sum" });
    return {
        name: "SOCKETS",
        meaning: "traffic over sockets, by peer",
        version: 1,
        failed: false,
        folded: 0,
        spans_lost: 0,
        schema: [
            counter("SOCKETS_SENDS", "calls", "sends to this peer", "int"),
            counter("SOCKETS_BYTES_SENT", "bytes", "bytes sent to it", "int"),
            counter("SOCKETS_F_FIRST", "seconds", "when it was first spoken to", "instant"),
        ],
        records: [0, 1].map((rank) => ({
            id: String(77 + rank),
            rank,
            name: rank === 0 ? "10.0.0.1 port 80" : hostileNames[0],
            counters: { SOCKETS_SENDS: 30 + rank, SOCKETS_BYTES_SENT: 1048576, SOCKETS_F_FIRST: rank ? 0 : 2.5 },
        })),
        records_left_out: 3,
        spans: [{ record_id: "77", name: "10.0.0.1 port 80", rank: 0, thread: "1", begin: 2, end: 12 }],
    };
}

export function syntheticDocument({ files = 20000, program = "a.out" } = {}) {
    const findings = ["high", "high", "warn", "info", "ok"].map((level, index) =>
        finding(level, index, index > 2 ? { cost: undefined } : {}),
    );
    return {
        schema: "iolite.page/1",
        tool: { name: "iolite", version: "0.0" },
        made: 1762430400,
        log: {
            name: "synthetic.darshan",
            version: "3.41",
            compression: "zlib",
            file_bytes: 123456,
            foreign_order: false,
            mapped: false,
        },
        job: {
            uid: 1000,
            job_id: 4711,
            exe: "/home/user/a.out --in <data>",
            program,
            start_time: 1762430000,
            start_nanoseconds: 0,
            end_time: 1762430100,
            end_nanoseconds: 0,
            run_time: 100,
            processes: 16,
            metadata: { lib_ver: "3.4.1", h: "romio_no_indep_rw=true" },
        },
        mounts: [
            { mount_point: "/scratch", fs_type: "lustre" },
            { mount_point: "/", fs_type: "ext4" },
        ],
        processes: Array.from({ length: 16 }, (_, rank) => ({
            rank,
            pid: 100 + rank,
            parent: rank === 0 ? 1 : rank < 8 ? 100 : 107,
            start: rank * 2,
            end: rank === 9 ? null : 90 - rank,
            ended: rank === 9 ? null : "exit",
            command: `python3 worker.py --rank ${rank}`,
        })),
        quality: {
            unfinished: false,
            job_damaged: false,
            common_accesses_unreliable: false,
            partial_modules: ["POSIX"],
            damaged_modules: [],
            unreadable_modules: [],
            older_modules: [],
            odd_records: 0,
            top_files_approximate: false,
            error_count: 0,
            errors: [],
        },
        modules: [
            {
                name: "POSIX",
                slot: 1,
                version: 4,
                bytes: 5000,
                partial: true,
                readable: true,
                damaged: false,
                records: 20005,
                bytes_read: 4e9,
                bytes_written: 6e9,
                reads: 1e6,
                writes: 2e5,
                time: 60,
                bytes_per_second: 1.6e8,
                totals: {
                    POSIX_OPENS: 20005,
                    POSIX_READS: 1e6,
                    POSIX_WRITES: 2e5,
                    POSIX_BYTES_READ: 4e9,
                    POSIX_F_READ_TIME: 30.5,
                    POSIX_MMAPS: 0,
                },
            },
            {
                name: "STDIO",
                slot: 9,
                version: 2,
                bytes: 400,
                partial: false,
                readable: true,
                damaged: false,
                records: 4,
                bytes_read: 10,
                bytes_written: 20,
                totals: { STDIO_OPENS: 4 },
            },
        ],
        diagnosis: {
            schema: "iolite.diagnosis/1",
            mode: "native",
            log: { name: "synthetic.darshan", bytes: 123456, hash: "0" },
            job: { nodes: 2, nodes_from: "trace" },
            io: { time: 60, share: 0.6, bytes_read: 4e9, bytes_written: 6e9, rate: 1.6e8, wall_time: null },
            totals: { high: 2, warn: 1, info: 1, ok: 1 },
            quality: ["POSIX is partial."],
            cannot_tell: ["There is no data from the servers."],
            phases: {
                source: null,
                resolution_s: null,
                count: 0,
                stretches: null,
                period_s: null,
                duty: null,
                idle_ranks: null,
                largest: [],
            },
            findings,
            thresholds: { "posix.small.bytes": 1048576, "posix.small.ratio": 0.1 },
        },
        cost: {
            run_time: 100,
            io_time: 60,
            other: 40,
            layers: [
                {
                    module: "MPI-IO",
                    mean: { read: 10, write: 30, meta: 2, wait: 0 },
                    slowest: { rank: 3, read: 12, write: 44, meta: 3 },
                },
                {
                    module: "POSIX",
                    mean: { read: 8, write: 25, meta: 5, wait: 0 },
                    slowest: { rank: 3, read: 10, write: 40, meta: 6 },
                },
            ],
        },
        bandwidth: [{ module: "MPI-IO", bytes: 1e10, time: 60, bytes_per_second: 1.6e8 }],
        sizes: [
            {
                module: "POSIX",
                labels,
                bounds: labels.map((_, index) => 10 ** index),
                reads: bins(2, 1e6),
                writes: bins(5, 2e5),
                read_bytes: bins(2, 4e9),
                write_bytes: bins(5, 6e9),
                estimated: true,
            },
            {
                module: "MPI-IO",
                labels,
                bounds: labels.map((_, index) => 10 ** index),
                reads: bins(1, 1e6),
                writes: bins(6, 1e3),
                read_bytes: bins(1, 4e9),
                write_bytes: bins(6, 6e9),
                estimated: true,
            },
        ],
        common: [
            {
                module: "POSIX",
                sizes: [
                    { value: 4096, count: 1e6 },
                    { value: 65536, count: 1e5 },
                ],
                strides: [{ value: 1048576, count: 100 }],
            },
        ],
        operations: [
            {
                module: "POSIX",
                ops: [
                    ["read", 1e6],
                    ["write", 2e5],
                    ["open", 20005],
                    ["stat", 5],
                    ["seek", 12],
                    ["mmap", 0],
                    ["fsync", 3],
                ].map(([name, count]) => ({ name, count })),
            },
        ],
        pattern: [
            {
                module: "POSIX",
                reads: { total: 1e6, sequential: 7e5, consecutive: 2e5 },
                writes: { total: 2e5, sequential: 2e5, consecutive: 1e5 },
            },
        ],
        file_counts: [
            {
                module: "POSIX",
                rows: [
                    ["total", 20005],
                    ["read_only", 100],
                    ["write_only", 19000],
                    ["read_write", 905],
                    ["created", 18000],
                ].map(([kind, count]) => ({ kind, count, mean_bytes: 1e6, max_bytes: 1e9 })),
            },
        ],
        categories: [
            { name: "/scratch", bytes_read: 4e9, bytes_written: 6e9, files_read: 1000, files_written: 19000 },
            { name: "/home", bytes_read: 1e4, bytes_written: 0, files_read: 3, files_written: 0 },
        ],
        filesystems: [
            {
                mount_point: "/scratch",
                fs_type: "lustre",
                files: 19000,
                bytes_read: 4e9,
                bytes_written: 6e9,
                reads: 1e6,
                writes: 2e5,
                time: 58,
                share: 0.97,
            },
            {
                mount_point: "/",
                fs_type: "ext4",
                files: 1005,
                bytes_read: 1e4,
                bytes_written: 0,
                reads: 10,
                writes: 0,
                time: 2,
                share: 0.03,
            },
        ],
        mean_io: ["independent", "shared"].flatMap((kind) =>
            ["read", "write", "meta"].map((op) => ({ kind, op, seconds: 1.5, bytes: op === "meta" ? null : 1e8 })),
        ),
        variance: [
            {
                id: "1001",
                name: hostileNames[1],
                processes: 16,
                fastest: { rank: 2, time: 1, bytes: 1e6 },
                slowest: { rank: 3, time: 12, bytes: 2e6 },
                sigma_time: 2.5,
                sigma_bytes: 1e5,
            },
        ],
        files: filesTable(files),
        records: {
            POSIX: {
                counters: ["POSIX_OPENS", "POSIX_READS", "POSIX_F_READ_TIME", "POSIX_MMAPS"],
                rows: [
                    { id: "1007", rank: 3, values: [1, 2000, 1.25, -1] },
                    { id: "1007", rank: 4, values: [1, 10, 0.5, -1] },
                ],
            },
        },
        counters: {
            POSIX_OPENS: { meaning: "files opened", unit: "calls" },
            POSIX_READS: { meaning: "read calls", unit: "calls" },
            POSIX_WRITES: { meaning: "write calls", unit: "calls" },
            POSIX_BYTES_READ: { meaning: "bytes read", unit: "bytes" },
            POSIX_F_READ_TIME: { meaning: "time in reads", unit: "seconds" },
            POSIX_MMAPS: { meaning: "maps", unit: "calls" },
            STDIO_OPENS: { meaning: "streams opened", unit: "calls" },
        },
        regions: markedRegions(),
        added: [customModule()],
    };
}
