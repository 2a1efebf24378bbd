import { Sandbox } from '@e2b/code-interpreter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Daemon, startDaemon } from './support/daemon.ts'

let daemon: Daemon
let sandbox: Sandbox
beforeAll(async () => {
  daemon = await startDaemon()
  sandbox = await Sandbox.create(daemon.sdk)
})
afterAll(() => daemon.stop())

describe('runCode', () => {
  it('returns the last expression, prints and counts', async () => {
    const first = await sandbox.runCode(
      'x = 40\nprint("to stdout")\nimport sys\nprint("to stderr", file=sys.stderr)\nx + 2',
    )
    expect(first.text).toBe('42')
    expect(first.logs).toEqual({ stdout: ['to stdout\n'], stderr: ['to stderr\n'] })
    const second = await sandbox.runCode('x')
    expect(second.text).toBe('40')
    expect(second.executionCount).toBe((first.executionCount ?? 0) + 1)
  })

  it('reports an error with its traceback and goes on', async () => {
    const { error, results } = await sandbox.runCode('def f():\n    return 1 / 0\nf()')
    expect(error).toMatchObject({ name: 'ZeroDivisionError', value: 'division by zero' })
    expect(error?.traceback).toContain('return 1 / 0')
    expect(results).toEqual([])
    expect((await sandbox.runCode('def broken(:')).error?.name).toBe('SyntaxError')
    expect((await sandbox.runCode('1')).text).toBe('1')
  })

  it('streams output while the code runs', async () => {
    const seen: string[] = []
    const code = 'import os, time\nprint("a")\nwhile not os.path.exists("seen"): time.sleep(0.01)\nprint("b")'
    await sandbox.runCode(code, {
      onStdout: async ({ line }) => {
        if (seen.push(line) === 1) await sandbox.files.write('seen', '')
      },
    })
    expect(seen).toEqual(['a\n', 'b\n'])
  })

  it('captures what subprocesses and C code write', async () => {
    const { logs } = await sandbox.runCode(
      'import os, subprocess\nsubprocess.run(["echo", "child"])\nos.write(1, b"raw\\n") and None',
    )
    expect(logs.stdout.join('')).toBe('child\nraw\n')
  })

  it('displays rich values', async () => {
    const { results } = await sandbox.runCode(
      'class Rich:\n    def _repr_html_(self): return "<b>x</b>"\n    def _repr_png_(self): return b"\\x89PNG"\ndisplay(Rich())\nRich()',
    )
    expect(results.map(({ isMainResult, html, png }) => ({ isMainResult, html, png }))).toEqual([
      { isMainResult: false, html: '<b>x</b>', png: 'iVBORw==' },
      { isMainResult: true, html: '<b>x</b>', png: 'iVBORw==' },
    ])
  })

  it('awaits at the top level', async () => {
    const { text } = await sandbox.runCode(
      'import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 5\nawait f()',
    )
    expect(text).toBe('5')
  })

  it('sets variables of the environment for one execution only', async () => {
    const { text } = await sandbox.runCode('import os; os.environ["ONCE"]', { envs: { ONCE: 'yes' } })
    expect(text).toBe("'yes'")
    expect((await sandbox.runCode('os.environ.get("ONCE") is None')).text).toBe('True')
  })

  it('imports a package that pip installed a moment ago', async () => {
    const wheel = [
      'import zipfile, subprocess, sys',
      'name = "freshly_made-1.0"',
      'w = zipfile.ZipFile(f"/tmp/{name}-py3-none-any.whl", "w")',
      'w.writestr("freshly_made.py", "VALUE = 7")',
      'w.writestr(f"{name}.dist-info/METADATA", "Metadata-Version: 2.1\\nName: freshly-made\\nVersion: 1.0\\n")',
      'w.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")',
      'w.writestr(f"{name}.dist-info/RECORD", "")',
      'w.close()',
    ]
    expect((await sandbox.runCode(wheel.join('\n'))).error).toBeUndefined()
    await sandbox.commands.run('pip install --no-index /tmp/freshly_made-1.0-py3-none-any.whl')
    expect((await sandbox.runCode('import freshly_made; freshly_made.VALUE')).text).toBe('7')
  })

  it('has shell escapes', async () => {
    expect((await sandbox.runCode('!echo from the shell')).logs.stdout.join('')).toContain('from the shell')
  })

  it('starts without a terminal and completion, which code has when it imports them', async () => {
    const loaded = "sorted({'prompt_toolkit', 'jedi', 'IPython.terminal.embed'} & set(sys.modules))"
    const { text } = await sandbox.runCode(`import sys\n${loaded}`)
    expect(text).toBe('[]')
    const result = await sandbox.runCode(
      "import IPython, jedi\nfrom IPython import embed\nhasattr(IPython, 'nothing'), embed.__module__",
    )
    expect([result.error, result.text]).toEqual([undefined, "(False, 'IPython.terminal.embed')"])
  })

  it('interrupts when its time is over, and keeps the variables', async () => {
    await sandbox.runCode('kept = 1')
    await expect(sandbox.runCode('while True: pass', { timeoutMs: 500 })).rejects.toThrow(/timed out/)
    expect((await sandbox.runCode('kept', { timeoutMs: 10_000 })).text).toBe('1')
  })

  it('replaces a process that will not be interrupted', async () => {
    const context = await sandbox.createCodeContext()
    const deaf = 'import time\nstubborn = 1\nwhile True:\n    try: time.sleep(60)\n    except KeyboardInterrupt: pass'
    await expect(sandbox.runCode(deaf, { context, timeoutMs: 300 })).rejects.toThrow(/timed out/)
    const after = await sandbox.runCode('stubborn', { context, timeoutMs: 20_000 })
    expect(after.error?.name).toBe('NameError')
    await sandbox.removeCodeContext(context)
  })

  it('says so when the process dies, and starts a new one', async () => {
    const context = await sandbox.createCodeContext()
    const { error } = await sandbox.runCode('import os; os.kill(os.getpid(), 9)', { context })
    expect(error).toMatchObject({ name: 'KernelDied' })
    expect((await sandbox.runCode('1 + 1', { context })).text).toBe('2')
    await sandbox.removeCodeContext(context)
  })

  it('refuses other languages and unknown contexts with a reason', async () => {
    await expect(sandbox.runCode('1', { language: 'r' })).rejects.toThrow(/400 Language 'r' is not available/)
    await expect(sandbox.runCode('1', { context: { id: 'nope', language: 'python', cwd: '/' } })).rejects.toThrow(
      /nope/,
    )
  })
})

