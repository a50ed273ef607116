// What the server answers, made from serve/api/schemas.def and site/store/schema.def: ./dev docs writes it again.

/** Numbers of logs have up to nineteen digits, more than a number of JavaScript holds. */
export type LogId = string;

/** the server */
export interface Health {
    status: string;
    version: string;
    schema: number | null;
    watermarks: Record<string, unknown> | null;
    lag_s: Record<string, unknown> | null;
}

/** who you are */
export interface Me {
    user: string | null;
    role: string;
    cluster: string;
    prefix: string;
}

/** a file that could not be read, or only in part */
export interface Failure {
    path: string;
    state: string;
    reason: string | null;
    size: number;
    modified: number;
}

/** one thing of the configuration */
export interface Check {
    what: string;
    state: string;
    message: string;
}

/** a job */
export interface Job {
    cluster: string;
    jobid: string;
    user: string;
    account: string | null;
    name: string | null;
    exe: string | null;
    state: string | null;
    start: number | null;
    end: number | null;
    nprocs: number | null;
    nnodes: number | null;
    bytes_read: number | null;
    bytes_written: number | null;
    run_s: number | null;
    io_s: number | null;
    perf_mibs: number | null;
    io_pct: number | null;
    lost_s: number | null;
    selected: number | null;
    findings: number | null;
    logs: number;
}

/** a value that jobs of a list have */
export interface Facet {
    facet: string;
    value: string;
    jobs: number;
    capped: boolean;
}

/** the header box of a job */
export interface Box {
    start: number;
    end: number | null;
    wall_s: number | null;
    read_mb: number | null;
    written_mb: number | null;
    rate_mbs: number | null;
    io_pct: number | null;
}

/** a job that runs, and its I/O now */
export interface Running {
    cluster: string;
    jobid: string;
    user: string;
    exe: string;
    hosts: number;
    processes: number;
    start: number;
    files: number;
    open_files: number;
    bytes_read: number;
    bytes_written: number;
    calls: number;
    io_s: number;
    read_bps: number;
    write_bps: number;
    calls_per_s: number;
    io_share: number | null;
    time: number;
    age_s: number;
}

/** a running job on one node */
export interface RunningHost {
    host: string;
    processes: number;
    open_files: number;
    bytes_read: number;
    bytes_written: number;
    read_bps: number;
    write_bps: number;
    calls_per_s: number;
    age_s: number;
}

/** a file that a running job uses */
export interface RunningFile {
    name: string;
    module: string;
    open: boolean;
    processes: number;
    bytes_read: number;
    bytes_written: number;
    calls: number;
    io_s: number;
    read_bps: number;
    write_bps: number;
    calls_per_s: number;
}

/** what rules say of a running job */
export interface RunningFinding {
    rule: string;
    level: string;
    title: string;
    lost_s: number | null;
    processes: number;
}

/** a running job in full */
export interface RunningDetail {
    job: Running;
    nodes: RunningHost[];
    busiest: RunningFile[];
    findings: RunningFinding[] | null;
}

/** a job that a node is to judge */
export interface LiveWish {
    job_id: string;
    uid: number;
}

/** the answer to a node */
export interface LiveTaken {
    jobs: number;
    expires_s: number;
    wanted: LiveWish[];
}

/** a node that tells of running jobs */
export interface LiveHost {
    host: string;
    cluster: string;
    time: number;
    age_s: number;
    interval_s: number;
    jobs: number;
    processes: number;
    unreadable: number;
    foreign_runs: number;
    hidden: number;
    beyond: number;
}

/** requests by size */
export interface Sizes {
    labels: string[];
    reads: number[];
    writes: number[];
}

/** what a rule found, over all logs in question */
export interface Finding {
    rule: string;
    level: string;
    logs: number;
    lost_s: number;
    title: string | null;
}

/** what a rule found in the logs of a job */
export interface JobFinding {
    rule: string;
    level: string;
    logs: number;
    lost_s: number;
    title: string | null;
    log_id: LogId | null;
}

/** a log of a job */
export interface LogRow {
    log_id: LogId;
    state: string;
    exe: string | null;
    start: number;
    end: number | null;
    nprocs: number;
    bytes_read: number;
    bytes_written: number;
    io_s: number;
    perf_mibs: number | null;
    findings: number;
    lost_s: number;
}

/** traffic on one file system */
export interface FsUse {
    fs: string;
    bytes_read: number;
    bytes_written: number;
    reads: number;
    writes: number;
    opens: number;
}

