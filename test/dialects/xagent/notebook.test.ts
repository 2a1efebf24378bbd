import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { forgetSession } from '../../support/sandbox-control.ts'
import { offlinePip } from '../../support/wheel.ts'
import { aServer, type Client, shellOfLastNode, taskOfLastNode, verifies } from './support.ts'

const server = aServer()
const CELL = 'PythonNotebook_execute_cell'
/** Until the test writes the file. */
const UNTIL_GO = 'import os, time\nwhile not os.path.exists("go"): time.sleep(0.05)'

const cell = (node: Client, code: string, more: object = {}) => node.value(CELL, { code, ...more })
const composite = (...data: unknown[]) => ({ type: 'composite', data })

/** Follows 450s as the real client does, until there is another answer. */
async function followed(node: Client, name: string, args: object) {
  let answer = await node.execute(name, args)
  let retries = 0
  while (answer.status === 450) {
    const { detail } = answer.body as { detail: { type: string; next_calling: string; arguments: object } }
    expect(detail).toMatchObject({ type: 'retry', next_calling: CELL })
    answer = await node.execute(detail.next_calling, detail.arguments)
    retries++
  }
  return { ...answer, retries }
}

const notebookOf = async (node: Client) =>
  JSON.parse(new TextDecoder().decode(await node.bytes('/download_file', { file_path: 'python_notebook.ipynb' })))

verifies('xagent:notebook:cells', async () => {
  const node = await server.node()
  expect(await cell(node, 'x = 20')).toBe('cell_index: 0')
  expect(await cell(node, 'print(x * 2)\nx * 2')).toEqual(composite('cell_index: 1', '40\n', '40'))
  expect(await cell(node, 'import sys\nprint("e", file=sys.stderr)')).toEqual(composite('cell_index: 2', 'e\n'))
  expect(await cell(node, 'x = 7', { cell_index: 0 })).toBe('cell_index: 0')
  expect(await cell(node, 'x', { cell_index: -1 })).toEqual(composite('cell_index: 2', '7'))
  expect(await node.failure(CELL, { code: '1', cell_index: 9 })).toMatch(/^ValueError: cell_index 9 is out of range/)
  expect(await node.value('PythonNotebook_print_notebook')).toBe(
    '= Cell 0 =\nx = 7\n= Cell 1 =\nprint(x * 2)\nx * 2\n= Output 1 =\n40\n\n40\n= Cell 2 =\nx\n= Output 2 =\n7\n'.replace(
      '40\n\n40',
      '40\n40',
    ),
  )
})

const RICH = `
class Page:
    def __repr__(self): return 'plain'
    def _repr_html_(self): return '<b>html</b>'
class Picture:
    def __repr__(self): return '<Picture>'
    def _repr_png_(self): return b'\\x89PNG\\x00\\xff'
class Only:
    def _repr_mimebundle_(self, include=None, exclude=None): return {'application/json': {'a': [1, None]}}
`

verifies('xagent:notebook:rich', async () => {
  const node = await server.node()
  await cell(node, RICH)
  expect(await cell(node, 'Page()')).toEqual(composite('cell_index: 1', 'plain'))
  const picture = composite('<Picture>', { type: 'binary', media_type: 'image/png', data: 'iVBORwD/' })
  expect(await cell(node, 'display(Picture())\nprint("after")')).toEqual(composite('cell_index: 2', picture, 'after\n'))
  expect(await cell(node, 'Only()')).toEqual(
    composite('cell_index: 3', composite(expect.any(String), { a: [1, null] })),
  )
  // What JSON and UTF-8 do not have.
  const odd = 'display({"application/json": {"x": [float("nan"), float("inf")]}, "text/html": "\\ud800"}, raw=True)'
  expect(await cell(node, odd)).toEqual(composite('cell_index: 4', composite({ x: [null, null] }, expect.any(String))))
  expect(await node.value('PythonNotebook_print_notebook')).toContain('= Cell 4 =')
})

verifies('xagent:notebook:error', async () => {
  const node = await server.node()
  const detail = String(await node.failure(CELL, { code: 'print("before")\n1/0' }))
  expect(detail).toMatch(/^cell_index: 0\nbefore\n/)
  expect(detail).toMatch(/ZeroDivisionError: division by zero$/)
  expect(detail).not.toContain('\x1b')
})

