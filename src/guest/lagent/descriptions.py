"""Descriptions of functions as tools: `tool_api`.

Source: Lagent 0.5.0rc3 (InternLM/lagent 16ca689), actions/base_action.py, as observed.
"""
import inspect
import re
from functools import wraps
from typing import Annotated, get_args, get_origin

from .docstrings import PARAMETERS, RETURNS, TEXT, sections_of


def type_of(text):
    if 'list' in text:
        return 'Array'
    if 'str' in text:
        return 'STRING'
    for word, name in (('float', 'FLOAT'), ('int', 'NUMBER'), ('bool', 'BOOLEAN')):
        if word in text:
            return name
    return 'STRING'


def member(entry):
    """What a docstring says of one member of a result."""
    entry = dict(entry)
    annotation = entry.pop('annotation')
    if annotation:
        entry['type'] = type_of(annotation.lower())
    return entry


def returned_value(entry):
    entry = member(entry)
    if not entry['name']:
        del entry['name']
    return entry


def members_of(description):
    lines = ['    ' + line.lstrip(' -+*#.') for line in description.split('\n')[1:] if line.strip()]
    found = sections_of('\nArgs:\n' + '\n'.join(lines))
    return [member(entry) for entry in found[0][1]] if found and found[0][0] == PARAMETERS else []


def annotated_type(annotation):
    while get_origin(annotation):
        annotation = get_args(annotation)
    return type_of(str(annotation))


def describe(function, explode_return, returns_named_value, is_left_out, options):
    # Roles of Sphinx go, from the first colon of the line on.
    docstring = re.sub(':(.+?):`(.+?)`', r'\2', function.__doc__ or '')
    sections = sections_of(docstring, returns_named_value=returns_named_value, **options)
    kind, first = sections[0]
    documented, returned = {}, []
    for kind_of_section, entries in sections:
        if kind_of_section == PARAMETERS:
            for entry in entries:
                with naming(function, entry['name']):
                    documented[entry['name']] = {'description': entry['description'], 'type': type_of(entry['annotation'].lower())}
        elif kind_of_section == RETURNS:
            returned += map(returned_value, entries)
    description = {'name': function.__name__, 'description': first if kind == TEXT else '', 'parameters': [], 'required': []}
    for name, parameter in inspect.signature(function).parameters.items():
        if is_left_out(name):
            continue
        entry = {'name': name, 'type': 'STRING', 'description': documented.get(name, {}).get('description', '')}
        annotation = parameter.annotation
        if annotation is inspect.Signature.empty:
            entry['type'] = documented.get(name, {}).get('type', 'STRING')
        else:
            with naming(function, name):
                if get_origin(annotation) is Annotated:
                    annotation, info = get_args(annotation)
                    if info:
                        entry['description'] = info
                entry['type'] = annotated_type(annotation)
        description['parameters'].append(entry)
        if parameter.default is inspect.Signature.empty:
            description['required'].append(name)
    with naming(function, None):
        members = members_of(returned[0]['description']) if explode_return else returned if returns_named_value else []
    if members:
        description['return_data'] = members
    return description


class naming:
    """Notes what of which function could not be described; the exception stays Lagent's own."""

    def __init__(self, function, parameter):
        self.where = function.__name__ + ('' if parameter is None else '(%s)' % parameter)

    def __enter__(self):
        pass

    def __exit__(self, kind, error, _):
        if error is not None and not hasattr(error, 'lagent_where'):
            error.lagent_where = self.where


def tool_api(func=None, *, explode_return=False, returns_named_value=False, include_arguments=None, exclude_arguments=None, **kwargs):
    def names(given):
        return {given} if isinstance(given, str) else set(given or ())
    if include_arguments is None:
        excluded = names(exclude_arguments) | {'self'}
        is_left_out = excluded.__contains__
    else:
        included = names(include_arguments)
        is_left_out = lambda name: name not in included

    def decorate(func):
        if inspect.iscoroutinefunction(func):
            @wraps(func)
            async def wrapper(self, *args, **kwargs):
                return await func(self, *args, **kwargs)
        else:
            @wraps(func)
            def wrapper(self, *args, **kwargs):
                return func(self, *args, **kwargs)
        with naming(func, None):
            wrapper.api_description = describe(func, explode_return, returns_named_value, is_left_out, kwargs)
        return wrapper

    return decorate(func) if callable(func) else decorate
