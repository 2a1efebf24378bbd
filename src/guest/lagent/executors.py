"""Executors, messages and hooks, for modules that import them beside their actions or put actions together by them.

What the published document of January 2024 calls otherwise is there too. Source: Lagent 0.5.0rc3,
actions/action_executor.py, hooks/, schema.py and utils/util.py, as observed.
"""
import importlib
import inspect
from copy import deepcopy
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from itertools import count
from typing import Any, Optional

from .actions import FinishAction, InvalidAction, NoAction
from .results import ActionReturn, ActionStatusCode, ActionValidCode, FunctionCall

ModelStatusCode = IntEnum('ModelStatusCode', dict(
    END=0, STREAM_ING=1, SERVER_ERR=-1, SESSION_CLOSED=-2, SESSION_OUT_OF_LIMIT=-3, SESSION_INVALID_ARG=-4, SESSION_READY=2))
AgentStatusCode = IntEnum('AgentStatusCode', {
    **ModelStatusCode.__members__, 'PLUGIN_START': 3, 'PLUGIN_END': 4, 'PLUGIN_RETURN': 5, 'CODING': 6, 'CODE_END': 7, 'CODE_RETURN': 8})


@dataclass
class AgentMessage:
    content: Any
    sender: str = 'user'
    formatted: Any = None
    extra_info: Any = None
    type: Optional[str] = None
    receiver: Optional[str] = None
    stream_state: Any = AgentStatusCode.END


def calls(value):
    """Whether it is a call: of the class, or a dict with both keys."""
    return isinstance(value, FunctionCall) or isinstance(value, dict) and {'name', 'parameters'} <= value.keys()


def called(value):
    return (value['name'], value['parameters']) if isinstance(value, dict) else (value.name, value.parameters)

# Hooks


class Hook:
    def before_agent(self, agent, message, session_id):
        pass

    def after_agent(self, agent, message, session_id):
        pass

    def before_action(self, executor, message, session_id):
        pass

    def after_action(self, executor, message, session_id):
        pass


class RemovableHandle:
    _id_iter = count(0)

    def __init__(self, hooks_dict):
        self.hooks_dict, self.id = hooks_dict, next(self._id_iter)

    def remove(self):
        del self.hooks_dict[self.id]


class ActionPreprocessor(Hook):
    def before_action(self, executor, message, session_id):
        given = message.formatted
        if isinstance(given, dict):
            assert 'name' in message.content and 'parameters' in given or calls(given.get('action'))
            name, parameters = called(given['action'])
            name, parameters = given.get('name', name), given.get('parameters', parameters)
        else:
            assert calls(given)
            name, parameters = called(given)
        message.content = {'name': name, 'parameters': parameters}
        return message

    def after_action(self, executor, message, session_id):
        answer = message.content
        if isinstance(answer, ActionReturn):
            message.content = answer.format_result() if answer.state == ActionStatusCode.SUCCESS else answer.errmsg
        return message


class InternLMActionProcessor(ActionPreprocessor):
    def __init__(self, code_parameter='command'):
        self.code_parameter = code_parameter

    def before_action(self, executor, message, session_id):
        message = deepcopy(message)
        given = message.formatted
        assert isinstance(given, dict) and {'tool_type', 'thought', 'action', 'status'} <= given.keys()
        if isinstance(given['action'], str):
            name = next(iter(executor.actions))
            session = {'session_id': session_id} if name == 'AsyncIPythonInterpreter' else {}
            given['action'] = {'name': name, 'parameters': {self.code_parameter: given['action'], **session}}
        return super().before_action(executor, message, session_id)

# Executors


def create_object(config=None):
    """What the config is of: {'type': a class, or its dotted name, and what it is made with}. Anything else is it already."""
    if not isinstance(config, dict):
        return config
    assert 'type' in config
    arguments = dict(config)
    kind = arguments.pop('type')
    if isinstance(kind, str):
        module, name = kind.rsplit('.', 1)
        kind = getattr(importlib.import_module(module), name)
    return kind(**arguments) if isinstance(kind, type) else partial(kind, **arguments)


class ActionExecutor:
    def __init__(self, actions, invalid_action=dict(type=InvalidAction), no_action=dict(type=NoAction),
                 finish_action=dict(type=FinishAction), finish_in_action=False, hooks=None):
        self.invalid_action, self.no_action = create_object(invalid_action), create_object(no_action)
        self.finish_action = create_object(finish_action)
        given = list(actions) if isinstance(actions, list) else [actions]
        made = [create_object(action) for action in given + [self.finish_action] * finish_in_action]
        self.actions = {action.name: action for action in made}
        self._hooks = {}
        for hook in hooks or []:
            self.register_hook(create_object(hook))

    def description(self):
        return [{**api, 'name': '%s.%s' % (name, api['name'])} if action.is_toolkit else dict(api)
                for name, action in self.actions.items()
                for api in (action.description['api_list'] if action.is_toolkit else [action.description])]

    get_actions_info = description  # its name in the published document

    def __contains__(self, name):
        return name in self.actions

    def keys(self):
        return list(self.actions)

    def __setitem__(self, name, action):
        action = create_object(action)
        self.actions[action.name] = action

    def __delitem__(self, name):
        del self.actions[name]

    def register_hook(self, hook):
        handle = RemovableHandle(self._hooks)
        self._hooks[handle.id] = hook
        return handle

    def _found(self, name, parameters):
        """What to call, and with what; whether it is one of the actions."""
        action, api = name.split('.') if '.' in name else (name, 'run')
        if action in self.actions:
            return self.actions[action], (parameters, api), True
        pseudo = {self.finish_action.name: self.finish_action, self.no_action.name: self.no_action}
        return pseudo.get(name, self.invalid_action), (parameters,), False

    def _asked(self, message):
        assert calls(message.content)
        return called(message.content)

    def _message(self, answer):
        return answer if isinstance(answer, AgentMessage) else AgentMessage(sender=type(self).__name__, content=answer)

    def forward(self, name, parameters, **kwargs):
        action, arguments, known = self._found(name, parameters)
        answer = action(*arguments)
        if known:
            answer.valid = ActionValidCode.OPEN
        return answer

    def __call__(self, message, session_id=0, **kwargs):
        if isinstance(message, str):
            return self.forward(message, session_id)  # as in the published document: a name and what it is called with
        for hook in self._hooks.values():
            message = hook.before_action(self, message, session_id) or message
        name, parameters = self._asked(message)
        response = self._message(self.forward(name=name, parameters=parameters, **kwargs))
        for hook in self._hooks.values():
            response = hook.after_action(self, response, session_id) or response
        return response


async def settled(value):
    return await value if inspect.isawaitable(value) else value


class AsyncActionExecutor(ActionExecutor):
    async def forward(self, name, parameters, **kwargs):
        action, arguments, known = self._found(name, parameters)
        answer = await settled(action(*arguments))
        if known:
            answer.valid = ActionValidCode.OPEN
        return answer

    async def __call__(self, message, session_id=0, **kwargs):
        for hook in self._hooks.values():
            message = await settled(hook.before_action(self, message, session_id)) or message
        name, parameters = self._asked(message)
        response = self._message(await self.forward(name=name, parameters=parameters, **kwargs))
        for hook in self._hooks.values():
            response = await settled(hook.after_action(self, response, session_id)) or response
        return response
