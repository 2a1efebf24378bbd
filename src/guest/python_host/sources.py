"""Imports of a module's process: the module's files, which are nowhere on a disk, and the task's environment."""
import importlib.machinery
import linecache
import os
import sys

from .errors import places


class Sources:
    """Imports a module's files, which are nowhere on a disk."""

    def __init__(self, files):
        self.files = files

    def find_spec(self, name, path=None, target=None):
        base = name.replace('.', '/')
        for place, is_package in ((base + '/__init__.py', True), (base + '.py', False)):
            if place in self.files:
                spec = importlib.machinery.ModuleSpec(name, Source(place, self.files[place]), origin=place, is_package=is_package)
                return spec
        if any(place.startswith(base + '/') for place in self.files):
            return importlib.machinery.ModuleSpec(name, None, is_package=True)


class Source:
    def __init__(self, place, text):
        # In brackets, so that nobody takes it for a file of the directory that it runs in.
        self.name, self.text = '<%s>' % place, text
        places.add(self.name)
        linecache.cache[self.name] = (len(text), None, text.splitlines(True), self.name)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__file__ = self.name[1:-1]
        exec(compile(self.text, self.name, 'exec', dont_inherit=True), module.__dict__)

    def get_source(self, name):
        return self.text


def use_environment(root):
    """The packages of the task's environment, before those of the system."""
    import glob, site
    before = list(sys.path)
    for packages in glob.glob(os.path.join(glob.escape(root), 'lib', 'python3*', 'site-packages')):
        site.addsitedir(packages)
    added = [place for place in sys.path if place not in before]
    first = next((i for i, place in enumerate(before) if place.endswith(('site-packages', 'dist-packages'))), len(before))
    sys.path[:] = before[:first] + added + before[first:]
    sys.prefix = sys.exec_prefix = os.environ['VIRTUAL_ENV'] = root
    sys.executable = os.path.join(root, 'bin', 'python')
    os.environ['PATH'] = os.path.join(root, 'bin') + ':' + os.environ['PATH']
