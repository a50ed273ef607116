"""What a program, who started it and its terminal notice of `iolite run`: each case is played plain and recorded, and must
end alike. Usage: run_between.py IOLITE SCRATCH; prints a line per difference, and ends with 1 if there was one."""
import ctypes
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

IOLITE, SCRATCH = sys.argv[1:3]
PYTHON = os.path.realpath(sys.executable)
RECORDED = [IOLITE, "run", "-q", "-d", SCRATCH + ".logs", "--"]
PATIENCE = 60
CASES = []


def case(function):
    CASES.append(function)
    return function


def until(true, what):
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end:
            raise RuntimeError("never: " + what)
        time.sleep(0.02)


def file(name):
    return os.path.join(SCRATCH, name)


def text(name):
    try:
        with open(file(name), encoding="ascii") as content:
            return content.read()
    except FileNotFoundError:
        return ""


def number_in(name):
    until(lambda: text(name).endswith("\n"), name)
    return int(text(name).split()[0])


def is_gone(pid):
    """Also a process that nobody has waited for yet."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def program(code):
    """A Python program that finds SCRATCH as its first argument."""
    start = "import os, signal, sys, time\ndef note(name, word):\n" \
            "    with open(os.path.join(sys.argv[1], name), 'a') as out: out.write(f'{word}\\n')\n"
    return [PYTHON, "-c", start + code, SCRATCH]


LISTENER = program("""
def hear(number, frame):
    note('heard', signal.Signals(number).name)
