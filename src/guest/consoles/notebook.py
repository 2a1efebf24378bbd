"""The notebook: its cells, one after another."""
import collections
import json
import os
import secrets
import signal
import threading
import time

from ..processes import end_group
from ..settings import (
    CELL_INTERRUPT_SECONDS, KERNEL_START_SECONDS, MAX_KEPT_CELL_RUNS, MAX_QUEUED_CELLS, MAX_REPORTED_FILE_BYTES,
)
from .cell_run import Run
from .errors import Refused
from .json_text import parse_json
from .kernel_process import Kernel
from .live import follower, passed_on
from .place import place


def list_record(path, stat):
    """The notebook's entry in a listing, as `find` prints it."""
    def time_of(ns):
        return '%d.%09d0' % divmod(ns, 10**9)

    fields = ['f', '%o' % (stat.st_mode & 0o7777), stat.st_size, time_of(stat.st_mtime_ns), time_of(stat.st_ctime_ns),
        '%d %d' % (stat.st_ino, stat.st_nlink), '', './' + os.path.basename(path)]
    return ''.join('%s\0' % field for field in fields)


class Notebook:
    """Cells in the file at the path; without one, a kernel whose cells are not kept."""

    def __init__(self, path, watched=lambda: None):
        self.path, self.watched = path, watched
        self.lock, self.waiting, self.runs = threading.RLock(), collections.deque(), collections.OrderedDict()
        self.kernel, self.current, self.wake, self.worker, self.closed = None, None, threading.Event(), None, False
        self.lost = False

    def busy(self):
        with self.lock:
            return self.current is not None or bool(self.waiting)

    def close(self):
        """Closes for good. Called while nothing runs, so that nothing starts a kernel after it."""
        with self.lock:
            self.reset()
            self.closed = True
            self.wake.set()

    def load(self):
        try:
            if self.path is None:
                raise FileNotFoundError
            with open(self.path, encoding='utf-8') as file:
                content = parse_json(file.read())
            if content['nbformat'] != 4 or not isinstance(content['cells'], list):
                raise ValueError
            for cell in content['cells']:
                cell['cell_type'], cell['source']
            return content
        except FileNotFoundError:
            return {'cells': [], 'metadata': {
                'kernelspec': {'display_name': 'Python 3', 'language': 'python', 'name': 'python3'},
                'language_info': {'name': 'python'}}, 'nbformat': 4, 'nbformat_minor': 5}
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Refused('python_notebook.ipynb is not a notebook of format 4; move or delete it, then run the cell again')

    def save(self, content, tells=False):
        """Writes the notebook. With `tells`, returns the file with the watcher's counts before and after."""
        if self.path is None:
            return None
        data = (json.dumps(content, ensure_ascii=False, indent=1) + '\n').encode('utf-8', 'replace')
        path = place('notebook-' + secrets.token_hex(4))
        with open(path, 'wb') as file:
            file.write(data)
        if not tells or len(data) > MAX_REPORTED_FILE_BYTES:
            return os.replace(path, self.path)
        before = self.watched()
        os.replace(path, self.path)
        # Before the watcher is read again: any later change of the file shows in its next look.
        stat = os.stat(self.path)
        after = self.watched()
        return {'before': before, 'after': after, 'record': list_record(self.path, stat), 'text': data.decode()}

    def execute(self, code, index, reset, seconds, stop, wait, run, live=None, env=None, secrets=()):
        if run is not None:
            asked = self.runs.get(run)
            if asked is None:
                raise Refused('this cell is not known any more: the kernel is a new one, or many cells ran since. print_notebook shows what the cells have; run it again')
            return self.wait(asked, wait, live)
        asked = self.enter(code, index, reset, seconds, stop, live=live, env=env, secrets=secrets)
        return self.wait(asked, wait, live) if asked else {'reset': True}

    def enter(self, code, index, reset, seconds, stop, tells_value=False, live=None, env=None, secrets=()):
        """Adds a cell, after a reset where one is requested. Returns None where there was nothing to do but reset.

        `live`: where messages about its output go, if anybody follows it.
        """
        with self.lock:
            if reset:
                self.reset()
                if not code.strip():
                    return None
            if len(self.waiting) >= MAX_QUEUED_CELLS:
                raise Refused('%d cells wait already (MAX_QUEUED_CELLS); wait for them, or give reset' % MAX_QUEUED_CELLS)
            asked = self.add(code, index, seconds, stop, follower(live))
            asked.tells_value = tells_value
            asked.set_environment(env, secrets)
            self.waiting.append(asked)
            if self.worker is None:
                self.worker = threading.Thread(target=self.work, daemon=True)
                self.worker.start()
            self.wake.set()
        return asked

    def add(self, code, index, seconds, stop, follower):
        content = self.load()
        cells = content['cells']
        count = len(cells)
        at = count if index is None else index + count if index < 0 else index
        if at < 0 or at > count:
            raise Refused('cell_index %d is out of range: there are %d cells, and %d adds one' % (index, count, count))
        cell = {'cell_type': 'code', 'execution_count': None, 'metadata': {}, 'outputs': [], 'source': code}
        ids = content.get('nbformat_minor', 0) >= 5
        cell_id = secrets.token_hex(4)
        if ids:
            cell['id'] = cell_id
        cells[at:at + 1] = [cell]
        self.save(content)
        run = Run(code, at, cell_id if ids else None, seconds, stop, follower)
        if self.kernel is None and count > 0 and not self.runs:
            run.notes.append('the kernel is a new one: variables of cells that ran before are gone; run them again')
        self.runs[run.id] = run
        while len(self.runs) > MAX_KEPT_CELL_RUNS:
            oldest = next(iter(self.runs))
            if not self.runs[oldest].done.is_set():
                break
            del self.runs[oldest]
        return run

    def reset(self):
        for run in [self.current, *self.waiting]:
            if run:
                run.stopped = run.stopped or 'reset'
        dropped, self.waiting = list(self.waiting), collections.deque()
        for run in dropped:
            run.finish()
            run.end()
        if self.kernel:
            kernel, self.kernel = self.kernel, None
            kernel.end()

    def wait(self, run, seconds, live=None):
        with passed_on(run.follower, live, run.done.is_set):
            run.answerable.wait(seconds)
        if not run.done.is_set():
            if run.late:
                run.told = True
                return {'cell_index': run.index, 'outputs': run.so_far(), 'stopped': 'stopping', 'notes': [*run.notes],
                    'seconds': run.seconds, 'value': None, 'died': None}
            left = None if run.until is None else max(0, run.until - time.monotonic())
            return {'pending': run.id, 'cell_index': run.index, 'queued': run.began is None, 'left': left}
        run.follower = None
        saved, run.saved = run.saved, None
        return {'cell_index': run.index, 'outputs': run.outputs, 'stopped': run.stopped, 'notes': run.notes,
            'seconds': run.seconds, 'value': run.value, 'died': run.died, 'saved': saved}

    def work(self):
        while True:
            self.wake.wait()
            with self.lock:
                self.wake.clear()
                if self.closed:
                    return
                if not self.waiting:
                    continue
                run = self.current = self.waiting.popleft()
                if self.waiting:
                    self.wake.set()
                run.began = time.time()
            try:
                self.run(self.living(run), run)
                self.keep(run)
            except Exception as error:
                run.notes.append('this cell could not be run or saved: ' + (str(error) if isinstance(error, Refused) else type(error).__name__))
                run.finish()
            with self.lock:
                self.current = None
                if self.waiting:
                    self.wake.set()
            run.end()

    def living(self, run):
        with self.lock:
            if self.kernel and self.kernel.process.poll() is not None:
                run.notes.append('the kernel had died and was started again: variables of earlier cells are gone')
                self.kernel.end()
                self.kernel = None
            if self.lost:
                run.notes.append('an earlier cell did not stop when it was interrupted, so its kernel was ended: variables of earlier cells are gone')
                self.lost = False
            self.kernel = self.kernel or Kernel()
            return self.kernel

    def run(self, kernel, run):
        over = threading.Event()
        threading.Thread(target=self.limit, args=(kernel, run, over), daemon=True).start()
        alive = kernel.execute(run)
        over.set()
        run.running.set()
        if not alive:
            with self.lock:
                if self.kernel is kernel:
                    self.kernel = None
                    kernel.end()
            if run.stopped is None:
                code = kernel.process.returncode
                code = 128 - code if code is not None and code < 0 else code
                why = ' (killed, perhaps for lack of memory)' if code == 137 else ''
                run.died = 'the kernel ended with exit code %s%s while this cell ran; the next cell gets a new one, without the variables' % (code, why)
            elif run.stopped == 'timeout':
                run.stopped = 'killed'
                self.lost = run.told
        run.finish()

    def keep(self, run):
        with self.lock:
            content = self.load()
            for at, cell in enumerate(content['cells']):
                same = cell.get('id') == run.cell_id if run.cell_id else at == run.index and cell['source'] == run.code
                if same and cell['cell_type'] == 'code':
                    cell['outputs'] = [{**output, 'data': {**output['data']}} if 'data' in output else output for output in run.outputs]
                    counts = [output['execution_count'] for output in run.outputs if 'execution_count' in output]
                    cell['execution_count'] = counts[-1] if counts else None
                    run.saved = self.save(content, True)

    def limit(self, kernel, run, over):
        """Interrupts a cell as Ctrl-C does, and ends a kernel that does not hear it: not before it runs the code, whose time this is."""
        run.running.wait(KERNEL_START_SECONDS)
        run.until = time.monotonic() + run.seconds
        if over.wait(run.seconds):
            return
        run.stopped = 'timeout'
        end_group(kernel.process.pid, signal.SIGINT)
        if over.wait(run.stop):
            return
        run.late = True
        run.answerable.set()
        if over.wait(CELL_INTERRUPT_SECONDS):
            return
        end_group(kernel.process.pid)
