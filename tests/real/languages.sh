#!/usr/bin/env bash
# A program each in Rust, Go and Java: threads that write and read files, a child process, names that are not there. Output,
# status and files are the same plain and recorded. A language that is not here is left out.
own_home=$HOME # where a compiler may keep its settings
# shellcheck source=tests/real/real.bash
. "$(dirname "$0")/real.bash"
patience=100
mkdir "$work/built"
given() { seq 1 3000 >input; }

if have rustc; then
    cat >"$work/main.rs" <<'END'
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
fn main() -> std::io::Result<()> {
    let threads: Vec<_> = (0..4).map(|i| std::thread::spawn(move || -> std::io::Result<u64> {
        let mut out = File::create(format!("part.{}", i))?;
        let mut sum = 0;
        for line in BufReader::new(File::open("input")?).lines() {
            let n: u64 = line?.parse().unwrap();
            sum += n * i;
            writeln!(out, "{}", n * i)?;
        }
        Ok(sum)
    })).collect();
    for thread in threads { println!("{}", thread.join().unwrap()?); }
    let mut file = OpenOptions::new().read(true).write(true).open("part.1")?;
    file.seek(SeekFrom::Start(100))?;
    let mut some = [0u8; 10];
    file.read_exact(&mut some)?;
    println!("{:?} {:?}", some, File::open("nowhere").unwrap_err().kind());
    fs::rename("part.2", "renamed")?;
    fs::copy("input", "copy")?;
    let child = std::process::Command::new("wc").args(["-l", "copy"]).output()?;
    print!("{}", String::from_utf8_lossy(&child.stdout));
    std::process::exit(7)
}
END
    if HOME=$own_home rustc -O -o "$work/built/rust" "$work/main.rs" >"$work/out" 2>&1; then
        three Rust "$work/built/rust"
    else
        echo "left out, rustc does not work here: $(head -n 2 "$work/out")"
    fi
fi

if have go; then
    mkdir "$work/go"
    cat >"$work/go/main.go" <<'END'
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"sync"
)

func part(i int, sums []int, all *sync.WaitGroup) {
	defer all.Done()
	in, _ := os.Open("input")
	defer in.Close()
	out, _ := os.Create(fmt.Sprint("part.", i))
	defer out.Close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		n := 0
		fmt.Sscan(lines.Text(), &n)
		sums[i] += n * i
		fmt.Fprintln(out, n*i)
	}
}

func main() {
	var all sync.WaitGroup
	sums := make([]int, 4)
	for i := range sums {
		all.Add(1)
		go part(i, sums, &all)
	}
	all.Wait()
	_, err := os.Open("nowhere")
	fmt.Println(sums, err)
	text, _ := exec.Command("cat", "part.1").Output()
	fmt.Println(len(text), os.Rename("part.2", "renamed"))
	os.Exit(7)
}
END
    export GOCACHE=$work/go/cache GOFLAGS=-mod=mod GO111MODULE=off
    # Once by itself, which cannot be recorded but must go on, and once with the C library.
    for cgo in 0 1; do
        if CGO_ENABLED=$cgo timeout 250 go build -ldflags="$([ $cgo = 0 ] || echo -linkmode=external)" \
            -o "$work/built/go$cgo" "$work/go/main.go" >"$work/out" 2>&1; then
            three "Go, cgo $cgo" "$work/built/go$cgo"
        else
            echo "left out, go does not work here with cgo $cgo: $(head -n 2 "$work/out")"
        fi
    done
    rm -rf "$work/go"
fi

if have java && have javac; then
    mkdir "$work/java"
    cat >"$work/java/Main.java" <<'END'
import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.stream.*;

public class Main {
    static long part(int i) {
        long sum = 0;
        try (BufferedReader in = new BufferedReader(new FileReader("input"));
             PrintWriter out = new PrintWriter("part." + i)) {
            for (String line; (line = in.readLine()) != null; out.println(Long.parseLong(line) * i))
                sum += Long.parseLong(line) * i;
        } catch (IOException e) { throw new UncheckedIOException(e); }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(IntStream.range(0, 4).parallel().mapToLong(Main::part).boxed().collect(Collectors.toList()));
        try (FileChannel file = FileChannel.open(Path.of("mapped"), StandardOpenOption.CREATE, StandardOpenOption.READ,
                                                 StandardOpenOption.WRITE)) {
            MappedByteBuffer memory = file.map(FileChannel.MapMode.READ_WRITE, 0, 65536);
            for (int i = 0; i < 65536; i++) memory.put(i, (byte)i);
            memory.force();
            ByteBuffer some = ByteBuffer.allocate(10);
            System.out.println(file.read(some, 300) + " " + some.get(0));
        }
        System.out.println(new File("nowhere").exists() + " " + Files.size(Files.copy(Path.of("input"), Path.of("copy"))));
        Files.move(Path.of("part.2"), Path.of("renamed"));
        Process child = new ProcessBuilder("wc", "-l", "copy").redirectErrorStream(true).start();
        System.out.println(new String(child.getInputStream().readAllBytes()).trim() + " " + child.waitFor());
        System.exit(7);
    }
}
END
    if javac -d "$work/java" "$work/java/Main.java" >"$work/out" 2>&1; then
        three Java java -XX:-UsePerfData -cp "$work/java" Main
    else
        echo "left out, javac does not work here: $(head -n 2 "$work/out")"
    fi
fi
[ $compared -gt 0 ] || skip "neither Rust nor Go nor Java is here"
done_with