for number in (signal.SIGHUP, signal.SIGUSR1, signal.SIGINT): signal.signal(number, hear)
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(5))
note('pid', os.getpid())
while True: signal.pause()
""")


def status_of(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


# A terminal ----------------------------------------------------------------------------------------------------------

@case
def terminal_hangs_up_on_the_leader(how):
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv((how + LISTENER)[0], how + LISTENER)
    number = number_in("pid")
    os.close(terminal)
    until(lambda: text("heard"), "the hangup reaches the program")
    os.kill(pid, signal.SIGTERM)
    return status_of(pid), text("heard"), is_gone(number)


@case
def terminal_hangs_up_on_a_leader_that_is_somebody_else(how):
    """The leader ends of it, and the kernel tells the foreground group."""
    pid, terminal = pty.fork()
    if pid == 0:
        subprocess.Popen(how + LISTENER)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        while True:
            signal.pause()
    number = number_in("pid")
    os.close(terminal)
    status = status_of(pid)
    until(lambda: text("heard"), "the hangup reaches the program")
    os.kill(number, signal.SIGTERM)
    until(lambda: is_gone(number), "the program ends")
    return status, text("heard")


@case
def stopped_program_ends_when_the_terminal_hangs_up(how):
    pid, terminal = pty.fork()
    if pid == 0:
        command = how + program("note('pid', os.getpid()); os.kill(os.getpid(), signal.SIGSTOP); time.sleep(1000)")
        os.execv(command[0], command)
    number = number_in("pid")
    os.waitpid(pid, os.WUNTRACED)
    os.close(terminal)
    return status_of(pid), is_gone(number)


@case
def multiplexer_ends(how):
    if not shutil.which("tmux"):
        return "skipped: no tmux"
    socket = file("tmux")
    tmux = ["tmux", "-f", "/dev/null", "-S", socket]
    command = " ".join("'" + word.replace("'", "'\\''") + "'" for word in how + program(
        "note('pid', os.getpid()); time.sleep(1000)"))
    subprocess.run(tmux + ["new-session", "-d", "-x", "80", "-y", "24", command], check=True)
    number = number_in("pid")
    subprocess.run(tmux + ["kill-server"], check=True)
    until(lambda: is_gone(number), "the program ends with tmux")
    return "gone"


# Jobs of a shell ------------------------------------------------------------------------------------------------------

def in_a_shell(how, steps):
    """An interactive shell is sent one text after the other, when it has printed what the one before asks for. In the texts
    $DO runs a program. Returns what was printed of what was asked for."""
    with open(file("do"), "w", encoding="ascii") as script:
        script.write("exec " + " ".join("'" + word + "'" for word in how) + ' "$@"\n')
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(PS1="", TERM="dumb", HISTFILE="/dev/null", DO="sh " + file("do"), PROGRAM=PYTHON + " -c")
        os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
    said, seen = "", []
    try:
        for sent, asked in [("stty -echo; ulimit -c 0; echo rea''dy\n", "ready")] + steps:
            os.write(terminal, sent.encode())
            end = time.monotonic() + PATIENCE
            while not (found := re.search(asked, said)):
                if time.monotonic() > end:
                    raise RuntimeError(f"never: {asked} in {said!r}")
                if select.select([terminal], [], [], 0.1)[0]:
                    said += os.read(terminal, 4096).decode(errors="replace")
            seen.append(found.group(0))
            said = said[found.end():]
    finally:
        os.kill(pid, signal.SIGHUP)
        os.close(terminal)
        os.waitpid(pid, 0)
    return seen


# A single process, because a shell that is stopped between vfork and exec of another hangs by itself.
SLEEPER = "$DO $PROGRAM 'print(\"u\" \"p\", flush=True); import time; time.sleep(%s); print(\"wo\" \"ke\"); exit(3)'"


@case
def job_stops_and_goes_on(how):
    return in_a_shell(how, [(SLEEPER % 1 + "\n", "up"), ("\x1a", "Stopped"), ("jobs\n", "Stopped"), ("fg\n", "woke"),
                            ("echo st''atus $?\n", r"status \d+")])


@case
def job_goes_on_in_the_background(how):
    return in_a_shell(how, [(SLEEPER % 1 + "\n", "up"), ("\x1a", "Stopped"), ("bg\n", "woke"),
                            ("wait %1; echo st''atus $?\n", r"status \d+")])


@case
def job_is_ended_by_a_key(how):
    return in_a_shell(how, [(SLEEPER % 1000 + "\n", "up"), ("\x1c", "Quit"), ("echo st''atus $?\n", r"status \d+")])


@case
def job_in_the_background_reads(how):
    return in_a_shell(how, [("$DO cat &\n", ""), ("until jobs %1 | grep Stop; do sleep 0.1; done\n", "Stopped"),
                            ("fg\n", "DO cat"), ("word\n", "word"), ("\x04", ""), ("echo st''atus $?\n", r"status \d+")])


@case
def stopped_job_is_killed(how):
    return in_a_shell(how, [(SLEEPER % 1000 + "\n", "up"), ("\x1a", "Stopped"),
                            ("echo st''atus $?\n", r"status \d+"),
                            ("kill -KILL %1; until jobs %1 2>&1 | grep Kil; do sleep 0.1; done\n", "Killed")])


# Who kills `run` kills the program ------------------------------------------------------------------------------------

@case
def killed_by_its_number(how):
    started = subprocess.Popen(how + program("note('pid', os.getpid()); time.sleep(1000)"))
    number = number_in("pid")
    started.kill()
    status = started.wait()
    until(lambda: is_gone(number), "the program is killed")
    return status


@case
def killed_by_a_timeout_of_python(how):
    try:
        subprocess.run(how + program("note('pid', os.getpid()); print(1, flush=True); time.sleep(1000)"), timeout=2,
                       stdout=subprocess.PIPE, check=False)
    except subprocess.TimeoutExpired:
        if text("pid"):
            until(lambda: is_gone(number_in("pid")), "the program is killed")
        return "expired"
    return "ended"


@case
def killed_with_its_parent_where_the_caller_wants_it(how):
    """The caller set a parent-death signal before it started the program."""
    caller = os.fork()
    if caller == 0:
        def set_signal():
            ctypes.CDLL(None).prctl(1, signal.SIGTERM)
        subprocess.Popen(how + LISTENER, preexec_fn=set_signal)
        while True:
            signal.pause()
    number = number_in("pid")
    os.kill(caller, signal.SIGKILL)
    os.waitpid(caller, 0)
    until(lambda: is_gone(number), "the program ends with its caller")
    return "gone"


@case
def daemon_outlives_a_kill(how):
    started = subprocess.Popen(how + program("""
if os.fork() == 0:
    os.setsid()
    note('daemon', os.getpid())
    time.sleep(1000)
