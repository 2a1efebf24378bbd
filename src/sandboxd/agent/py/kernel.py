"""The process behind one interpreter context.

Descriptor 3 brings {"code", "envs", "marker"} as JSON lines, descriptor 4 takes {"type", ...}. stdout and stderr are the
code's own; after each execution `marker` is written to both. With IPython installed its InteractiveShell runs the code
(magics, `!cmd`, rich display), otherwise a plain driver does (last expression, top-level await).
"""
import sys

# A copy of src/guest/kernel/drivers.py beside this program, under a name that no module of the code's has.
sys.dont_write_bytecode, writes = True, sys.dont_write_bytecode
from toolyard_drivers import Output, make_driver

sys.dont_write_bytecode = writes
sys.path.pop(0)  # this program's own directory

import base64
import importlib
import json
import math
import os
import signal
import site

KEYS = {
    "text/plain": "text", "text/html": "html", "text/markdown": "markdown", "image/svg+xml": "svg", "image/png": "png",
    "image/jpeg": "jpeg", "application/pdf": "pdf", "text/latex": "latex", "application/json": "json",
    "application/javascript": "javascript", "e2b/data": "data",
}
# A larger DataFrame is shown as text and HTML, which are abridged, and has no `data`.
MAX_FRAME_VALUES = 1_000_000

# Size of one result's values, as JSON; a line to the agent is at most twice that (its MAX_KERNEL_LINE_BYTES).
MAX_RESULT_BYTES = 16 * 1024 * 1024


def send(**message):
    data = json.dumps(message, default=str).encode() + b"\n"
    while data:
        data = data[os.write(4, data):]


def send_result(data, is_main):
    """Shows `data`, values by MIME type, as IPython's formatters make them."""
    sys.stdout.flush()
    fields, left_out, room = {}, [], MAX_RESULT_BYTES
    for mime, value in data.items():
        if isinstance(value, bytes):
            value = base64.b64encode(value).decode()
        value = value if isinstance(value, str) else plain(value)
        size = len(value) if isinstance(value, str) else len(json.dumps(value))
        if size > room:
            left_out.append(f"[{mime} left out: {size} bytes, and a result has at most {MAX_RESULT_BYTES}; save it to a file]")
        else:
            room -= size
            fields[KEYS.get(mime, mime)] = value
    if left_out:
        fields["text"] = "\n".join([fields["text"]] * ("text" in fields) + left_out)
    send(**{**fields, "type": "result", "is_main_result": is_main})


def plain(value):
    """Value as JSON: null for numbers that it lacks, ISO 8601 for dates, text for unknown types."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def columns(frame):
    """A DataFrame as {column: values}, which the SDK has as `data`; null for missing values."""
    if frame.size > MAX_FRAME_VALUES:
        return None
    values = frame.astype(object).where(frame.notna(), None)
    return {str(name): values.iloc[:, at].tolist() for at, name in enumerate(frame.columns)}


class ContextOutput(Output):
    def begin(self, count):
        send(type="number_of_executions", execution_count=count)

    def result(self, data, count):
        send_result(data, count is not None)

    def error(self, kind, value, lines):
        sys.stdout.flush()
        send(type="error", name=kind.__name__, value=str(value), traceback="\n".join(lines))

    def add_formatters(self, shell):
        from IPython.core.formatters import BaseFormatter
        from traitlets import ObjectName, Unicode

        class Columns(BaseFormatter):
            format_type = Unicode("e2b/data")
            print_method = ObjectName("_repr_e2b_data_")
            _return_type = dict

        formatter = Columns(parent=shell.display_formatter)
        formatter.for_type_by_name("pandas.core.frame", "DataFrame", columns)
        shell.display_formatter.formatters["e2b/data"] = formatter

    def more_data(self, value):
        is_frame = type(value).__name__ == "DataFrame" and type(value).__module__.startswith("pandas.")
        return {"e2b/data": columns(value)} if is_frame else {}


def requests():
    """Yields requests. Signals are off while waiting, so that a late interrupt cannot end the process."""
    pending = b""
    while True:
        while b"\n" not in pending:
            data = os.read(3, 65536)
            if not data:
                return
            pending += data
        line, pending = pending.split(b"\n", 1)
        yield json.loads(line)


def execute(run, request):
    before = dict(os.environ)
    os.environ.update(request["envs"])
    importlib.invalidate_caches()
    try:
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            run(request["code"])
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt as error:
        # The signal may have come so late that it was not ignored yet.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        ContextOutput().error(KeyboardInterrupt, error, ["KeyboardInterrupt"])
    finally:
        for name in request["envs"]:
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for descriptor in (3, 4):
        os.set_inheritable(descriptor, False)
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    run = make_driver(ContextOutput(), [__file__])
    sys.path.insert(0, "")
    # A package that `pip install` puts there later must be importable without a restart.
    if site.getusersitepackages() not in sys.path:
        sys.path.append(site.getusersitepackages())
    send(type="ready")
    for request in requests():
        execute(run, request)
        for stream, descriptor in ((sys.stdout, 1), (sys.stderr, 2)):
            try:
                stream.flush()
            except Exception:  # the code replaced or closed it
                pass
            os.write(descriptor, request["marker"].encode())
        send(type="done")


main()
