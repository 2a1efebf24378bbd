import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** Debian's interpreter, which has what the client needs and none of the frameworks. */
const PYTHON = '/usr/bin/python3'
const FOLDER = 'examples/adapters'
const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith('.py'))

/**
 * Checks a program without running it: each name from `toolyard`, each call of what its variables hold, with its arguments, and each
 * attribute of a picture is the client's. Prints the names, the calls, and what the client does not have, as JSON.
 */
const CHECK = `
import ast, importlib, inspect, json, sys
import toolyard
from toolyard._sync._client import Sessions, Tools

with open(sys.argv[1]) as file:
    tree = compile(file.read(), sys.argv[1], "exec", ast.PyCF_ONLY_AST)
compile(tree, sys.argv[1], "exec")
known = {"ty.sessions.create": (Sessions.create, 1), "ty.tools.definitions": (Tools.definitions, 1)}
names, calls, unknown = [], [], []

for node in ast.walk(tree):
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "toolyard":
        module = importlib.import_module(node.module)
        for name in (alias.name for alias in node.names):
            names.append(f"{node.module}.{name}")
            if name in module.__all__:
                known[name] = (getattr(module, name), 0)
            else:
                unknown.append(name)

for node in ast.walk(tree):
    called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    if called in known:
        function, own = known[called]
        inspect.signature(function).bind(*[None] * own, *node.args, **{keyword.arg: None for keyword in node.keywords})
        calls.append(called)
    elif called.split(".")[0] in ("ty", "s"):
        unknown.append(called)
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "picture" and node.attr not in toolyard.Image.__annotations__:
        unknown.append(node.attr)
print(json.dumps({"names": names, "calls": sorted(calls), "unknown": unknown}))
`

it.each(EXAMPLES)('%s compiles, and uses the client as it is', async (name) => {
  const env = { ...process.env, PYTHONPATH: 'clients/python/src', PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await promisify(execFile)(PYTHON, ['-c', CHECK, `${FOLDER}/${name}`], { env })
  const source = readFileSync(`${FOLDER}/${name}`, 'utf8')
  const [, adapter] = /^from toolyard\.adapters import (\w+)$/m.exec(source) ?? []
  expect(JSON.parse(stdout)).toEqual(
    adapter === undefined
      ? { names: [], calls: [], unknown: [] }
      : {
          names: ['toolyard.Toolyard', `toolyard.adapters.${adapter}`],
          calls: ['Toolyard', adapter, 'ty.sessions.create', 'ty.tools.definitions'],
          unknown: [],
        },
  )
})

it('has examples by the client, and by MCP', () => {
  const sources = EXAMPLES.map((name) => readFileSync(`${FOLDER}/${name}`, 'utf8'))
  const count = (words: string) => sources.filter((source) => source.includes(words)).length
  expect([count('from toolyard.adapters import'), count('/mcp/s/')]).toEqual([6, 2])
})
