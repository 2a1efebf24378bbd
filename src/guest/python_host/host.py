"""The process in the sandbox that looks after the modules' processes.

One request per line of stdin, one reply per line of stdout; both pipes are in no place that another
process could open. Three processes:

- the first one: hides its memory, forks the next, and has nothing in it any more;
- the host: captures what modules print, keeps their deadlines, and runs none of their code;
- the fork server: forked before the first request came, so that it knows nothing of any. It forks the modules' processes.

None of them is ever `dumpable`: Linux then lets no process of the same user read its memory, descriptors or environment.
Processes that a module starts have its mark, the limit on file locks, as commands have theirs.
"""
import json
import os
import select
import socket
import time

from ..output import decode
from ..settings import IDLE_SECONDS, MAX_PYTHON_MODULES, MAX_PYTHON_RESULT_BYTES, WORKSPACE
from .followed import Followed
from .masked import Masked
from .module_process import Module, end_marked
from .fork_server import serve_forks
from .replies import say, watched
from .system import leave, libc


def start():
    try:
        # When memory runs out, this goes before the sandbox's own processes do.
        with open('/proc/self/oom_score_adj', 'w') as file:
            file.write('300')
    except OSError:
        pass
    libc.prctl(4, 0, 0, 0, 0)   # not dumpable
    libc.prctl(38, 1, 0, 0, 0)  # no new privileges: sudo has no effect
    os.environ['PATH'] = os.environ.pop('MODULE_PATH', os.environ.get('PATH', ''))
    os.chdir(WORKSPACE)
    if os.fork():
        leave(0, 1, 2)
        os.wait()
        os._exit(0)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        ours.close()
        leave(0, 1, 2)
        serve_forks(theirs)
    theirs.close()
    Host(ours).run()


