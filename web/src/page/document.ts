// The page document `iolite.page/1` (docs/page.md) as types: what `iolite report` embeds and the portal will fetch.
// Tables are column-wise, so that twenty thousand files stay small and quick to parse.

export type Level = "high" | "warn" | "info" | "ok";
export type Figures = Record<string, number | string | boolean | null>;

export interface Table<Columns> {
    rows: number;
    columns: Columns;
}

export interface Job {
    uid: number | string;
    job_id: number | string;
    exe: string;
    exe_hex?: string;
    program: string;
    start_time: number;
    start_nanoseconds?: number;
    end_time: number;
    end_nanoseconds?: number;
    run_time: number;
    processes: number;
    metadata: Record<string, string>;
}

export interface Log {
    name: string;
    version: string;
    compression: string;
    file_bytes: number;
    foreign_order: boolean;
    mapped: boolean;
}

export interface Mount {
    mount_point: string;
    fs_type: string;
}

export interface Process {
    rank: number;
    pid: number;
    parent: number | null;
    start: number | null;
    end: number | null;
    ended: string | null;
    command: string;
    images?: string[];
    stdin?: unknown;
    stdout?: unknown;
    stderr?: unknown;
}

export interface LogError {
    status: string;
    slot: number | null;
    offset: number | null;
    message: string;
}

export interface Quality {
    unfinished: boolean;
    job_damaged: boolean;
    common_accesses_unreliable: boolean;
    partial_modules: string[];
    damaged_modules: string[];
    unreadable_modules: string[];
    older_modules: string[];
    odd_records: number;
    top_files_approximate: boolean;
    error_count: number;
    errors: LogError[];
}

export interface Performance {
    total_bytes: number;
    slowest_rank: number;
    slowest_rank_io_time: number;
    slowest_rank_meta_time: number;
    slowest_rank_rw_time: number;
    shared_time: number;
    time: number;
    mib_per_second: number;
}

export interface Module {
    name: string | null;
    slot: number;
    version: number;
    bytes: number;
    partial: boolean;
    readable: boolean;
    damaged: boolean;
    records: number;
    bytes_read?: number;
    bytes_written?: number;
    reads?: number;
    writes?: number;
    read_time?: number;
    write_time?: number;
    meta_time?: number;
    time?: number;
    bytes_per_second?: number | null;
    share_of_run_time?: number | null;
    metadata_share?: number | null;
    totals?: Record<string, number | null>;
    performance?: Performance;
    files?: Record<string, { count: number; bytes: number; max_offset: number }>;
}

export interface Evidence {
    kind: "file" | "record" | "segment" | "timerange" | string;
    module?: string;
    file_id?: string;
    name?: string;
    rank?: number;
    lost_s?: number | null;
    figures?: Figures;
    counters?: Figures;
    index?: number;
    direction?: string;
    offset?: number;
    length?: number;
    t0?: number;
    t1?: number;
    ranks?: "all" | string | number[] | { first: number; last: number };
}

export interface Advice {
    action: string;
    text: string;
    applies_to?: string;
    effort?: string;
    check?: string;
    snippet?: { lang: string; code: string };
}

export interface Finding {
    id: string;
    rule_version: number;
    aliases: string[];
    level: Level;
    audience: string[];
    title: string;
    note?: string;
    subject: { kind: string; file_id?: string; name?: string; files?: number };
    figures: Figures;
    thresholds: Figures;
    cost?: {
        lost_s: number | null;
        lost_s_lo: number | null;
        lost_s_hi: number | null;
        share_of_runtime: number | null;
        lost_node_h: number | null;
        model: string;
    };
    confidence: { value: number; label: string; factors: Record<string, number> };
    evidence: Evidence[];
    evidence_left_out?: number;
    advice: Advice[];
    suppresses: string[];
    related: string[];
    /** Where in the program it is, and how much of the I/O time is there. */
    region?: string;
    region_io_share?: number | null;
}

export interface Diagnosis {
    job: { nodes?: number | null; nodes_from?: string | null };
    io: {
        /** false: times add up to more than the run, so that time, share and rate mean nothing. */
        time_known?: boolean;
        time: number | null;
        share: number | null;
        bytes_read: number;
        bytes_written: number;
        rate: number | null;
        wall_time: number | null;
    };
    totals: Partial<Record<Level, number>>;
    quality: string[];
    cannot_tell: string[];
    phases: {
        source: string | null;
        resolution_s: number | null;
        count: number;
        stretches: number | null;
        period_s: number | null;
        duty: number | null;
        idle_ranks: number | null;
        largest: Record<string, number | null>[];
    };
    findings: Finding[];
    thresholds: Figures;
}

