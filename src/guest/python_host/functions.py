"""Functions and methods of a module, called by their names."""

# Instances whose methods were called, by their classes, and Lagent's actions by their options.
objects = {}


def asked_function(module, request):
    value, path = module, request['entry'].split('.')
    for at, name in enumerate(path):
        value = getattr(value, name)
        if isinstance(value, type) and at < len(path) - 1:
            value = objects.get(value) or objects.setdefault(value, value())
    if not callable(value):
        raise TypeError('%s is no function' % request['entry'])
    context = {'context': request['context']} if takes_context(value) else {}
    return lambda: value(**request['args'], **context)


def takes_context(function):
    import inspect
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(p.name == 'context' or p.kind is p.VAR_KEYWORD for p in parameters)
