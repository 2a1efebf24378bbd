import { BUILT_INS_PART } from './lagent-built-ins.ts'
import { DOCSTRING_PART } from './lagent-docstring.ts'
import { EXECUTOR_PART } from './lagent-executor.ts'

/**
 * A package `lagent` for modules of tenants where the real one is not installed: what actions are made of, as of Lagent
 * 0.5.0rc3 (InternLM/lagent 16ca689), and what calls them; nothing of agents and models.
 * Source: its actions/base_action.py, actions/builtin_actions.py, actions/parser.py and schema.py, as observed.
 */
export const LAGENT_PACKAGE = String.raw`
import importlib, inspect, json, re
from abc import ABCMeta
from ast import literal_eval
from copy import deepcopy
from dataclasses import asdict, dataclass
from enum import IntEnum
from functools import partial, wraps
from itertools import count
from typing import Annotated, Any, List, Optional, get_args, get_origin
${DOCSTRING_PART}
# Descriptions

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
    docstring = re.sub(':(.+?):\x60(.+?)\x60', r'\2', function.__doc__ or '')
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

# Results

class ActionStatusCode(IntEnum):
    ING = 1
    SUCCESS = 0
    HTTP_ERROR = -1000
    ARGS_ERROR = -1001
    API_ERROR = -1002

class ActionValidCode(IntEnum):
    FINISH = 1
    OPEN = 0
    CLOSED = -1
    INVALID = -2
    ABSENT = -3

@dataclass
class ActionReturn:
    args: Optional[dict] = None
    url: Optional[str] = None
    type: Optional[str] = None
    result: Optional[List[dict]] = None
    errmsg: Optional[str] = None
    state: Any = ActionStatusCode.SUCCESS
    thought: Optional[str] = None
    valid: Any = ActionValidCode.OPEN

    def format_result(self):
        return '\n'.join(item['content'] if item['type'] == 'text' else '[%s](%s)' % (item['type'], item['content'])
                         for item in self.result or [])

@dataclass
class FunctionCall:
    name: str
    parameters: Any

def dataclass2dict(data):
    return asdict(data, dict_factory=lambda items: {key: value.value if isinstance(value, IntEnum) else value for key, value in items})

# Parsers

class ParseError(Exception):
    def __init__(self, err_msg):
        self.err_msg = err_msg

class BaseParser:
    PARAMETER_DESCRIPTION = ''

    def __init__(self, action):
        self.action = action
        self._api2param, self._api2required = {}, {}
        for api in action.description.get('api_list', [action.description]) if action.description else []:
            missing = set(api['required']) - {parameter['name'] for parameter in api['parameters']}
            if missing:
                name = '%s.%s' % (action.name, api['name']) if action.is_toolkit else api['name']
                raise ValueError('unknown parameters for function "%s": %s' % (name, missing))
            if self.PARAMETER_DESCRIPTION:
                api['parameter_description'] = self.PARAMETER_DESCRIPTION
            key = api['name'] if action.is_toolkit else 'run'
            self._api2param[key], self._api2required[key] = api['parameters'], api['required']

    def parse_inputs(self, inputs, name='run'):
        return {self._api2param[name][0]['name']: inputs}

    def parse_outputs(self, outputs):
        if isinstance(outputs, dict):
            outputs = json.dumps(outputs, ensure_ascii=False)
        elif not isinstance(outputs, str):
            outputs = str(outputs)
        return [{'type': 'text', 'content': outputs.encode('gbk', 'ignore').decode('gbk')}]

class JsonParser(BaseParser):
    PARAMETER_DESCRIPTION = ('If you call this tool, you must pass arguments in the JSON format {key: value}, '
                             'where the key is the parameter name.')

    def parse_inputs(self, inputs, name='run'):
        if not isinstance(inputs, dict):
            fenced = re.search(r'^\s*(\x60\x60\x60json\n)?(.*)\n\x60\x60\x60\s*$', inputs, re.DOTALL)
            if fenced:
                inputs = fenced[2].strip()
            try:
                inputs = json.loads(inputs)
            except json.JSONDecodeError as error:
                raise ParseError('invalid json format: %s' % inputs) from error
        given, known = set(inputs), {parameter['name'] for parameter in self._api2param[name]}
        if given - known:
            raise ParseError('unknown arguments: %s' % (given - known))
        missing = set(self._api2required[name]) - given
        if missing:
            raise ParseError('missing required arguments: %s' % missing)
        return inputs

class TupleParser(BaseParser):
    PARAMETER_DESCRIPTION = ('If you call this tool, you must pass arguments in the tuple format like '
                             '(arg1, arg2, arg3), and the arguments are ordered.')

    def parse_inputs(self, inputs, name='run'):
        if not isinstance(inputs, tuple):
            try:
                inputs = literal_eval(inputs)
            except Exception as error:
                raise ParseError('invalid tuple format: %s' % (inputs,)) from error
        given = len(inputs)
        parameters, required = self._api2param[name], self._api2required[name]
        if given < len(required):
            raise ParseError('API takes %d required positional arguments but %d were given' % (len(required), given))
        if given > len(parameters):
            raise ParseError('API takes %d positional arguments but %d were given' % (len(parameters), given))
        return {parameters[at]['name']: item for at, item in enumerate(inputs)}

# Actions

# Classes by their names, which Lagent lists until 0.2; of two of one name the later, as it takes both since.
tools = {}

class RegistryKeyError(KeyError):
    pass

def list_tools(with_class=False):
    return list(tools.items() if with_class else tools)

def get_tool_cls(name):
    if name not in tools:
        raise RegistryKeyError(name)
    return tools[name]

def get_tool(name, *args, **kwargs):
    return get_tool_cls(name)(*args, **kwargs)

class ToolMeta(ABCMeta):
    def __new__(mcs, name, bases, attrs):
        with naming(type(name, (), {}), None):
            sections = sections_of(attrs.get('__doc__') or '')
            description = {'name': name, 'description': sections[0][1]}
        apis = {key: value.api_description for key, value in attrs.items() if callable(value) and hasattr(value, 'api_description')}
        if 'run' in apis and len(apis) > 1:
            raise KeyError('\x60run\x60 and other tool APIs can not be implemented at the same time')
        if not apis and callable(attrs.get('run')):
            attrs['run'] = tool_api(attrs['run'])
            apis['run'] = attrs['run'].api_description
        if 'run' in apis:
            run = apis['run']
            description.update(parameters=run['parameters'], required=run['required'])
            if run['description']:
                description['description'] = run['description']
            if run.get('return_data'):
                description['return_data'] = run['return_data']
        elif apis:
            description['api_list'] = list(apis.values())
        else:
            description.update(parameters=[], required=[])
        is_listed = attrs.pop('_is_listed', True)
        attrs.update(_is_toolkit='api_list' in description, __tool_description__=description)
        made = super().__new__(mcs, name, bases, attrs)
        if is_listed:
            tools[name] = made
        return made

class BaseAction(metaclass=ToolMeta):
    """Base class for all actions."""

    def __init__(self, description=None, parser=JsonParser, enable=True):
        self._description = deepcopy(description or self.__tool_description__)
        self._name = self._description['name']
        self._parser = parser(self)
        self._enable = enable

    def __call__(self, inputs, name='run'):
        args, refused = parsed(self, inputs, name)
        if refused:
            return refused
        try:
            outputs = getattr(self, name)(**args)
        except Exception as error:
            return failed(self, args, error)
        return answered(self, args, outputs)

    name = property(lambda self: self._name)
    is_toolkit = property(lambda self: self._is_toolkit)
    description = property(lambda self: self._description)

    def __repr__(self):
        return str(self.description)

class AsyncActionMixin:
    async def __call__(self, inputs, name='run'):
        args, refused = parsed(self, inputs, name)
        if refused:
            return refused
        try:
            outputs = await getattr(self, name)(**args)
        except Exception as error:
            return failed(self, args, error)
        return answered(self, args, outputs)

def parsed(action, inputs, name):
    """The arguments of a call and None, or the answer that refuses it in their place."""
    given = {'inputs': inputs, 'name': name}
    if not hasattr(action, name):
        return None, ActionReturn(given, type=action.name, errmsg='invalid API: %s' % name, state=ActionStatusCode.API_ERROR)
    try:
        return action._parser.parse_inputs(inputs, name), None
    except ParseError as error:
        return None, ActionReturn(given, type=action.name, errmsg=error.err_msg, state=ActionStatusCode.ARGS_ERROR)

def failed(action, args, error):
    return ActionReturn(args, type=action.name, errmsg=str(error), state=ActionStatusCode.API_ERROR)

def answered(action, args, outputs):
    if not isinstance(outputs, ActionReturn):
        return ActionReturn(args, type=action.name, result=action._parser.parse_outputs(outputs))
    outputs.args = outputs.args or args
    outputs.type = outputs.type or action.name
    return outputs

# What executors answer unknown names with, and the end of a task

def refusal(action, text, default):
    return ActionReturn({'text': text}, type=action.name, errmsg=text or default, state=ActionStatusCode.API_ERROR, valid=ActionValidCode.INVALID)

class InvalidAction(BaseAction):
    """What executors answer with when a name is unknown."""

    def __init__(self, err_msg='The action is invalid, please check the action name.', description=None, parser=BaseParser):
        super().__init__(description, parser)
        self._err_msg = err_msg

    @tool_api
    def run(self, err_msg: Optional[str] = None):
        """Return the error message.

        Args:
            err_msg (str, optional): The error message. If err_msg is not None,
                it will be returned, otherwise the default error message will
                be returned. Defaults to None.
        """
        return refusal(self, err_msg, self._err_msg)

class NoAction(BaseAction):
    """What executors answer with when a model names no action."""

    def __init__(self, err_msg='Please follow the format', description=None, parser=BaseParser):
        super().__init__(description, parser)
        self._err_msg = err_msg

    @tool_api
    def run(self, err_msg: Optional[str] = None):
        """Return the error message.

        Args:
            err_msg (str, optional): The error message. If err_msg is not None,
                it will be returned, otherwise the default error message will
                be returned. Defaults to None.
        """
        return refusal(self, err_msg, self._err_msg)

class FinishAction(BaseAction):
    """Ends a task: what it is given is the answer."""

    def __init__(self, description=None, parser=BaseParser):
        super().__init__(description, parser)

    @tool_api
    def run(self, response: str):
        """Return the final result.

        Args:
            response (str): The final result.
        """
        return ActionReturn({'text': response}, type=self.name, result=[{'type': 'text', 'content': response}],
                            valid=ActionValidCode.FINISH)
${BUILT_INS_PART}${EXECUTOR_PART}`