describe('contexts', () => {
  it('have variables and a directory of their own', async () => {
    await sandbox.commands.run('mkdir -p project')
    const context = await sandbox.createCodeContext({ cwd: '/home/user/project' })
    expect(context).toMatchObject({ language: 'python', cwd: '/home/user/project' })
    await sandbox.runCode('own = 1', { context })
    expect((await sandbox.runCode('import os; os.getcwd()', { context })).text).toBe("'/home/user/project'")
    expect((await sandbox.runCode('own')).error?.name).toBe('NameError')
    expect((await sandbox.listCodeContexts()).map(({ id }) => id)).toContain(context.id)
    await sandbox.restartCodeContext(context)
    expect((await sandbox.runCode('own', { context })).error?.name).toBe('NameError')
    await sandbox.removeCodeContext(context)
    await expect(sandbox.runCode('1', { context })).rejects.toThrow(/not found/)
  })

  it('end what they run when they are restarted or removed, and the answer says so', async () => {
    const [restarted, removed] = await Promise.all([sandbox.createCodeContext(), sandbox.createCodeContext()])
    let begun = 0
    const executions = [restarted, removed].map((context) =>
      sandbox.runCode('import time\nprint("begun")\ntime.sleep(100)', {
        context,
        onStdout: () => {
          begun++
        },
      }),
    )
    await expect.poll(() => begun).toBe(2)
    await sandbox.restartCodeContext(restarted.id)
    await sandbox.removeCodeContext(removed.id)
    for (const { error, logs } of await Promise.all(executions)) {
      expect(error?.name).toBe('KernelDied')
      expect(logs.stdout).toEqual(['begun\n'])
    }
    expect((await sandbox.runCode('1 + 1', { context: restarted })).text).toBe('2')
    expect((await sandbox.listCodeContexts()).map(({ id }) => id)).not.toContain(removed.id)
    await sandbox.removeCodeContext(restarted)
  })

  it('run one execution after the other, and beside each other', async () => {
    const [a, b] = await Promise.all([sandbox.createCodeContext(), sandbox.createCodeContext()])
    const run = (context: typeof a, code: string) => sandbox.runCode(code, { context })
    await run(a, 'order = []')
    await Promise.all([run(a, 'import time; time.sleep(0.1); order.append(1)'), run(a, 'order.append(2)'), run(b, '1')])
    expect((await run(a, 'order')).text).toBe('[1, 2]')
    await Promise.all([sandbox.removeCodeContext(a), sandbox.removeCodeContext(b)])
  })

  it('list the default one before any code has run', async () => {
    const fresh = await Sandbox.create(daemon.sdk)
    expect(await fresh.listCodeContexts()).toMatchObject([{ language: 'python', cwd: '/home/user' }])
    await fresh.kill()
  })
})
