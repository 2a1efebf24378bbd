import { VENV_DIR } from '../../core/task-layout.ts'

/**
 * What runs in a module's own process: it loads the module from memory and does what is asked, one call after another.
 * The module shares this process, so it can make up its own answers; it has nothing of anybody else's here.
 */
export const MODULE_PART = String.raw`# A module's process

MAX_FRAMES, MAX_TEXT = 20, 64 * 1024
places, main = set(), None

def serve(link):
    # Nothing is secret in the host's program, but a module expects an empty __main__.
    sys.modules['__main__'] = type(sys)('__main__')
    for line in link.makefile('rb'):
        request = json.loads(line)
        reply = answer(request)
        try:
            reply = reply.encode()
        except UnicodeEncodeError:
            # What a model wrote can have half of a surrogate pair: an action's answer shows it as it came.
            if request['do'] != 'function':
                reply = json.dumps(json.loads(reply)).encode()
            else:
                reply = json.dumps(raised(ValueError('the result has half of a surrogate pair, which is no text'))).encode()
        if len(reply) > RESULT:
            reply = json.dumps({'how': 'tooLarge', 'bytes': len(reply)}).encode()
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        note_mapped()
        link.sendall(request['id'].encode() + b' ' + reply + b'\n')

def note_mapped():
    """Stores into mapped files may leave no mark, and nobody may look into this process: the ctime of these files is moved."""
    with open('/proc/self/maps', 'rb') as maps:
        lines = [line.rstrip(b'\n').split(None, 5) for line in maps if b's ' in line]
    here = os.fsencode(WORKSPACE) + b'/'
    for path in {line[5] for line in lines if len(line) == 6 and line[1][1:2] == b'w' and line[1][3:4] == b's'}:
        if path.startswith(here):
            try:
                times = os.lstat(path)
                os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns), follow_symlinks=False)
            except OSError:
                pass  # it was removed, or is another's

def answer(request):
    global main
    try:
        if main is None:
            prepare(request['load'])
        module = importlib.import_module(main)
        entry = ASKED[request['do']](module, request)
    except BaseException as error:
        return json.dumps(unloadable(error))
    try:
        value = settled(entry())
        return returned(value if request['do'] == 'function' else to_json(value))
    except BaseException as error:
        return json.dumps(raised(error))

def prepare(load):
    global main
    main = load['main']
    sys.meta_path.insert(0, Sources(load['files']))
    if load['environment']:
        use_environment(os.path.join(WORKSPACE, '${VENV_DIR}'))

class Sources:
    """Imports a module's files, which are nowhere on a disk."""

    def __init__(self, files):
        self.files = files

    def find_spec(self, name, path=None, target=None):
        base = name.replace('.', '/')
        for place, is_package in ((base + '/__init__.py', True), (base + '.py', False)):
            if place in self.files:
                spec = importlib.machinery.ModuleSpec(name, Source(place, self.files[place]), origin=place, is_package=is_package)
                return spec
        if any(place.startswith(base + '/') for place in self.files):
            return importlib.machinery.ModuleSpec(name, None, is_package=True)

class Source:
    def __init__(self, place, text):
        # In brackets, so that nobody takes it for a file of the directory that it runs in.
        self.name, self.text = '<%s>' % place, text
        places.add(self.name)
        linecache.cache[self.name] = (len(text), None, text.splitlines(True), self.name)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__file__ = self.name[1:-1]
        exec(compile(self.text, self.name, 'exec', dont_inherit=True), module.__dict__)

    def get_source(self, name):
        return self.text

def use_environment(root):
    """The packages of the task's environment, before those of the system."""
    import glob, site
    before = list(sys.path)
    for packages in glob.glob(os.path.join(glob.escape(root), 'lib', 'python3*', 'site-packages')):
        site.addsitedir(packages)
    added = [place for place in sys.path if place not in before]
    first = next((i for i, place in enumerate(before) if place.endswith(('site-packages', 'dist-packages'))), len(before))
    sys.path[:] = before[:first] + added + before[first:]
    sys.prefix = sys.exec_prefix = os.environ['VIRTUAL_ENV'] = root
    sys.executable = os.path.join(root, 'bin', 'python')
    os.environ['PATH'] = os.path.join(root, 'bin') + ':' + os.environ['PATH']

def asked_function(module, request):
    value, path = module, request['entry'].split('.')
    for at, name in enumerate(path):
        value = getattr(value, name)
        if isinstance(value, type) and at < len(path) - 1:
            value = objects.get(value) or objects.setdefault(value, value())
    if not callable(value):
        raise TypeError('%s is no function' % request['entry'])
    context = {'context': request['context']} if takes_context(value) else {}
    return lambda: value(**request['args'], **context)

objects = {}

def takes_context(function):
    import inspect
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(p.name == 'context' or p.kind is p.VAR_KEYWORD for p in parameters)

ASKED = {'function': asked_function}

loop = None

def settled(value):
    global loop
    if not hasattr(type(value), '__await__'):
        return value
    import asyncio
    if loop is None:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)

    async def awaited():
        return await value
    return loop.run_until_complete(awaited())

def returned(value):
    try:
        return '{"how": "returned", "value": %s}' % json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        text = str(value)[:RESULT].encode('utf-8', 'replace').decode()
        return json.dumps({'how': 'returnedText', 'text': text, 'type': kind(value)}, ensure_ascii=False)

def raised(error):
    frames = []
    at = error.__traceback__
    while at:
        code = at.tb_frame.f_code
        if code.co_filename in places:
            frames.append(traceback.FrameSummary(code.co_filename, at.tb_lineno, code.co_name))
        at = at.tb_next
    left = len(frames) - MAX_FRAMES
    lines = ['  [%d frames left out]\n' % left] if left > 0 else []
    lines += traceback.format_list(frames[-MAX_FRAMES:])
    text = ''.join(lines)
    for place in places:
        text = text.replace('File "%s"' % place, 'File "%s"' % place[1:-1])
    message = said_by(error)
    last = kind(error) + (': ' + message if message else '')
    return {'how': 'raised', 'type': kind(error), 'message': message, 'traceback': (text + last)[:MAX_TEXT], **place_of(error)}

def place_of(error):
    """Which function, and which parameter of it, Lagent could not describe."""
    where = getattr(error, 'lagent_where', None)
    return {'where': where[:200]} if isinstance(where, str) else {}

def unloadable(error):
    reply = {'how': 'unloadable', 'type': kind(error), 'message': said_by(error), **place_of(error)}
    if isinstance(error, ImportError) and error.name:
        reply['missing'] = str(error.name)[:200]
    file, line = getattr(error, 'filename', None), getattr(error, 'lineno', None)
    at = error.__traceback__
    while at and not isinstance(error, SyntaxError):
        if at.tb_frame.f_code.co_filename in places:
            file, line = at.tb_frame.f_code.co_filename, at.tb_lineno
        at = at.tb_next
    if file in places:
        reply['at'] = '%s:%s' % (file[1:-1], line)
    return reply

def kind(value):
    return str(type(value).__name__)[:200]

def said_by(error):
    try:
        return str(error)[:MAX_TEXT].encode('utf-8', 'replace').decode()
    except Exception:
        return ''
`
