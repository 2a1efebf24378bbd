"""The process of a notebook's kernel, for the host."""
import json
import os
import socket
import subprocess
import threading

from ..output import decode
from ..processes import end_group
from ..settings import HOST_MARK, MAX_INTERACTIVE_CHARS
from .json_text import parse_json
from .place import place


class Kernel:
    def __init__(self):
        ours, theirs = socket.socketpair()
        out, printed = os.pipe()
        own = os.path.join(os.environ.get('VIRTUAL_ENV', ''), 'bin', 'python')
        python = own if os.access(own, os.X_OK) else 'python3'
        self.link, self.out, self.run, self.pending, self.threads = ours, out, None, b'', 2
        # Descriptor 3 for the kernel: bash puts it there.
        self.process = subprocess.Popen(
            ['/bin/bash', '-c', 'ulimit -x %d 2>/dev/null; ' % HOST_MARK + ('exec "$0" "$1" 3<&%d %d<&-' % (theirs.fileno(), theirs.fileno()) if theirs.fileno() != 3
             else 'exec "$0" "$1"'), python, place('kernel.py')],
            stdin=subprocess.DEVNULL, stdout=printed, stderr=printed, pass_fds=[theirs.fileno()], start_new_session=True)
        theirs.close()
        os.close(printed)
        self.marked = threading.Event()
        threading.Thread(target=self.read_out, daemon=True).start()

    def read_out(self):
        """Reads output that bypasses Python, up to the marker of the running cell."""
        while True:
            try:
                data = os.read(self.out, 65536)
            except OSError:
                return
            if not data:
                os.close(self.out)
                return
            self.pending += data
            run = self.run
            marker = run.marker if run else None
            if marker and marker in self.pending:
                text, _, self.pending = self.pending.partition(marker)
                run.stream('stdout', text)
                self.marked.set()
            else:
                keep = len(marker) if marker else 0
                text, self.pending = self.pending[:len(self.pending) - keep], self.pending[len(self.pending) - keep:]
                # A marker may be cut in two, so its length is held back while nothing else comes.
                if keep and marker[:1] not in self.pending:
                    text, self.pending = text + self.pending, b''
                if run:
                    run.stream('stdout', text)

    def execute(self, run):
        """Runs a cell. Returns False when the kernel died."""
        self.marked.clear()
        self.run = run
        try:
            asked = {'code': run.code, 'marker': decode(run.marker), 'value': MAX_INTERACTIVE_CHARS if run.tells_value else 0, 'env': run.env}
            self.link.sendall(json.dumps(asked).encode() + b'\n')
            received = b''
            while True:
                data = self.link.recv(1 << 20)
                if not data:
                    return False
                *lines, received = (received + data).split(b'\n')
                for line in lines:
                    message = parse_json(line)
                    if message['type'] == 'done':
                        self.threads = int(message['threads'])
                        self.marked.wait(2)
                        return True
                    run.take(message)
        except Exception:
            # The code may have written to the socket itself.
            return False
        finally:
            self.run = None

    def end(self):
        end_group(self.process.pid)
        self.process.wait()
        self.link.close()