verifies('xagent:notebook:commands', async () => {
  const node = await server.node()
  expect(await cell(node, '!echo $((6*7))')).toEqual(composite('cell_index: 0', expect.stringMatching(/^42\r?\n$/)))
  expect(await cell(node, 'import os\nos.system("echo by a program")\nos.getcwd()')).toEqual(
    composite('cell_index: 1', expect.anything(), expect.anything()),
  )
})

verifies('xagent:notebook:file', async () => {
  const node = await server.node()
  await cell(node, 'open("made.txt", "w").write("by the cell")\nprint("x")\n1')
  const notebook = await notebookOf(node)
  expect(notebook).toMatchObject({ nbformat: 4, nbformat_minor: 5, metadata: { kernelspec: { name: 'python3' } } })
  expect(notebook.cells).toEqual([
    {
      cell_type: 'code',
      id: expect.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/),
      metadata: {},
      execution_count: 1,
      source: expect.stringContaining('made.txt'),
      outputs: [
        { output_type: 'stream', name: 'stdout', text: 'x\n' },
        { output_type: 'execute_result', metadata: {}, execution_count: 1, data: { 'text/plain': '1' } },
      ],
    },
  ])
  expect(await node.value('FileSystemEnv_read_from_file', { filepath: 'made.txt' })).toBe('    1: by the cell')
})

/** By Jupyter's own library, which `node scripts/setup.mjs --tests` installs. @returns its complaint */
async function faultOf(shell: (command: string) => Promise<string>): Promise<string> {
  const judge = `import json, nbformat, warnings
warnings.simplefilter("error")
try:
  nbformat.validate(json.load(open("/home/user/workspace/python_notebook.ipynb")))
except Exception as fault:
  print(type(fault).__name__, fault)`
  return shell(`python3 -c '${judge}'`)
}

verifies('xagent:notebook:valid', async () => {
  const node = await server.node()
  await cell(node, RICH)
  const shell = await shellOfLastNode(server.url())
  await cell(node, 'display(Page(), Picture(), Only())\nprint("x")\nimport sys\nprint("y", file=sys.stderr)\nPicture()')
  const odd =
    '{"text/html": 5, "text/plain": ["a", None], "application/x+json": [float("nan")], "a/b": {"c": "\\ud800"}}'
  await cell(node, `display(${odd}, raw=True)`)
  await node.failure(CELL, { code: 'print("before")\n1/0' })
  await node.failure(CELL, { code: 'def broken(:' })
  await cell(node, 'print("\\x1b[31mred\\x00\\ud800")\nimport os\nos.write(1, b"\\xff") and None')
  expect(await faultOf(shell)).toBe('')
  await cell(node, 'print("anew")', { cell_index: 1 })
  await node.failure(CELL, { code: '1/0', cell_index: 0 })
  await cell(node, 'import os\nos._exit(3)', { cell_index: -1 })
  await node.failure(CELL, { code: 'import time\ntime.sleep(100)', timeout: 1 })
  const running = await node.execute(CELL, { code: 'import time\ntime.sleep(100)', wait_ms: 0 })
  expect(running.status).toBe(450)
  expect(await faultOf(shell)).toBe('')
  expect((await notebookOf(node)).cells.map(({ id }: { id: string }) => id)).toHaveLength(8)

  const old = { cells: [{ cell_type: 'markdown', metadata: {}, source: ['# old'] }], metadata: {}, nbformat: 4 }
  await node.upload('python_notebook.ipynb', JSON.stringify({ ...old, nbformat_minor: 2 }))
  await cell(node, 'print(1)\n2', { reset: true })
  expect(await faultOf(shell)).toBe('')
  await shell(`sed -i 's/"stream"/"steam"/' /home/user/workspace/python_notebook.ipynb`)
  expect(await faultOf(shell)).toContain('ValidationError')
})

verifies('xagent:notebook:frames', async () => {
  const node = await server.node()
  const code = 'import pandas as pd\npd.DataFrame({"n": [1, 2], "word": ["a", None]})'
  expect(await cell(node, code)).toEqual(composite('cell_index: 0', '   n  word\n0  1     a\n1  2  None'))
  const { data } = (await notebookOf(node)).cells[0].outputs[0]
  expect(data['text/html']).toContain('<th>word</th>')
})