export interface CostLayer {
    module: string;
    mean: { read: number; write: number; meta: number; wait?: number | null };
    slowest?: { rank: number | null; read: number; write: number; meta: number } | null;
}

export interface Cost {
    run_time: number;
    layers: CostLayer[];
    io_time: number | null;
    other: number | null;
}

export interface Sizes {
    module: string;
    labels: string[];
    bounds: (number | null)[];
    reads: number[];
    writes: number[];
    read_bytes?: number[];
    write_bytes?: number[];
    estimated?: boolean;
}

export interface ValueCount {
    value: number;
    count: number;
}

export interface Pattern {
    total: number;
    sequential: number;
    consecutive: number;
}

export interface FileColumns {
    id: string[];
    name: string[];
    mount: number[];
    layers: number[];
    sharing: number[];
    ranks: (number | null)[];
    bytes_read: number[];
    bytes_written: number[];
    reads: number[];
    writes: number[];
    opens: number[];
    stats: number[];
    seeks: number[];
    syncs: number[];
    read_time: number[];
    write_time: number[];
    meta_time: number[];
    time: number[];
    share: (number | null)[];
    mean_read: (number | null)[];
    mean_write: (number | null)[];
    max_byte: number[];
    effective_ranks: (number | null)[];
    stripe_count: (number | null)[];
    stripe_size: (number | null)[];
    first: (number | null)[];
    last: (number | null)[];
    small: (number | null)[];
    findings: number[][];
}

export interface Files extends Table<FileColumns> {
    total: number;
    layer_names: string[];
    left_out?: { files: number; bytes_read: number; bytes_written: number; time: number };
}

export interface Extreme {
    rank: number | null;
    time: number | null;
    bytes: number | null;
}

export interface Variance {
    id: string;
    name: string;
    processes: number | null;
    fastest: Extreme;
    slowest: Extreme;
    sigma_time: number | null;
    sigma_bytes: number | null;
}

export interface Records {
    counters: string[];
    rows: { id: string; rank: number; values: (number | null)[] }[];
}

export interface Ranks extends Table<{
    first: number[];
    last: number[];
    read_time: number[];
    write_time: number[];
    meta_time: number[];
    time: number[];
    time_max: number[];
    bytes_read: number[];
    bytes_written: number[];
    ops: number[];
    files: number[];
}> {
    count: number;
    per_row: number;
    box: { time: number[] | null; bytes: number[] | null };
    outliers: { rank: number; time: number; bytes: number; why: string }[];
    attributed_share: number | null;
}

export interface Cells {
    row: number[];
    bin: number[];
    sum: number[];
    max: number[];
}

export interface Heatmap {
    source: "HEATMAP" | "DXT";
    module: string;
    bin_width: number;
    bins: number;
    ranks: number;
    per_row: number;
    rows: number;
    read: Cells;
    write: Cells;
}

export interface Phases {
    source: string | null;
    resolution_s: number | null;
    table: Table<{
        t0: number[];
        t1: number[];
        bytes_read: number[];
        bytes_written: number[];
        requests: (number | null)[];
        ranks: (number | null)[];
        effective_ranks: (number | null)[];
        rate: (number | null)[];
    }>;
}

export type RankSpans = Table<{ rank_first: number[]; rank_last: number[]; t0: number[]; t1: number[] }>;

export interface Spans {
    reads?: RankSpans;
    writes?: RankSpans;
    shared?: Table<{
        file: number[];
        read_t0: (number | null)[];
        read_t1: (number | null)[];
        write_t0: (number | null)[];
        write_t1: (number | null)[];
    }>;
}

/** How long files took: minimum, quartiles and maximum, in seconds. */
export interface Spread {
    time_min: (number | null)[];
    time_q1: (number | null)[];
    time_median: (number | null)[];
    time_q3: (number | null)[];
    time_max: (number | null)[];
}

export interface Lustre {
    osts?: Table<
        {
            ost: number[];
            oss: (string | number | null)[];
            files: number[];
            bytes: (number | null)[];
            io_time: (number | null)[];
        } & Partial<Spread>
    >;
    servers?: Table<{ oss: string[] } & Spread>;
    files?: Table<{
        file: number[];
        component: number[];
        start: (number | null)[];
        end: (number | null)[];
        stripe_size: (number | null)[];
        stripe_count: (number | null)[];
        pool: (string | null)[];
        osts: number[][];
    }>;
    ost_count: number | null;
    mdt_count: number | null;
    note: string;
}

