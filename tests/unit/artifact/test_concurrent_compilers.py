"""Many compilers share one cache, some are killed at random moments: the rest, and whoever comes later, are right."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import abs_compiler as absc
from abs_compiler.artifact.cache import Cache
from abs_compiler.artifact.entry import decode_entry
from tests.support.absc import environment

PROCESSES = 16
SPECS = 50

# Compiles every spec in an order of its own, and prints what each is good for: the amount it lets pass.
_WORKER = """
import json, random, sys
from pathlib import Path
import abs_compiler as absc
print("ready", flush=True)
paths = sorted(Path(sys.argv[1]).glob("*.abs.yaml"))
random.Random(int(sys.argv[2])).shuffle(paths)
right = 0
for path in paths:
    (matcher,) = absc.compile_file(path, cache=True)
    amount = int(path.name.split(".")[0])
    pay = {"actor": "assistant", "action": "calls", "target": "pay", "with": {"amount": amount}}
    wrong = {**pay, "with": {"amount": amount + 1}}
    right += bool(matcher.match([pay])) and not matcher.match([wrong])
print(json.dumps(right))
"""


def write_specs(folder: Path) -> None:
    for number in range(SPECS):
        steps = "".join(
            f"  - {{actor: assistant, action: asks, content: step {step}, optional: true}}\n" for step in range(20)
        )
        (folder / f"{number}.abs.yaml").write_text(
            f'session: pay {number}\nabs_version: "0.2"\nbehaviors:\n{steps}'
            f"  - {{actor: assistant, action: calls, target: pay, with: {{amount: {number}}}}}\n",
            encoding="utf-8",
        )


def start(specs: Path, cache: Path, seed: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", _WORKER, str(specs), str(seed)],
        env=environment({"ABS_CACHE_DIR": str(cache)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(worker: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, errors = worker.communicate(timeout=120)
    return worker.returncode, out, errors


def kill(worker: subprocess.Popen[str], after: float) -> None:
    """Kill a worker some seconds after it is ready."""
    assert worker.stdout is not None
    worker.stdout.readline()
    time.sleep(after)
    worker.send_signal(signal.SIGKILL)


@pytest.mark.skipif(os.name != "posix", reason="kills processes by signal")
def test_half_of_the_compilers_killed(tmp_path: Path) -> None:
    specs, cache = tmp_path / "specs", tmp_path / "cache"
    specs.mkdir()
    write_specs(specs)
    workers = [start(specs, cache, seed) for seed in range(PROCESSES)]
    doomed = workers[::2]
    moments = random.Random(7)
    killers = [threading.Thread(target=kill, args=(worker, moments.uniform(0, 0.3))) for worker in doomed]
    for killer in killers:
        killer.start()
    for killer in killers:
        killer.join()
    outcomes = [finish(worker) for worker in workers]

    killed = [status for status, _, _ in outcomes[::2] if status == -signal.SIGKILL]
    assert len(killed) >= PROCESSES // 4, "the others had finished: too few were killed to say anything"
    for status, out, errors in outcomes[1::2]:
        assert (status, out.splitlines()[-1:], errors) == (0, [json.dumps(SPECS)], "")
    for entry in cache.glob("*.entry"):
        decode_entry(entry.stem, entry.read_bytes())
    assert finish(start(specs, cache, 99))[0] == 0
    assert len(list(cache.glob("*.entry"))) >= SPECS


# Dies in the middle of keeping a result: after its bytes were written, before they were put in place.
_DIES_WHILE_WRITING = """
import os, sys
import abs_compiler as absc
os.replace = lambda *_: os._exit(9)
absc.compile_file(sys.argv[1], cache=True)
"""


def test_killed_between_writing_and_renaming(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_specs(tmp_path)
    spec, cache = tmp_path / "3.abs.yaml", tmp_path / "cache"
    command = [sys.executable, "-c", _DIES_WHILE_WRITING, str(spec)]
    died = subprocess.run(command, env=environment({"ABS_CACHE_DIR": str(cache)}), check=False, timeout=60)
    assert died.returncode == 9
    (left,) = Cache(str(cache)).files()
    assert not left.is_entry
    monkeypatch.setenv("ABS_CACHE_DIR", str(cache))
    for _ in range(2):
        (matcher,) = absc.compile_file(spec, cache=True)
        assert matcher.session == "pay 3"
    assert [item.is_entry for item in Cache(str(cache)).files()].count(True) == 1


def test_emptied_while_others_use_it(tmp_path: Path) -> None:
    specs, folder = tmp_path / "specs", tmp_path / "cache"
    specs.mkdir()
    write_specs(specs)
    worker = start(specs, folder, 1)
    while worker.poll() is None:
        cache = Cache(str(folder))
        cache.remove(cache.files())
        time.sleep(0.005)
    status, _, errors = finish(worker)
    assert (status, errors) == (0, "")