/** a job and what is known about it */
export interface JobDetail {
    cluster: string;
    jobid: string;
    user: string;
    account: string | null;
    name: string | null;
    exe: string | null;
    state: string | null;
    start: number | null;
    end: number | null;
    nprocs: number | null;
    nnodes: number | null;
    bytes_read: number | null;
    bytes_written: number | null;
    run_s: number | null;
    io_s: number | null;
    perf_mibs: number | null;
    io_pct: number | null;
    lost_s: number | null;
    selected: number | null;
    box: Box;
    logs: LogRow[];
    fs: FsUse[];
    sizes: Sizes;
    metrics: Record<string, unknown>;
    findings: JobFinding[];
    same_id: number[];
    no_log: string | null;
}

/** what went on around a job */
export interface JobContext {
    start: number;
    end: number;
    fs: string | null;
    read: Series | null;
    written: Series | null;
    servers: Record<string, unknown>;
    health: Record<string, unknown>;
    concurrent: number | null;
    top: Job[];
    history: Run[];
}

/** what a module counted */
export interface Module {
    module: string;
    records: number;
    bytes_read: number | null;
    bytes_written: number | null;
    reads: number | null;
    writes: number | null;
    read_s: number | null;
    write_s: number | null;
    meta_s: number | null;
}

/** what happened on a mount */
export interface MountUse {
    mount: string;
    fs: string;
    type: string | null;
    bytes_read: number;
    bytes_written: number;
    reads: number;
    writes: number;
    opens: number;
    stats: number;
    read_s: number;
    write_s: number;
    meta_s: number;
}

/** a log */
export interface LogDetail {
    log_id: LogId;
    identity: string;
    cluster: string;
    jobid: string;
    user: string;
    state: string;
    exe: string | null;
    command: string | null;
    nprocs: number;
    nnodes: number | null;
    start: number;
    end: number | null;
    run_s: number | null;
    io_s: number;
    perf_mibs: number | null;
    io_pct: number | null;
    log_version: string;
    lib_version: string | null;
    files: number;
    bytes_read: number;
    bytes_written: number;
    readable: boolean;
    modules: Module[];
    mounts: MountUse[];
    sizes: Sizes;
    findings: Finding[];
}

/** a file of a log */
export interface File {
    id: string;
    name: string;
    fs: string;
    ranks: number | null;
    bytes_read: number;
    bytes_written: number;
    reads: number;
    writes: number;
    opens: number;
    io_s: number;
}

/** a Lustre target or server */
export interface Ost {
    name: string;
    fs: string;
    targets: number;
    files: number;
    bytes_read: number;
    bytes_written: number;
    records: number | null;
    min_s: number | null;
    q1_s: number | null;
    median_s: number | null;
    q3_s: number | null;
    max_s: number | null;
    mean_s: number | null;
    slow: boolean | null;
    coefficient: number | null;
    p_value: number | null;
}

/** what became of a log */
export interface Upload {
    log_id: LogId;
    state: string;
    identity: string;
    findings: number;
}

/** a program of a user */
export interface ProgramUse {
    exe: string;
    logs: number;
    bytes_read: number;
    bytes_written: number;
    lost_s: number;
}

/** a day of a user */
export interface DayUse {
    day: number;
    logs: number;
    bytes_read: number;
    bytes_written: number;
    lost_s: number;
}

/** a user */
export interface User {
    user: string;
    logs: number;
    bytes_read: number;
    bytes_written: number;
    lost_s: number;
    programs: ProgramUse[];
    fs: FsUse[];
    findings: Finding[];
    days: DayUse[];
}

/** a program */
export interface Program {
    exe: string;
    logs: number;
    users: number;
    last: number | null;
    bytes_read: number;
    bytes_written: number;
    lost_s: number;
    rates: (number | null)[];
}

/** one run of a program */
export interface Run {
    log_id: LogId;
    cluster: string;
    jobid: string;
    user: string;
    start: number;
    nprocs: number;
    run_s: number;
    io_s: number;
    bytes_read: number;
    bytes_written: number;
    perf_mibs: number | null;
    findings: number;
    lost_s: number;
}

/** jobs that started in a time, together */
export interface Period {
    jobs: number;
    losing: number;
    failed: number;
    bytes_read: number;
    bytes_written: number;
    lost_s: number;
    node_h: number;
    listed: number;
    covered: number;
}

/** a finding in a log */
export interface FoundInLog {
    title: string | null;
    lost_s: number;
    log_id: LogId;
    cluster: string;
    jobid: string;
    user: string;
    exe: string | null;
    start: number;
}

/** the rule whose findings cost most */
export interface WorstFinding {
    rule: string;
    level: string;
    logs: number;
    lost_s: number;
    node_h: number;
    in: FoundInLog;
}

/** a program of a user whose loss changed */
export interface ProgramChange {
    user: string;
    exe: string | null;
    node_h: number;
    node_h_before: number;
}

/** the last days, against as many before them: your jobs, or all jobs for staff */
export interface Overview {
    role: string;
    days: number;
    start: number;
    end: number;
    now: Period;
    before: Period;
    worst: WorstFinding | null;
    jobs: Job[];
    changes: ProgramChange[];
    slow: FoundInLog[];
    latest_log: number | null;
    latest_job: number | null;
    late: boolean;
}

