"""Classes of the actions that come with Lagent: by their names, in the registry, described as there.

They can be listed, given another parser and derived from. They are run by the server, where their services and keys are.
"""
import json

from ..settings import LAGENT_DESCRIPTIONS
from .actions import AsyncActionMixin, BaseAction, ToolMeta, tools
from .parsers import JsonParser


def built_in(description):
    name, is_async = description['name'], description['name'].startswith('Async')
    apis = description.get('api_list')

    def method(api):
        where = "%s is run by the server and not by Python; call it by its own name, beside this action" % name
        if is_async:
            async def run(self, *args, **kwargs):
                raise RuntimeError(where)
        else:
            def run(self, *args, **kwargs):
                raise RuntimeError(where)
        run.__name__, run.api_description = api['name'] if apis else 'run', api
        return run

    def made(self, *args, description=None, parser=JsonParser, enable=True, **options):
        BaseAction.__init__(self, description, parser, enable)

    attrs = {'__module__': 'lagent.actions', '__init__': made}
    if apis:
        attrs.update((api['name'], method(api)) for api in apis)
    elif description['parameters']:
        attrs['run'] = method(description)
    bases = (AsyncActionMixin, tools.get(name[5:], BaseAction)) if is_async else (BaseAction,)
    found = ToolMeta(name, bases, attrs)
    found.__tool_description__ = description
    return found

globals().update((one['name'], built_in(one)) for one in json.loads(LAGENT_DESCRIPTIONS))
