# Starts an interpreter for each item.
# FINDS process.interpreter
# REPAIRED
import subprocess, sys

work = "import argparse, decimal, json"
for i in range(1 if sys.argv[1:] == ["repaired"] else 30):
    subprocess.run([sys.executable, "-c", work], check=True)