verifies('xagent:notebook:figures', async () => {
  const node = await server.node()
  const figure = composite('<Figure size 640x480 with 1 Axes>', {
    type: 'binary',
    media_type: 'image/png',
    data: expect.stringMatching(/^iVBORw0KGgo/),
  })
  const drawn = await cell(node, 'import matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\nplt.show()')
  expect(drawn).toEqual(composite('cell_index: 0', figure))
  const last = await cell(node, 'figure, axes = plt.subplots()\nplt.close()\naxes.bar(["a"], [1])\nfigure')
  expect(last).toEqual(composite('cell_index: 1', figure))
  const shell = await shellOfLastNode(server.url())
  expect(await faultOf(shell)).toBe('')
})

verifies('xagent:notebook:reset', async () => {
  const node = await server.node()
  await cell(node, 'x = 1')
  const slow = node.execute(CELL, { code: 'import time\ntime.sleep(200)' })
  await expect.poll(() => node.value('PythonNotebook_print_notebook')).toContain('sleep(200)')
  expect(await node.failure(CELL, { code: 'x', reset: true })).toMatch(/NameError/)
  expect(await slow).toMatchObject({
    status: 500,
    body: { detail: expect.stringMatching(/^cell_index: 1\nKernelReset/) },
  })
  expect(await node.value('PythonNotebook_print_notebook')).toMatch(/^= Cell 0 =\nx = 1\n/)
})

verifies('xagent:notebook:dead', async () => {
  const node = await server.node()
  expect(await cell(node, 'import os\nos._exit(3)')).toEqual(
    composite('cell_index: 0', expect.stringContaining('the kernel ended with exit code 3')),
  )
  expect(await cell(node, '1 + 1')).toEqual(composite('cell_index: 1', '2'))
})

verifies('xagent:notebook:limit', async () => {
  const node = await server.node()
  await cell(node, 'x = 5')
  const detail = String(await node.failure(CELL, { code: 'import time\nprint("so far")\ntime.sleep(100)', timeout: 1 }))
  expect(detail).toMatch(/^cell_index: 1\nso far\n/)
  expect(detail).toMatch(/TimeoutError: the cell was interrupted after 1 seconds/)
  expect(await cell(node, 'x')).toEqual(composite('cell_index: 2', '5'))
})

verifies('xagent:notebook:450', async () => {
  const node = await server.node()
  const first = node.execute(CELL, { code: `${UNTIL_GO}\nprint("done")`, wait_ms: 200 })
  const answer = await first
  expect(answer.status).toBe(450)
  await node.write('go', '')
  const { detail } = answer.body as { detail: { next_calling: string; arguments: object } }
  const { status, body } = await followed(node, detail.next_calling, detail.arguments)
  expect([status, body]).toEqual([200, composite('cell_index: 0', 'done\n')])
  expect(await node.failure(CELL, { code: '', run_id: 'none' })).toMatch(/this cell is not known any more/)
})

verifies('xagent:notebook:queue', async () => {
  const node = await server.node()
  await cell(node, 'order = []')
  const [first, second] = await Promise.all([
    node.value(CELL, { code: 'import time\norder.append("a")\ntime.sleep(1)\norder.append("A")' }),
    node.value(CELL, { code: 'order.append("b")\norder.append("B")' }),
  ])
  expect([first, second].sort()).toEqual(['cell_index: 1', 'cell_index: 2'])
  expect(await cell(node, '"".join(order)')).toEqual(composite('cell_index: 3', expect.stringMatching(/'(aAbB|bBaA)'/)))
})

