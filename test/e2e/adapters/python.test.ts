import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** Debian's interpreter, which has what the client needs and none of the frameworks. */
const PYTHON = '/usr/bin/python3'
const FOLDER = 'examples/adapters'
const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith('.py'))

/** Checks a program without running it: each name from `toolyard`, and each attribute of what its variables hold, is the client's. */
const CHECK = `
import ast, inspect, sys
import toolyard
from toolyard._async import _client as async_client
from toolyard._sync import _client as client

source = open(sys.argv[1]).read()
tree = compile(source, sys.argv[1], "exec", ast.PyCF_ONLY_AST)
compile(tree, sys.argv[1], "exec")
taken = [alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "toolyard" for alias in node.names]
missing = [name for name in taken if name not in toolyard.__all__]
module, prefix = (async_client, "Async") if "AsyncToolyard" in taken else (client, "")
calls = {
    ("ty", "sessions", "create"): getattr(module, prefix + "Sessions").create,
    ("ty", "tools", "definitions"): getattr(module, prefix + "Tools").definitions,
    ("session", "tool"): getattr(module, prefix + "Session").tool,
}

def chain(node):
    if isinstance(node, ast.Name):
        return (node.id,)
    return chain(node.value) + (node.attr,) if isinstance(node, ast.Attribute) else ("?",)

for node in ast.walk(tree):
    if isinstance(node, ast.Call) and chain(node.func)[0] in ("ty", "session"):
        given = {keyword.arg: None for keyword in node.keywords}
        called = calls.pop(chain(node.func), None)
        if called is None:
            missing.append(".".join(chain(node.func)))
        else:
            inspect.signature(called).bind(None, *node.args, **given)
    if isinstance(node, ast.Attribute) and chain(node)[0] == "result" and not hasattr(toolyard.ToolResult, node.attr):
        missing.append(node.attr)
    if isinstance(node, ast.Attribute) and chain(node)[0] == "image" and node.attr not in toolyard.Image.__annotations__:
        missing.append(node.attr)
print(taken, missing)
`

it.each(EXAMPLES)('%s compiles, and uses the client as it is', async (name) => {
  const env = { ...process.env, PYTHONPATH: 'clients/python/src', PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await promisify(execFile)(PYTHON, ['-c', CHECK, `${FOLDER}/${name}`], { env })
  const usesClient = readFileSync(`${FOLDER}/${name}`, 'utf8').includes('from toolyard import')
  expect(stdout).toMatch(usesClient ? /^\['.*'\] \[\]\n$/ : /^\[\] \[\]\n$/)
})
