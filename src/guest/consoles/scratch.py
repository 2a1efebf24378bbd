"""Kernels without a notebook, by name: no cell of them is kept."""
import collections
import threading

from ..settings import MAX_IPYTHON_KERNELS
from .errors import Refused
from .notebook import Notebook

class Scratch:
    """A permanent kernel, and a few more by name: the one used longest ago is first."""

    def __init__(self):
        self.own, self.named, self.lock = Notebook(None), collections.OrderedDict(), threading.Lock()

    def all(self):
        with self.lock:
            return [self.own, *self.named.values()]

    def busy(self):
        return any(one.busy() for one in self.all())

    def execute(self, code, reset, seconds, stop, wait, kernel, value, run, live=None):
        if run is not None:
            with self.lock:
                one = self.own if kernel is None else self.named.get(kernel)
            run = one.runs.get(run) if one else None
            if run is None:
                raise Refused('this code is not known any more: its kernel was ended meanwhile; run it again')
        elif kernel is None:
            one, run = self.own, self.own.enter(code, None, reset, seconds, stop, value, live)
        else:
            with self.lock:
                if reset and not code.strip() and kernel not in self.named:
                    return {'reset': True}
                one, ended = self.named_one(kernel)
                run = one.enter(code, None, reset, seconds, stop, value, live)
            if run and ended:
                run.notes.append(ended)
        if run is None:
            return {'reset': True}
        reply = one.wait(run, wait, live)
        if 'pending' not in reply:
            with one.lock:
                one.runs.pop(run.id, None)
        return reply

    def named_one(self, name):
        """Returns the kernel, and the one that had to end for it."""
        ended = None
        one = self.named.pop(name, None)
        if one is None and len(self.named) >= MAX_IPYTHON_KERNELS:
            oldest = next((other for other in self.named if not self.named[other].busy()), None)
            if oldest is None:
                raise Refused('%d kernels run code already (MAX_IPYTHON_KERNELS); wait for one of them' % MAX_IPYTHON_KERNELS)
            self.named.pop(oldest).close()
            ended = 'the kernel %s was ended and its variables are gone: %d are kept (MAX_IPYTHON_KERNELS)' % (oldest, MAX_IPYTHON_KERNELS)
        one = self.named[name] = one or Notebook(None)
        return one, ended
