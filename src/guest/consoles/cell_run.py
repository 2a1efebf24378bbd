"""Execution of one cell, and its outputs."""
import json
import re
import secrets
import threading

from ..mask import Mask
from ..output import Output, decode
from ..settings import HALF_OUTPUT_BYTES, MAX_CELL_DATA_BYTES, MAX_INTERACTIVE_CHARS

ESCAPES = re.compile(r'\x1b\[[0-9;?]*[ -/]*[@-~]')
IS_JSON = re.compile(r'application/(.*\+)?json$')


class Run:
    """Execution of one cell."""

    def __init__(self, code, index, cell_id, seconds, stop, follower=None):
        self.code, self.index, self.cell_id, self.seconds, self.stop = code, index, cell_id, seconds, stop
        self.id, self.marker = secrets.token_hex(8), ('\x00' + secrets.token_hex(16)).encode()
        self.outputs, self.notes, self.error, self.data_size = [], [], None, 0
        self.done, self.began, self.stopped = threading.Event(), None, None
        self.running, self.until = threading.Event(), None
        # The cell is done, or does not stop though its time is over: then its present state is reported, once.
        self.answerable, self.late, self.told = threading.Event(), False, False
        self.tells_value, self.value, self.died, self.saved = False, None, None, None
        self.follower = follower
        self.env, self.secrets, self.masks = {}, [], {}
        self.finished, self.output, self.lock = False, Output('notebook-cell-%d' % index), threading.Lock()

    def set_environment(self, env, secrets):
        """Variables of this cell alone. `secrets`: values among them that are masked in all that it shows."""
        self.env, self.secrets = env or {}, sorted(secrets, key=len, reverse=True)
        given = [secret.encode('utf-8', 'replace') for secret in self.secrets]
        self.masks = {name: Mask(given, len(max(given, key=len))) for name in ('stdout', 'stderr')} if given else {}

    def masked(self, value):
        """A value as it may be shown: with its texts masked."""
        if isinstance(value, str):
            for secret in self.secrets:
                value = value.replace(secret, '***')
        elif isinstance(value, list):
            return [self.masked(each) for each in value]
        elif isinstance(value, dict):
            return {self.masked(key): self.masked(each) for key, each in value.items()}
        return value

    def stream(self, name, data):
        with self.lock:
            self.show(name, self.masks[name].feed(data) if self.masks else data)

    def show_held(self):
        """Shows what masks hold back: something else comes behind it, so that no secret goes on there."""
        with self.lock:
            for name, mask in self.masks.items():
                data, mask.held = mask.held, b''
                self.show(name, data)

    def show(self, name, data):
        if not data:
            return
        if self.follower:
            self.follower.write(name, data)
        data = self.output.write(data)
        if not data:
            return
        last = self.outputs[-1] if self.outputs else None
        if last and last.get('name') == name and last['output_type'] == 'stream':
            last['text'] += data
        else:
            self.outputs.append({'output_type': 'stream', 'name': name, 'text': data})

    def take(self, message):
        if message['type'] == 'begun':
            self.running.set()
        elif message['type'] == 'stream':
            self.stream('stderr' if message['name'] == 'stderr' else 'stdout', message['text'].encode('utf-8', 'replace'))
        elif message['type'] == 'result':
            self.show_held()
            output = {'output_type': 'display_data', 'data': self.fitting(self.masked(message['data'])), 'metadata': {}}
            if message.get('count') is not None:
                output = {**output, 'output_type': 'execute_result', 'execution_count': int(message['count'])}
            with self.lock:
                self.outputs.append(output)
        elif message['type'] == 'value':
            self.value = self.masked(str(message['text']))[:MAX_INTERACTIVE_CHARS]
        elif message['type'] == 'error':
            lines = [self.masked(ESCAPES.sub('', str(line))) for line in message['lines']]
            text = '\n'.join(lines)
            if len(text) > HALF_OUTPUT_BYTES:
                lines = [text[:HALF_OUTPUT_BYTES // 2], '[\u2026]', text[-HALF_OUTPUT_BYTES // 2:]]
            value = self.masked(ESCAPES.sub('', str(message['value'])))[:HALF_OUTPUT_BYTES]
            self.error = {'output_type': 'error', 'ename': str(message['name'])[:1000], 'evalue': value, 'traceback': lines}

    def fitting(self, given):
        """Data as nbformat takes it: text, but for JSON. Too large data is replaced by a text that says so."""
        data, left = {}, []
        for mime, value in given.items():
            if not isinstance(value, str) and not IS_JSON.match(mime):
                value = json.dumps(value)
            size = len(value) if isinstance(value, str) else len(json.dumps(value))
            if self.data_size + size > MAX_CELL_DATA_BYTES:
                left.append('[%d bytes of %s left out: a cell shows %d bytes of results (MAX_CELL_DATA_BYTES); save it to a file]' % (size, mime[:100], MAX_CELL_DATA_BYTES))
            else:
                data[mime] = value
                self.data_size += size
        if left:
            data['text/plain'] = '\n'.join([data['text/plain']] * ('text/plain' in data) + left[:16])
        return data

    def so_far(self):
        with self.lock:
            return [{**output, 'text': ESCAPES.sub('', decode(output['text']))} if output['output_type'] == 'stream' else output
                for output in self.outputs]

    def end(self):
        self.done.set()
        self.answerable.set()

    def finish(self):
        if self.finished:
            return
        self.finished = True
        self.show_held()
        for output in self.outputs:
            if output['output_type'] == 'stream':
                output['text'] = ESCAPES.sub('', decode(output['text']))
        rest = self.output.end()
        if rest:
            self.outputs.append({'output_type': 'stream', 'name': 'stdout', 'text': ESCAPES.sub('', rest)})
        if self.error:
            self.outputs.append(self.error)
