"""Lagent's actions in a module's own process: described and called."""
import importlib
import importlib.machinery
import json
import sys
import types

from ..settings import LAGENT_ACTION_NAMES, LAGENT_SOURCES
from .functions import objects
from .values import from_json

LAGENT_MODULES = (
    'lagent', 'lagent.actions', 'lagent.actions.action_executor', 'lagent.actions.base_action', 'lagent.actions.builtin_actions',
    'lagent.actions.arxiv_search', 'lagent.actions.bing_map', 'lagent.actions.google_scholar_search', 'lagent.actions.google_search',
    'lagent.actions.ipython_interactive', 'lagent.actions.ipython_interpreter', 'lagent.actions.ipython_manager',
    'lagent.actions.ppt', 'lagent.actions.python_interpreter', 'lagent.actions.web_browser',
    'lagent.actions.parser', 'lagent.hooks', 'lagent.hooks.action_preprocessor', 'lagent.hooks.hook', 'lagent.schema', 'lagent.utils',
)

LAGENT_ACTIONS = [
    'ActionExecutor', 'AsyncActionExecutor', 'AsyncActionMixin', 'BaseAction', 'BaseParser', 'FinishAction', 'InvalidAction',
    'JsonParser', 'NoAction', 'TupleParser', 'tool_api',
    *LAGENT_ACTION_NAMES,
]


class Lagent:
    """Imports the package `lagent` from src/guest/lagent. It stands last, so that the real one is taken where it is installed."""

    def find_spec(self, name, path=None, target=None):
        if name in LAGENT_MODULES:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        if module.__name__ == 'lagent':
            for name, source in LAGENT_SOURCES.items():
                module.__dict__.update(public_names(run_part(name, source)))
        else:
            module.__dict__.update(public_names(sys.modules['lagent']))
        if module.__name__ == 'lagent.actions':
            module.__all__ = LAGENT_ACTIONS


def run_part(name, source):
    """Loads a part. Parts import each other relatively, and for importers their definitions belong to `lagent`."""
    package = __package__.rpartition('.')[0] + '.lagent'
    part = sys.modules[package + '.' + name] = types.ModuleType('lagent')
    part.__package__ = package
    exec(compile(source, '<lagent>', 'exec', dont_inherit=True), part.__dict__)
    return part


def public_names(module):
    return {name: value for name, value in vars(module).items() if not name.startswith('__')}


sys.meta_path.append(Lagent())


def lagent():
    return importlib.import_module('lagent.actions'), importlib.import_module('lagent.schema')


def asked_descriptions(module, request):
    actions, _ = lagent()
    only = request.get('only')
    if only is None:
        return lambda: [entry for name, value in list(vars(module).items()) for entry in described(actions, module, name, value)]
    value = getattr(module, only['entry']) if only['entry'] else own_entries(module)[-1]
    if isinstance(value, type):
        return lambda: [described_class(only['entry'], value)]
    function = value if hasattr(value, 'api_description') else actions.tool_api(value, **only['options'])
    return lambda: [{'entry': only['entry'], 'kind': 'function', 'description': function.api_description}]


def own_entries(module):
    return [value for value in vars(module).values()
            if callable(value) and (not isinstance(value, type) or value.__module__ == module.__name__)]


def described(actions, module, name, value):
    if isinstance(value, type) and issubclass(value, actions.BaseAction):
        if value.__module__ == module.__name__:
            yield described_class(name, value)
    elif callable(value) and isinstance(getattr(value, 'api_description', None), dict):
        yield {'entry': name, 'kind': 'function', 'description': value.api_description}


def described_class(name, value):
    made = value()
    return {'entry': name, 'kind': 'class', 'is_toolkit': bool(made.is_toolkit), 'description': value.__tool_description__,
            'instance_description': made.description}


def the_action(module, request):
    actions, _ = lagent()
    key = json.dumps([request['action'], request.get('parser'), request['arguments']], sort_keys=True)
    if key not in objects:
        value = getattr(module, request['action'])
        arguments = dict(request['arguments'])
        if request.get('parser'):
            arguments['parser'] = getattr(actions, request['parser'])
        if not isinstance(value, type):
            value = of_function(actions, value)
        objects[key] = value(**arguments)
    return objects[key]


def of_function(actions, function):
    class Function(actions.BaseAction):
        _is_listed = False

        def __init__(self, description=None, **more):
            super().__init__(description or function.api_description, **more)

        def run(self, **args):
            return function.__wrapped__(**args)
    return Function


def asked_action(module, request):
    """Calls an action as Lagent does: its own parser reads the inputs."""
    action = the_action(module, request)
    return lambda: action(from_json(request['inputs']), request['api'])