time.sleep(1000)"""))
    daemon = number_in("daemon")
    started.kill()
    status = started.wait()
    alive = not is_gone(daemon)
    os.kill(daemon, signal.SIGKILL)
    return status, alive


# What the program does to its parent ----------------------------------------------------------------------------------

def with_caller(how, command, done):
    """The caller leads a group of its own and notes what it hears; it ends when done() is true."""
    caller = os.fork()
    if caller == 0:
        os.setpgid(0, 0)

        def hear(number, frame):
            with open(file("caller"), "a", encoding="ascii") as out:
                out.write(signal.Signals(number).name + "\n")
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, hear)
        started = subprocess.Popen(how + command + [str(os.getpid())], process_group=0)
        os._exit(started.wait() & 0x7f)
    until(done, "what the program does")
    return status_of(caller), text("caller")


def ended():
    return text("end")


@case
def signals_to_the_parent(how):
    """By a shell of its own, the program, and one that looks the number up."""
    status, heard = with_caller(how, ["bash", "-c", """
        heard() { until [ "$(cat "$0/caller" 2>/dev/null | wc -l)" = "$1" ]; do sleep 0.02; done; }
        kill -USR1 $PPID; heard 1
        python3 -c "import os, sys; os.kill(int(sys.argv[1]), 12)" $PPID; heard 2
        kill -USR1 $(sed 's/.*) . \\([0-9]*\\) .*/\\1/' /proc/$$/stat); heard 3
        (kill -USR2 $PPID); heard 4
        kill -0 $PPID || echo 'no parent'
        echo 1 >"$0/end" """, SCRATCH], ended)
    return status, heard


@case
def parent_is_who_started_it(how):
    return with_caller(how, program("note('end', os.getppid() == int(sys.argv[2]))"), ended), text("end")


@case
def group_signals_stay_in_the_group(how):
    status, heard = with_caller(how, ["bash", "-c", """
        trap 'kill 0' EXIT
        trap '' USR1 TERM
        kill -USR1 0; kill -TERM -$(ps -o pgid= $$ | tr -d ' ')
        echo 1 >"$0/end"; exit 3""", SCRATCH], ended)
    return status, heard


@case
def new_parent_of_run_hears_nothing(how):
    """We take in whoever loses its parent, and must not be sent what was meant for another."""
    ctypes.CDLL(None).prctl(36, 1)
    heard = []
    signal.signal(signal.SIGUSR1, lambda number, frame: heard.append(number))
    try:
        caller = os.fork()
        if caller == 0:
            subprocess.Popen(how + program("""
def parent_of(pid):
    with open(f'/proc/{pid}/stat') as stat: return int(stat.read().rpartition(')')[2].split()[1])
first, shown = parent_of(os.getpid()), os.getppid()
caller = int(sys.argv[2])
note('pid', os.getpid())
while os.path.exists(f'/proc/{caller}'): time.sleep(0.02)
for number in (first, shown):
    try: os.kill(number, signal.SIGUSR1)
    except ProcessLookupError: pass
note('changed', os.getppid() != shown)
""") + [str(os.getpid())])
            while True:
                signal.pause()
        number = number_in("pid")
        os.kill(caller, signal.SIGKILL)
        os.waitpid(caller, 0)
        until(lambda: text("changed"), "the program has sent its signals")
        until(lambda: is_gone(number), "the program ends")
        while True:
            try:
                os.waitpid(-1, 0)
            except ChildProcessError:
                break
        return heard, text("changed")
    finally:
        ctypes.CDLL(None).prctl(36, 0)
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)


@case
def program_that_watches_its_parent_ends_with_it(how):
    caller = os.fork()
    if caller == 0:
        subprocess.Popen(how + program("""
first = os.getppid()
note('pid', os.getpid())
while os.getppid() == first: time.sleep(0.02)
"""))
        while True:
            signal.pause()
    number = number_in("pid")
    os.kill(caller, signal.SIGKILL)
    os.waitpid(caller, 0)
    until(lambda: is_gone(number), "the program ends with its caller")
    return "gone"


@case
def orphan_sees_that_it_is_one(how):
    subprocess.run(how + program("""
first = os.getpid()
if os.fork() == 0:
    while os.getppid() == first: time.sleep(0.02)
    note('orphan', os.getppid() != first and os.getppid() != int(sys.argv[2]))
""") + [str(os.getpid())], check=True)
    until(lambda: text("orphan"), "an orphan")
    return text("orphan")


@case
def children_have_their_own_parents(how):
    return subprocess.run(how + program("""
first, caller = os.getpid(), int(sys.argv[2])
pid = os.fork()
if pid == 0: os._exit(os.getppid() != first)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) + 2 * (os.getppid() != caller))
""") + [str(os.getpid())], check=False).returncode


# ---------------------------------------------------------------------------------------------------------------------

def play(function, how):
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.mkdir(SCRATCH)
    try:
        return function(how)
    except RuntimeError as error:
        return str(error)
    finally:
        for name in ("pid", "daemon"):
            if text(name) and not is_gone(number_in(name)):
                os.kill(number_in(name), signal.SIGKILL)


def main():
    different = 0
    for function in CASES:
        plain = play(function, [])
        for name, how in (("recorded", RECORDED), ("twice", RECORDED + RECORDED)):
            seen = play(function, how)
            if seen != plain:
                print(f"{function.__name__}: plain {plain}, {name} {seen}")
                different = 1
    return different


sys.exit(main())
