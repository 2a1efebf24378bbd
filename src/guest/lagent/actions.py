"""Actions, and the registry of their classes.

Source: Lagent's actions/base_action.py and actions/builtin_actions.py, as observed.
"""
from abc import ABCMeta
from copy import deepcopy
from typing import Optional

from .descriptions import naming, tool_api
from .docstrings import sections_of
from .parsers import BaseParser, JsonParser, ParseError
from .results import ActionReturn, ActionStatusCode, ActionValidCode

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
            raise KeyError('`run` and other tool APIs can not be implemented at the same time')
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