export interface TraceCells {
    row: number[];
    bin: number[];
    count: number[];
    bytes: number[];
    busy: number[];
}

export interface Trace {
    requests: number;
    embedded: number;
    modules: string[];
    files: number[];
    names: string[];
    tick: number;
    hosts?: string[];
    columns: string[];
    binned: { bins: number; bin_width: number; rows: number; per_row: number; read: TraceCells; write: TraceCells };
}

/** A part that the program marked, over all ranks. */
export interface Region {
    name: string;
    ranks: number;
    count: number;
    unended: number;
    unbalanced: number;
    unmeasured: number;
    time: number | null;
    slowest: number | null;
    first: number | null;
    last: number | null;
    io_time: number | null;
    io_share: number | null;
    bytes_read: number | null;
    bytes_written: number | null;
}

export interface Regions {
    io_time: number | null;
    totals: Region[];
    spans?: { name: string; rank: number; t0: number; t1: number | null }[];
    spans_lost?: number;
}

export interface CustomCounter {
    name: string;
    unit: string;
    meaning: string;
    kind: "int" | "real" | "instant" | string;
    rule: string;
}

export interface CustomRecord {
    id: string;
    rank: number;
    name: string | null;
    counters: Record<string, number | null>;
}

/** A module that is not Iolite's own, with the meaning of its counters. */
export interface CustomModule {
    name: string;
    meaning: string;
    version: number;
    failed: boolean;
    folded: number;
    spans_lost: number;
    schema: CustomCounter[];
    records: CustomRecord[];
    records_left_out?: number;
    spans?: {
        record_id: string;
        name: string | null;
        rank: number;
        thread: string;
        begin: number;
        end: number | null;
    }[];
    spans_left_out?: number;
}

export interface FileSystem {
    mount_point: string;
    fs_type: string;
    files: number;
    bytes_read: number;
    bytes_written: number;
    reads: number;
    writes: number;
    time: number | null;
    share: number | null;
}

/** MPI's own calls (APMPI). */
export interface Messages {
    sync_times: boolean;
    per_row: number;
    ranks: {
        rows: number;
        columns: Record<"first" | "last" | "time" | "time_min" | "time_max", number[]> & { sync?: number[] };
    };
    operations: { name: string; calls: number; bytes: number; time: number; sync?: number; longest: number }[];
    late?: { rank: number; time: number; median: number; wait: number };
}

/** A function in a chain of callers. */
export interface WhereFrame {
    function: string | null;
    file: string | null;
    line?: number;
    object?: string;
    system?: boolean;
}

/** Which chains of callers did the I/O. */
export interface Where {
    frames: WhereFrame[];
    /** Numbers of frames, the beginning of the program first. */
    chains: number[][];
    rows: {
        rows: number;
        columns: {
            chain: number[];
            kind: string[];
            name: (string | null)[];
            rank: number[];
            calls: number[];
            bytes: number[];
            time: number[];
        };
    };
    folded: number;
    left_out: number;
}

export interface Page {
    schema: string;
    tool: { name: string; version: string };
    made: number;
    log: Log;
    job: Job;
    mounts?: Mount[];
    processes?: Process[];
    folded?: Record<string, unknown>;
    quality?: Quality;
    modules: Module[];
    diagnosis: Diagnosis;
    cost?: Cost;
    bandwidth?: { module: string; bytes: number; time: number; bytes_per_second: number | null }[];
    sizes?: Sizes[];
    common?: { module: string; sizes: ValueCount[]; strides?: ValueCount[] }[];
    operations?: { module: string; ops: { name: string; count: number }[] }[];
    pattern?: { module: string; reads: Pattern; writes: Pattern }[];
    file_counts?: {
        module: string;
        rows: { kind: string; count: number; mean_bytes: number | null; max_bytes: number | null }[];
    }[];
    categories?: {
        name: string;
        bytes_read: number;
        bytes_written: number;
        files_read: number;
        files_written: number;
    }[];
    filesystems?: FileSystem[];
    mean_io?: { kind: string; op: string; seconds: number; bytes: number | null }[];
    variance?: Variance[];
    files?: Files;
    names_hex?: Record<string, string>;
    records?: Record<string, Records>;
    counters?: Record<string, { meaning: string; unit: string }>;
    ranks?: Ranks;
    messages?: Messages;
    heatmaps?: Heatmap[];
    phases?: Phases;
    spans?: Spans;
    lustre?: Lustre;
    trace?: Trace;
    where?: Where;
    regions?: Regions;
    added?: CustomModule[];
    context?: Record<string, unknown>;
}
