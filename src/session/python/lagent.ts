import { BUILT_IN_DESCRIPTIONS } from '../../tools/lagent/built-in-descriptions.ts'
import { LAGENT_PACKAGE } from './lagent-package.ts'

const BUILT_IN_NAMES = BUILT_IN_DESCRIPTIONS.map(({ name }) => `'${name}'`).join(', ')

/** In a module's own process: Lagent's actions, described and called. */
export const LAGENT_PART = `# Lagent's actions

LAGENT = ${JSON.stringify(LAGENT_PACKAGE)}
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
    ${BUILT_IN_NAMES},
]

class Lagent:
    """Stands last, so that the real package is taken where it is installed."""

    def find_spec(self, name, path=None, target=None):
        if name in LAGENT_MODULES:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        if module.__name__ == 'lagent':
            exec(compile(LAGENT, '<lagent>', 'exec', dont_inherit=True), module.__dict__)
        else:
            module.__dict__.update((name, value) for name, value in vars(sys.modules['lagent']).items() if not name.startswith('__'))
        if module.__name__ == 'lagent.actions':
            module.__all__ = LAGENT_ACTIONS

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
    """As Lagent calls an action: its own parser reads the inputs."""
    action = the_action(module, request)
    return lambda: action(from_json(request['inputs']), request['api'])

ASKED.update(describe=asked_descriptions, action=asked_action)

def from_json(value):
    """What JSON has no word for comes as {"__tuple__": [...]}, {"__float__": "nan"} (also "1.0", which
    not everybody tells from 1) and {"__int__": "9007199254740993"}."""
    if isinstance(value, list):
        return [from_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {'__tuple__'}:
        return tuple(map(from_json, value['__tuple__']))
    if set(value) == {'__int__'}:
        return int(value['__int__'])
    if set(value) == {'__float__'}:
        return float(value['__float__'])
    return {key: from_json(item) for key, item in value.items()}

def to_json(value):
    import enum
    if hasattr(value, '__dataclass_fields__') and not isinstance(value, type):
        return {name: to_json(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, float) and (value != value or value in (float('inf'), float('-inf'))):
        return {'__float__': str(value)}
    if isinstance(value, tuple):
        return {'__tuple__': [to_json(item) for item in value]}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, int) and abs(value) >= 1 << 53:
        return {'__int__': str(value)}
    if isinstance(value, (str, int, float)) or value is None:
        return value
    return str(value)
`