verifies('xagent:notebook:huge', async () => {
  const node = await server.node()
  const { data } = (await cell(node, 'for i in range(200000): print("line", i)')) as { data: string[] }
  const text = data.join('')
  expect(text.length).toBeLessThan(70_000)
  expect(text).toMatch(
    /line 0\n.*left out here; the whole is in (logs\/notebook-cell-0-[0-9a-f]+\.txt).*line 199999\n$/s,
  )
  const [file_path = ''] = /logs\/[^ ]+\.txt/.exec(text) ?? []
  const whole = new TextDecoder().decode(await node.bytes('/download_file', { file_path }))
  expect(whole.split('\n')).toHaveLength(200_001)
  const big = (await cell(node, 'class P:\n  def _repr_png_(self): return b"x" * 2000000\nP()')) as {
    data: [string, { data: [string, { data: string }] }]
  }
  expect(big.data[1].data[1].data).toHaveLength(Math.ceil(2_000_000 / 3) * 4)
  expect(await cell(node, 'class P:\n  def _repr_png_(self): return b"x" * 4000000\nP()')).toEqual(
    composite(
      'cell_index: 2',
      expect.stringMatching(/\n\[5333336 bytes of image\/png left out: .*MAX_CELL_DATA_BYTES/),
    ),
  )
  expect(
    await cell(node, 'print(b"\\xff\\x00".decode("latin1"))\nimport os\nos.write(1, b"\\xff\\xfe\\n") and None'),
  ).toEqual(composite('cell_index: 3', expect.stringContaining('\ufffd')))
})

verifies('xagent:notebook:restart', async () => {
  const node = await server.node()
  await cell(node, 'x = 11')
  const pending = await node.execute(CELL, { code: `${UNTIL_GO}\nx + 1`, wait_ms: 100 })
  expect(pending.status).toBe(450)
  const { detail } = pending.body as { detail: { next_calling: string; arguments: object } }
  await forgetSession(server.toolyard(), await taskOfLastNode(server.url()))
  await node.write('go', '')
  const { status, body } = await followed(node, detail.next_calling, detail.arguments)
  expect([status, body]).toEqual([200, composite('cell_index: 1', '12')])
})

verifies('xagent:notebook:lost', async () => {
  const node = await server.node()
  await cell(node, 'x = 11')
  await node.post('/reconnect_session')
  const answer = await node.execute(CELL, { code: 'print("y")' })
  expect(answer).toMatchObject({
    status: 200,
    body: { data: ['cell_index: 1', 'y\n', expect.stringMatching(/new one/), expect.any(String)] },
  })
})

verifies('xagent:notebook:tenants', async () => {
  const [one, two] = [await server.node(), await server.node()]
  await cell(one, 'secret = 1')
  expect(await two.failure(CELL, { code: 'secret' })).toMatch(/NameError/)
  const shell = await shellOfLastNode(server.url())
  expect(await shell('cat /home/user/workspace/python_notebook.ipynb')).not.toContain('secret = 1')
})

verifies('xagent:notebook:plain', async () => {
  const node = await server.node()
  const shell = await shellOfLastNode(server.url())
  await shell(
    'for d in /home/user/workspace/code_env/lib/python3*/site-packages; do echo "raise ImportError" > $d/IPython.py; done',
  )
  await cell(node, RICH)
  expect(await cell(node, 'import asyncio\nprint("x")\nawait asyncio.sleep(0)\nPage()')).toEqual(
    composite('cell_index: 1', 'x\n', 'plain'),
  )
  expect(await node.failure(CELL, { code: 'def f():\n  return 1/0\nf()' })).toMatch(
    /^cell_index: 2\nTraceback .*line 2, in f\n.*return 1\/0\n.*ZeroDivisionError: division by zero$/s,
  )
  expect(await node.failure(CELL, { code: 'while True: pass', timeout: 1 })).toMatch(/interrupted after 1 seconds/)
  expect(await cell(node, '_ is not None')).toEqual(composite('cell_index: 4', 'True'))
})

verifies('xagent:notebook:hostile', async () => {
  const node = await server.node()
  await node.upload('python_notebook.ipynb', '{"cells": 5}')
  expect(await node.failure(CELL, { code: '1' })).toMatch(/python_notebook\.ipynb is not a notebook of format 4/)
  expect(await node.failure('PythonNotebook_print_notebook')).toMatch(/is not a notebook of format 4/)
  await node.upload('python_notebook.ipynb', '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 2}')
  expect(await cell(node, '"kept in an older format"')).toEqual(composite('cell_index: 0', expect.any(String)))
  const answer = await node.execute(CELL, { code: 'import os\nos.write(3, b"{not json}\\n")' })
  expect(answer).toMatchObject({
    status: 200,
    body: { data: ['cell_index: 1', expect.stringMatching(/the kernel ended/)] },
  })
  await cell(
    node,
    'import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nos.kill(os.getpid(), signal.SIGTERM)',
  ).catch(String)
  expect(await node.execute(CELL, { code: '1 + 1' })).toMatchObject({ status: 200 })
})

/** Ends what holds notebook and shells, and answers in its place what the file /tmp/forged has. */
const FORGER = `cd ~/.toolyard/consoles-*/ && pkill -f 'consoles-.*/host[.]py'; rm -f socket
(exec python3 - <<'END'
import socket
server = socket.socket(socket.AF_UNIX)
server.bind('socket')
server.listen(8)
while True:
    link, _ = server.accept()
    link.makefile('rb').readline()
    try:
        link.sendall(open('/tmp/forged', 'rb').read())
    except OSError:
        pass
    link.close()
END
) > /dev/null 2>&1 & echo $!
until [ -S socket ]; do sleep 0.02; done`

verifies('xagent:notebook:forged', async () => {
  const node = await server.node()
  await cell(node, 'x = 1')
  const shell = await shellOfLastNode(server.url())
  const forger = await shell(FORGER)
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const output = (data: string) =>
    `{"cell_index": 0, "outputs": [{"output_type": "display_data", "data": ${data}}], "stopped": null, "notes": [], "seconds": 1}`
  const forged = [
    ...['', 'no JSON', 'null', '5', '[]', '{}', '{"pending": 5}', '{"refused": 5}', '\\xff\\xfe', '{"reset": false}'],
    ...[
      '{"file": "../../../../etc/passwd"}',
      '{"file": "0123456789abcdef.reply"}',
      '{"file": "fedcba9876543210.reply"}',
    ],
    ...['{"shell_id": 0}', '{"text": "x", "gone": "y", "ended": 1}', output('5'), output(`{"a/b": ${deep(200_000)}}`)],
  ]
  await shell('cd ~/.toolyard/consoles-*/ && mkdir 0123456789abcdef.reply && mkfifo fedcba9876543210.reply')
  for (const reply of forged) {
    await shell(`rm -f /tmp/forged; printf '%b' '${reply.length < 100_000 ? reply : ''}' > /tmp/forged`)
    if (reply.length >= 100_000) {
      const [head, tail] = reply.split(deep(200_000))
      await shell(
        `python3 -c 'import sys; print(sys.argv[1] + "[" * 200000 + "]" * 200000 + sys.argv[2])' '${head}' '${tail}' > /tmp/forged`,
      )
    }
    for (const [name, args] of [
      [CELL, { code: '1' }],
      ['shell_command_executor', { command: 'true' }],
      ['ShellEnv_read_stdout', {}],
    ] as const) {
      expect([reply.slice(0, 100), await node.failure(name, args)]).toEqual([
        reply.slice(0, 100),
        expect.stringMatching(
          /^ConnectionError: .* (do not answer;|answered something else than it should:) .*reconnect/,
        ),
      ])
    }
  }
  await shell('head -c 20000000 /dev/zero > /tmp/forged')
  expect(await node.failure(CELL, { code: '1' })).toMatch(/^ConnectionError: /)
  await shell(`kill ${forger}`)
  expect(await cell(node, '1 + 1')).toEqual(composite('cell_index: 1', '2', expect.stringContaining('a new one')))
  expect(await node.value('shell_command_executor', { command: 'echo back' })).toMatchObject({
    data: { display: '\nstdout:\nback\n' },
  })
})

verifies('xagent:notebook:packages', async () => {
  const node = await server.node()
  const name = 'otter_tools-1.0-py3-none-any.whl'
  const { directory } = offlinePip(['otter_tools'])
  await node.upload(name, new Uint8Array(await readFile(`${directory}/${name}`)))
  expect(await node.failure(CELL, { code: 'import otter_tools' })).toMatch(/ModuleNotFoundError/)
  await cell(node, `!pip install --no-index --quiet ./${name}`)
  expect(await cell(node, 'import otter_tools\notter_tools.__name__')).toEqual(
    composite('cell_index: 2', "'otter_tools'"),
  )
  expect(await cell(node, '!python -c "import otter_tools; print(1)"')).toEqual(
    composite('cell_index: 3', expect.stringMatching(/^1\r?\n$/)),
  )
})
