import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pythonBench } from '../support/python-bench.ts'
import { type Sandboxd, startSandboxd } from '../support/sandboxd.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

/** Its code, its argument and its secret are what others are after. It may wait, so that all of it is in memory. */
const VICTIM = `
import os, time
CODE_OF_VICTIM = 'code-of-victim-' + str(6 * 7)
def answer(given, context):
    while context['waits'] and not os.path.exists('go'): time.sleep(0.02)
    return {'answer': 'right'}
`
const call = (waits: boolean) => ({
  args: { given: 'argument-of-victim-42' },
  context: { key: 'secret-of-victim-42', waits },
  secrets: ['secret-of-victim-42'],
})
const GO = 'touch go'

describe('a module that looks for what others have', () => {
  /** The texts are put together in the attacker, so that its own memory has none of them. */
  const attack = (body: string) => `
import ctypes, gc, os, re, sys
PATTERN = re.compile(b'of-' + b'victim-(?:42|.\\\\x00)')
def look():
    found = []
    def check(data, where):
        if PATTERN.search(data): found.append(where)
${body.replaceAll(/^/gm, '    ')}
    return found
`
  const attacks: Readonly<Record<string, string>> = {
    'its own memory, in what an earlier call left': `
for line in open('/proc/self/maps'):
    span, rights, *_ , = line.split()
    if 'r' in rights and '[v' not in line:
        start, end = (int(x, 16) for x in span.split('-'))
        check(ctypes.string_at(start, end - start), line)`,
    'Python objects: modules, garbage collector, frames, __main__': `
import __main__
for module in list(sys.modules.values()): check(repr(vars(module)).encode(), repr(module))
for thing in gc.get_objects():
    if isinstance(thing, (dict, list, tuple, set)):
        try: check(repr(thing).encode(), type(thing).__name__)
        except Exception: pass
for frame in sys._current_frames().values():
    while frame:
        check(repr(frame.f_locals).encode(), 'frame')
        frame = frame.f_back
check(repr(vars(__main__)).encode(), '__main__')`,
    'memory, environment, command line and descriptors of every process': `
for pid in os.listdir('/proc'):
    if not pid.isdigit() or int(pid) == os.getpid(): continue
    for name in ('environ', 'cmdline'):
        try: check(open('/proc/%s/%s' % (pid, name), 'rb').read(), pid + name)
        except OSError: pass
    try: open('/proc/%s/mem' % pid, 'rb'); found.append('mem of ' + open('/proc/%s/cmdline' % pid).read())
    except OSError: pass
    try:
        for fd in os.listdir('/proc/%s/fd' % pid):
            try: os.readlink('/proc/%s/fd/%s' % (pid, fd)); found.append('descriptor of ' + pid)
            except OSError: pass
    except OSError: pass
    if ctypes.CDLL(None).ptrace(16, int(pid), 0, 0) == 0: found.append('traced ' + pid)`,
    'files: everything that its user can read': `
for top in (os.path.expanduser('~'), '/tmp', '/dev/shm', '/var/tmp', '/run'):
    for place, _, names in os.walk(top):
        for name in names:
            try: check(open(os.path.join(place, name), 'rb').read(), os.path.join(place, name))
            except OSError: pass`,
    'descriptors that it was born with': `
for fd in range(3, 256):
    try: found.append('%d %s' % (fd, os.readlink('/proc/self/fd/%d' % fd)))
    except OSError: pass
found = [f for f in found if 'socket' not in f and '/proc/' not in f and 'maps' not in f]`,
  }

  it.each(Object.entries(attacks))('finds nothing in %s', async (_, body) => {
    const bench = pythonBench(sandboxd)
    expect(await bench.call(VICTIM, 'answer', call(false))).toMatchObject({ value: { answer: 'right' } })
    const working = bench.call(VICTIM, 'answer', call(true))
    expect(await bench.call(attack(body), 'look')).toMatchObject({ how: 'returned', value: [] })
    await bench.host.inside(GO)
    expect(await working).toMatchObject({ value: { answer: 'right' }, warm: true })
  })

  it('would be found out, were it in the same process', async () => {
    const bench = pythonBench(sandboxd)
    const both = `${VICTIM}${attack(attacks['its own memory, in what an earlier call left'] ?? '')}`
    await bench.call(both, 'answer', call(false))
    const own = (await bench.call(both, 'look')) as unknown as { value: unknown[] }
    expect(own.value.length).toBeGreaterThan(0)
  })
})

