"""How a model's text becomes the arguments of an action. Source: Lagent's actions/parser.py, as observed."""
import json
import re
from ast import literal_eval


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
            fenced = re.search(r'^\s*(```json\n)?(.*)\n```\s*$', inputs, re.DOTALL)
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
