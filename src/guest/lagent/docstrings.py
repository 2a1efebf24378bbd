"""Reads docstrings in Google's style into sections, as griffe 0.49 does with its defaults and no parent.

Only what descriptions are made of is kept of a section: text, parameters and returned values; the others are passed over.
"""
import inspect
import re

PARAMETERS, RETURNS, TEXT, OTHER = 'parameters', 'returns', 'text', 'other'
GIVEN, BLOCK = 'given', 'block'  # items without a colon, too; one text
SECTIONS = {
    **dict.fromkeys(('args', 'arguments', 'params', 'parameters'), PARAMETERS),
    **dict.fromkeys((a + b for a in ('keyword ', 'other ') for b in ('args', 'arguments', 'params', 'parameters')
                     if (a, b) not in (('keyword ', 'params'), ('keyword ', 'parameters'))), OTHER),
    **dict.fromkeys(('yields', 'receives'), GIVEN),
    **dict.fromkeys(('raises', 'exceptions', 'attributes', 'functions', 'methods', 'classes', 'modules',
                     'warns', 'warnings'), OTHER),
    'returns': RETURNS, 'examples': BLOCK,
}
HEADING = re.compile(r'^(?P<kind>\w[\s\w-]*):(?:\s+(?P<title>\S.*))?\s*$')
NAMED = re.compile(r'(?:(?P<name>\w+)?\s*(?:\((?P<type>.+)\))?:\s*)?(?P<text>.*)', re.DOTALL)


def sections_of(docstring, returns_named_value=True, returns_multiple_items=True, **_):
    """Pairs of a kind and a value. An empty docstring is one empty text."""
    lines = inspect.cleandoc(docstring.rstrip()).split('\n')
    found, text, fenced, at = [], [], False, 0

    def end_text(last=False):
        if any(text) or last and text:
            found.append((TEXT, '\n'.join(text).rstrip('\n')))
        text.clear()

    while at < len(lines):
        line = lines[at]
        heading = None
        if line.lstrip(' ').startswith('```'):
            fenced = not fenced
        elif not fenced:
            heading = HEADING.match(line)
        if not heading or not opens(lines, at):
            text.append(line)
            at += 1
            continue
        kind = SECTIONS.get(heading['kind'].lower())
        if kind is None:
            block, at = block_below(lines, at + 1)
            if block:
                end_text()
                found.append((OTHER, block))
            elif at < len(lines):
                text.append(lines[at])
        else:
            end_text()
            value, at = READERS[kind](lines, at + 1, returns_named_value, returns_multiple_items)
            if value:
                found.append((kind, value))
        at += 1
    end_text(last=True)
    return found


def opens(lines, at):
    """Whether a heading begins something: a blank line stands above it and an indented one right below."""
    def is_indented(place):
        return place < len(lines) and lines[place].startswith(' ') and lines[place].strip()
    if not (is_indented(at + 1) or is_indented(at + 2)):
        return False
    if at > 0 and lines[at - 1].strip():
        return False
    return not (is_indented(at + 2) and not lines[at + 1].strip())


def indentation(line):
    return len(line) - len(line.lstrip())


def skip_blank(lines, at):
    while not lines[at].strip():
        at += 1
    return at


def block_below(lines, at):
    if at >= len(lines):
        return '', at - 1
    first = skip_blank(lines, at)
    indent = indentation(lines[first])
    if indent == 0:
        return '', at - 1
    block, at = [lines[first].lstrip()], first + 1
    while at < len(lines) and (lines[at].startswith(' ' * indent) or not lines[at].strip()):
        block.append(lines[at][indent:])
        at += 1
    return '\n'.join(block).rstrip('\n'), at - 1


def items_below(lines, at):
    """Each item is a list of lines, without their indentation."""
    if at >= len(lines):
        return [], at
    at = skip_blank(lines, at)
    indent = indentation(lines[at])
    if indent == 0:
        return [], at - 1
    items = [[lines[at][indent:]]]
    at += 1
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            items[-1].append('')
        elif line.startswith(' ' * indent * 2):
            items[-1].append(line[indent * 2:])
        elif line.startswith(' ' * (indent + 1)):
            items[-1].append(line.lstrip())
        elif line.startswith(' ' * indent):
            items.append([line[indent:]])
        else:
            break
        at += 1
    return items, at - 1


def described(first, more):
    return '\n'.join([first.lstrip(), *more]).rstrip('\n')


def read_parameters(lines, at, *_):
    items, at = items_below(lines, at)
    found = []
    for first, *more in items:
        name, colon, text = first.partition(':')
        if not colon:
            continue
        name, blank, kind = name.partition(' ')
        kind = kind.strip('()') if blank else None
        if kind is not None and kind.endswith(', optional'):
            kind = kind[:-len(', optional')]
        found.append({'name': name, 'annotation': kind, 'description': described(text, more)})
    return found, at


def read_returns(lines, at, named, several):
    if several:
        items, at = items_below(lines, at)
    else:
        block, at = block_below(lines, at)
        items = [block.splitlines()]
    found = []
    for item in items:
        first, more = item[0], item[1:]
        if named:
            match = NAMED.match(first)
            name, kind, text = match['name'], match['type'], match['text']
        else:
            kind, colon, text = first.partition(':')
            name, kind, text = None, *((kind.lstrip('(').rstrip(')'), text) if colon else (None, first))
        found.append({'name': name or '', 'annotation': kind or None, 'description': described(text, more)})
    return found, at


def read_others(lines, at, *_):
    items, at = items_below(lines, at)
    return [item for item in items if ':' in item[0]], at


def read_given(lines, at, *_):
    return items_below(lines, at)


def read_block(lines, at, *_):
    block, at = block_below(lines, at)
    return [block], at

READERS = {PARAMETERS: read_parameters, RETURNS: read_returns, OTHER: read_others, GIVEN: read_given, BLOCK: read_block}
