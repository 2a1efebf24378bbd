"""Runs a program of several modules, none of which is a file in the sandbox.

`run_program` takes one JSON document: {"modules": {name: source}, "settings": {NAME: value}}. A name is a path below
src/guest, with dots. Modules run in the order of the document, the last one is the program. They import each other
relatively, and limits and places from the module `settings` at the top.
"""
import json
import sys
import types

PACKAGE = '_toolyard'


def run_program(document):
    program = json.loads(document)
    add_module(PACKAGE, {'__path__': []})
    add_module(PACKAGE + '.settings', program['settings'])
    for name, source in program['modules'].items():
        full_name = PACKAGE + '.' + name
        parent = full_name.rpartition('.')[0]
        if parent not in sys.modules:
            add_module(parent, {'__path__': []})
        module = add_module(full_name, {'__package__': parent})
        exec(compile(source, '<%s>' % name, 'exec', dont_inherit=True), module.__dict__)


def add_module(name, values):
    module = sys.modules[name] = types.ModuleType(name)
    module.__dict__.update(values)
    return module