class Host:
    def __init__(self, fork_server):
        self.fork_server, self.modules, self.places = fork_server, {}, {}
        self.input, self.last = bytearray(), time.monotonic()
        self.poll = select.poll()
        self.poll.register(0, select.POLLIN)
        self.poll.register(fork_server, select.POLLIN)

    def run(self):
        while True:
            for descriptor, event in self.poll.poll(self.patience()):
                if descriptor == 0:
                    self.hear()
                elif descriptor == self.fork_server.fileno():
                    self.hear_forks()
                elif descriptor in self.places:
                    self.look(self.places[descriptor], descriptor, event)
            self.keep_time()

    def patience(self):
        due = [m.current['until'] for m in self.modules.values() if m.current]
        due += [request['until'] for m in self.modules.values() for request in m.queue]
        due += [m.followed.due for m in self.modules.values() if m.followed]
        due += [time.monotonic() + 1 for m in self.modules.values() if m.sign]
        due += [m.used + IDLE_SECONDS for m in self.modules.values() if not m.current] or [self.last + IDLE_SECONDS]
        return max(0, min(due) - time.monotonic()) * 1000 + 1

    def keep_time(self):
        now = time.monotonic()
        for module in list(self.modules.values()):
            for request in [r for r in module.queue if r['until'] <= now]:
                module.queue.remove(request)
                say(request['id'], waited=True)
            if module.current and module.current['until'] <= now:
                self.finish(module, how='timedOut')
            elif module.followed and module.followed.due <= now:
                module.followed.pass_on()
            elif not module.current:
                if module.sign:
                    module.show()
                if module.used + IDLE_SECONDS <= now:
                    self.end(module)
        if not self.modules and self.last + IDLE_SECONDS <= now:
            os._exit(0)

    def hear(self):
        data = os.read(0, 1 << 20)
        if not data:
            os._exit(0)
        self.last = time.monotonic()
        at = data.find(b'\n')
        while at != -1:
            line, data = bytes(self.input) + data[:at], data[at + 1:]
            self.input.clear()
            request = json.loads(line)
            if request['do'] == 'stop':
                self.stop(request['id'])
            else:
                self.take(request)
            at = data.find(b'\n')
        self.input += data

    def take(self, request):
        module = self.modules.get(request['module'])
        if module is None:
            if 'load' not in request:
                return say(request['id'], unknown=True)
            if len(self.modules) >= MAX_PYTHON_MODULES and not self.make_room():
                return say(request['id'], full=True)
            module = Module(request['module'], self.fork_server)
            self.modules[module.key] = module
            for descriptor in module.descriptors():
                self.places[descriptor] = module
                self.poll.register(descriptor, select.POLLIN)
        request['until'] = time.monotonic() + request['seconds']
        module.queue.append(request)
        self.next(module)

    def make_room(self):
        idle = [m for m in self.modules.values() if not m.current]
        if idle:
            self.end(min(idle, key=lambda m: m.used))
        return bool(idle)

    def next(self, module):
        if module.current or not module.queue:
            return
        request = module.current = module.queue.popleft()
        module.began, module.warm = time.monotonic(), module.calls > 0
        module.calls += 1
        hidden = [secret.encode() for secret in request['hide']]
        module.outputs = Masked(hidden), Masked(hidden)
        module.followed = Followed(request['id']) if request.get('live') else None
        load = request.get('load') if not module.warm else None
        module.said.clear()
        module.given += json.dumps({'id': request['id'], 'load': load, **request['ask']}).encode() + b'\n'
        self.give(module)

    def give(self, module):
        try:
            while module.given:
                del module.given[:module.link.send(module.given[:1 << 20])]
        except BlockingIOError:
            pass
        except OSError:
            module.given.clear()  # it has ended; the fork server says so
        if not module.ended:
            self.poll.register(module.link, select.POLLIN | (select.POLLOUT if module.given else 0))

    def look(self, module, descriptor, event):
        if descriptor != module.link.fileno():
            self.capture(module, descriptor)
            return
        if event & select.POLLOUT:
            self.give(module)
        if not event & ~select.POLLOUT:
            return
        try:
            data = module.link.recv(1 << 20)
        except BlockingIOError:
            return
        except OSError:
            data = b''
        if not data:
            # The module's own end comes from the fork server; a module that only closed its link is ended.
            self.poll.unregister(descriptor)
            module.ended = True
            end_marked(module.mark)
            return
        module.said += data
        if module.current is None:
            return module.said.clear()
        while module.current:
            at = module.said.find(b'\n')
            if at == -1:
                if len(module.said) > MAX_PYTHON_RESULT_BYTES + 4096:
                    self.finish(module, how='tooLarge', bytes=len(module.said))
                return
            line = bytes(module.said[:at])
            del module.said[:at + 1]
            mine = module.current['id'].encode() + b' '
            if line.startswith(mine):
                said = decode(line[len(mine):])
                # JSON has no bare controls, and its other text becomes twice as long at most; other text may become six times.
                if len(json.dumps(said, ensure_ascii=False)) > 2 * MAX_PYTHON_RESULT_BYTES + 4096:
                    return self.finish(module, how='tooLarge', bytes=len(line))
                self.finish(module, said=said)

    def capture(self, module, descriptor):
        """Takes all output until now. Output between two calls belongs to none."""
        which = 0 if descriptor == module.out else 1
        # A flood must not keep the others waiting.
        for _ in range(64):
            try:
                data = os.read(descriptor, 65536)
            except BlockingIOError:
                return
            except OSError:
                data = b''
            if not data:
                try:
                    self.poll.unregister(descriptor)
                except KeyError:
                    pass
                return
            if module.outputs:
                module.outputs[which].write(data)
            if module.followed:
                module.followed.ends[which].write(data)

    def finish(self, module, **reply):
        request, module.current, module.used = module.current, None, time.monotonic()
        lives = 'said' in reply
        while lives and module.pid is None:
            select.select([self.fork_server], [], [])
            self.hear_forks()
        if not lives:
            end_marked(module.mark)
        self.capture(module, module.out)
        self.capture(module, module.err)
        if module.followed:
            module.followed.pass_on(True)
            module.followed = None
        for output in module.outputs:
            output.flush()
        printed = [{'text': o.text(), 'bytes': o.size, 'file': o.name if o.file else None} for o in module.outputs]
        module.outputs = ()
        say(request['id'], ms=int((module.used - module.began) * 1000), warm=module.warm, out=printed[0], err=printed[1],
            background=lives and module.show(), watched=watched(request['watch']), **reply)
        if lives:
            self.next(module)
        else:
            self.forget(module)

    def stop(self, id):
        for module in list(self.modules.values()):
            for request in list(module.queue):
                if request['id'] == id:
                    module.queue.remove(request)
                    say(id, waited=True)
            if module.current and module.current['id'] == id:
                self.finish(module, how='timedOut')

    def hear_forks(self):
        try:
            data = self.fork_server.recv(4096, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return  # the message was read already
        if not data:
            os._exit(1)
        message = json.loads(data)
        for module in list(self.modules.values()):
            if message.get('made') == module.mark:
                module.pid = message['pid']
                if module.pid == -1 and module.current:
                    self.finish(module, how='died', exitCode=-1)
            elif 'ended' in message and message['ended'] == module.pid:
                if module.current:
                    self.finish(module, how='died', exitCode=message['code'])
                else:
                    self.end(module)

    def end(self, module):
        end_marked(module.mark)
        self.forget(module)

    def forget(self, module):
        """Forgets a module. Callers begin its waiting calls anew: a request that waits carries no source."""
        del self.modules[module.key]
        if module.sign:
            os.waitpid(module.sign, 0)
        for descriptor in module.descriptors():
            del self.places[descriptor]
            try:
                self.poll.unregister(descriptor)
            except KeyError:
                pass
        module.link.close()
        os.close(module.out)
        os.close(module.err)
        for request in module.queue:
            say(request['id'], unknown=True)


start()