describe('a module that makes up answers', () => {
  it('makes up its own alone', async () => {
    const bench = pythonBench(sandboxd)
    const forger = `
import json, os, socket, threading, time
def forge(ids):
    fake = {'how': 'returned', 'value': {'answer': 'forged'}}
    for fd in range(3, 64):
        for id in ids:
            for line in (id + ' ' + json.dumps(fake), json.dumps({'id': id, 'said': json.dumps(fake)})):
                try: os.write(fd, line.encode() + b'\\n')
                except OSError: pass
    for pid in os.listdir('/proc'):
        if pid.isdigit():
            for fd in range(8):
                try: open('/proc/%s/fd/%d' % (pid, fd), 'wb').write(b'{}\\n')
                except OSError: pass
    return 'mine'
`
    await bench.call(VICTIM, 'answer', call(false))
    const working = bench.call(VICTIM, 'answer', call(true))
    expect(await bench.call(forger, 'forge', { args: { ids: ['x'] } })).toMatchObject({
      how: 'returned',
      value: 'mine',
    })
    await bench.host.inside(GO)
    expect(await working).toMatchObject({ how: 'returned', value: { answer: 'right' } })
  })

  it('cannot end another, nor what looks after it', async () => {
    const bench = pythonBench(sandboxd)
    const killer = `
import os, signal
def kill():
    killed = []
    for pid in os.listdir('/proc'):
        if pid.isdigit() and int(pid) != os.getpid():
            try:
                os.kill(int(pid), signal.SIGKILL)
                killed.append(pid)
            except OSError: pass
    return killed
`
    await bench.call(VICTIM, 'answer', call(false))
    const working = bench.call(VICTIM, 'answer', call(true))
    expect(await bench.call(killer, 'kill')).toMatchObject({ value: [] })
    await bench.host.inside(GO)
    expect(await working).toMatchObject({ value: { answer: 'right' }, warm: true })
  })

  it('is read as hostile when it writes the answer itself', async () => {
    const bench = pythonBench(sandboxd)
    const odd = `
import os
def say(text, size):
    import sys
    link = sys._getframe(3).f_locals
    id = next(v['id'] for v in [f.f_locals.get('request') for f in frames()] if v)
    os.write(descriptor(), (id + ' ' + text * size + '\\n').encode())
    return 'late'
def frames():
    import sys
    frame = sys._getframe()
    while frame:
        yield frame
        frame = frame.f_back
def descriptor():
    import stat
    return next(fd for fd in range(3, 64) if exists(fd) and stat.S_ISSOCK(os.fstat(fd).st_mode))
def exists(fd):
    try: return os.fstat(fd)
    except OSError: return None
`
    const say = (text: string, size = 1) => bench.outcome(odd, 'say', { args: { text, size } })
    expect(await say('no json')).toMatchObject({ result: { data: { how: 'died' } } })
    expect(await say('{"how": "died", "exitCode": "x"}')).toMatchObject({ result: { data: { how: 'died' } } })
    expect(await say('[', 100_000)).toMatchObject({ failure: { message: expect.stringContaining('MAX_JSON_DEPTH') } })
    expect(await say('x', 5_000_000)).toMatchObject({ result: { data: { how: 'tooLarge' } } })
    // What is no JSON may become six times as long on its way.
    expect(await say('\u0001', 4_000_000)).toMatchObject({ result: { data: { how: 'tooLarge' } } })
    expect(await say('{"how": "returned", "value": 1}')).toMatchObject({ result: { data: { value: 1 } } })
  })
})