/** a row of a scoreboard */
export interface Ranked {
    key: string | null;
    exe: string | null;
    fs: string | null;
    value: number;
    share: number | null;
    before: number | null;
    read: number;
    written: number;
    jobs: number;
}

/** all that is ranked */
export interface RankTotal {
    value: number;
    jobs: number;
}

/** a ranking */
export interface Scoreboard {
    by: string;
    metric: string;
    unit: string;
    rows: Ranked[];
    total: RankTotal;
}

/** a metric that selects jobs */
export interface Screen {
    name: string;
    meaning: string;
    threshold: number;
    jobs: number;
    users: number;
}

/** a job that a metric selects */
export interface ScreenJob {
    cluster: string;
    jobid: string;
    user: string;
    account: string | null;
    exe: string | null;
    start: number;
    nprocs: number;
    value: number;
    bytes_read: number;
    bytes_written: number;
    selected: number;
}

/** a file system */
export interface Fs {
    fs: string;
    backend: string | null;
    series: boolean;
    last: number | null;
    targets: number | null;
    missing: number | null;
    capacity: number | null;
    used: number | null;
}

/** values over time */
export interface Series {
    fs: string;
    dataset: string;
    units: string;
    start: number;
    step: number;
    columns: string[];
    values: unknown[];
    missing: number;
    flags: unknown[] | null;
}

/** values in cells */
export interface Heatmap {
    fs: string;
    dataset: string;
    units: string;
    start: number;
    step: number;
    columns: string[];
    cells: unknown[];
    sums: unknown[];
    row_sums: unknown[];
}

/** health of a file system */
export interface FsHealth {
    fs: string;
    at: number;
    fullness: Record<string, unknown>;
    failures: Record<string, unknown>;
    osts: unknown[];
}

/** what moved in a day, week or month */
export interface Volume {
    start: number;
    read: number | null;
    written: number | null;
    missing: number;
}

/** a day of series */
export interface ArchiveDay {
    fs: string;
    day: string;
    there: boolean;
    missing: number;
}

/** what a rule of alerts selects, or selected */
export interface Alert {
    state: string;
    rule: string;
    condition: string | null;
    user: string;
    exe: string;
    jobs: number | null;
    first: number | null;
    last: number | null;
    node_h: number | null;
    cluster: string | null;
    worst: string | null;
    title: string | null;
    target: string | null;
    when: number | null;
    until: number | null;
    reason: string | null;
    by: string | null;
    assigned: string | null;
    comment: string | null;
}

/** what somebody of the staff did about an alert */
export interface AlertNote {
    made: number;
    by: string;
    action: string;
    rule: string;
    user: string;
    exe: string;
    until: number | null;
    to: string | null;
    text: string | null;
}

/** staff looked at the job of a user */
export interface Look {
    time: number;
    by: string;
    user: string;
    cluster: string;
    jobid: string;
    what: string;
}

/** how a metric goes with performance */
export interface Correlation {
    program: string;
    metric: string;
    coefficient: number | null;
    p_value: number | null;
    n: number;
    significant: boolean;
}

/** what went wrong */
export interface Error {
    code: string;
    message: string;
    detail: Record<string, unknown>;
}

/** Columns of the list of jobs, in order. */
export interface JobColumn {
    key: keyof Job;
    label: string;
    kind: "text" | "when" | "seconds" | "bytes" | "share" | "count";
    /** Shown unless others are chosen. */
    usual: boolean;
}

export const jobColumns: JobColumn[] = [
    { key: "jobid", label: "Job", kind: "text", usual: true },
    { key: "user", label: "User", kind: "text", usual: true },
    { key: "exe", label: "Program", kind: "text", usual: true },
    { key: "start", label: "Start", kind: "when", usual: true },
    { key: "state", label: "State", kind: "text", usual: true },
    { key: "findings", label: "Findings", kind: "count", usual: true },
    { key: "lost_s", label: "Lost", kind: "seconds", usual: true },
    { key: "nprocs", label: "Processes", kind: "count", usual: true },
    { key: "bytes_read", label: "Read", kind: "bytes", usual: true },
    { key: "bytes_written", label: "Written", kind: "bytes", usual: true },
    { key: "io_s", label: "I/O time", kind: "seconds", usual: true },
    { key: "logs", label: "Logs", kind: "count", usual: true },
    { key: "account", label: "Account", kind: "text", usual: false },
    { key: "name", label: "Name", kind: "text", usual: false },
    { key: "cluster", label: "Machine", kind: "text", usual: false },
    { key: "end", label: "End", kind: "when", usual: false },
    { key: "nnodes", label: "Nodes", kind: "count", usual: false },
    { key: "run_s", label: "Run time", kind: "seconds", usual: false },
];
