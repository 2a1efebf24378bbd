"""What a call is told of an exception: the frames of the module's own files, and its text."""
import traceback

MAX_FRAMES, MAX_TEXT = 20, 64 * 1024

# Names of the module's files in tracebacks.
places = set()


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
    message = message_of(error)
    last = kind(error) + (': ' + message if message else '')
    return {'how': 'raised', 'type': kind(error), 'message': message, 'traceback': (text + last)[:MAX_TEXT], **place_of(error)}


def place_of(error):
    """Which function, and which parameter of it, Lagent could not describe."""
    where = getattr(error, 'lagent_where', None)
    return {'where': where[:200]} if isinstance(where, str) else {}


def unloadable(error):
    reply = {'how': 'unloadable', 'type': kind(error), 'message': message_of(error), **place_of(error)}
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


def message_of(error):
    try:
        return str(error)[:MAX_TEXT].encode('utf-8', 'replace').decode()
    except Exception:
        return ''
