import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readJson } from '../src/lagent/python/read-json.ts'
import { SourceActions } from './lagent/actions.ts'
import { checkCall, checkParser, checkPythonParser } from './lagent/calls.ts'
import type { Case } from './lagent/case.ts'
import { checkBuiltIn, checkDescription } from './lagent/descriptions.ts'
import { checkConstruction, checkExecutor, checkFormat, checkKeys, checkSerialized } from './lagent/executors.ts'
import { pythonSession } from './python-session.ts'

/**
 * Runs cases that were recorded from Lagent against ours: descriptions of Python, made in a real sandbox; inputs, calls of
 * actions, executors and hooks. `npm run lagent:cases -- FILE…`; ends with 1 when a case fails.
 */
const files = process.argv.slice(2)
if (files.length === 0) {
  console.error('usage: npm run lagent:cases -- FILE…   (JSON: a list of cases, or descriptions by name)')
  process.exit(2)
}
const tally = { passed: 0, failed: 0 }
const python = await pythonSession()
try {
  for (const file of files) await runFile(file)
} finally {
  await python.stop()
}
console.log(`${tally.passed} passed, ${tally.failed} failed`)
process.exitCode = tally.failed > 0 ? 1 : 0

async function runFile(file: string): Promise<void> {
  const content = readJson(readFileSync(file, 'utf8'), { wholeFloats: true })
  const name = basename(file)
  if (Array.isArray(content)) await runCases(name, content as Case[])
  else
    await runBuiltIns(name, content as Record<string, { readonly is_toolkit: boolean; readonly description: unknown }>)
}

async function runCases(name: string, cases: readonly Case[]): Promise<void> {
  const source = cases.find(({ kind }) => kind === 'source')?.python_source ?? ''
  const actions = await SourceActions.of(source, python.call)
  const counted = cases.filter(({ kind }) => kind !== 'source')
  for (const [at, one] of counted.entries()) {
    await count(one.id, () => check(one, actions))
    if ((at + 1) % 25 === 0 || at + 1 === counted.length) console.log(`${name}: ${at + 1} of ${counted.length}`)
  }
}

async function runBuiltIns(
  name: string,
  expected: Readonly<Record<string, { readonly is_toolkit: boolean; readonly description: unknown }>>,
): Promise<void> {
  const all = Object.entries(expected)
  for (const [action, description] of all) await count(action, async () => checkBuiltIn(action, description))
  console.log(`${name}: ${all.length} of ${all.length}`)
}

async function count(id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
    tally.passed++
  } catch (thrown) {
    tally.failed++
    console.log(`  ${id}: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}

async function check(one: Case, actions: SourceActions): Promise<void> {
  switch (one.kind) {
    case undefined:
      return checkDescription(one, python.call)
    case 'parse_inputs':
      checkParser(one, actions)
      return checkPythonParser(one, actions)
    case 'action_call':
      return checkCall(one, actions)
    case 'executor':
    case 'executor_hooks':
    case 'async_executor':
      return checkExecutor(one, actions)
    case 'executor_keys':
    case 'executor_description':
      return checkKeys(one, actions)
    case 'format_result':
      return checkFormat(one)
    case 'construct':
      return checkConstruction(one, actions)
    case 'serialize':
      return checkSerialized(one, actions)
    default:
      throw new Error(`a case of the unknown kind ${one.kind}`)
  }
}
