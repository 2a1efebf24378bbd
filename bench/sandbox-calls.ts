import type { Caller } from './caller.ts'
import { compare } from './measure.ts'
import type { Row } from './print.ts'
import { progress } from './progress.ts'

/** Measures commands, cells and Python in a sandbox that runs, and the first command of one that does not. */
export async function sandboxCalls(call: Caller, quick: boolean): Promise<Row[]> {
  const shell = (task: string, command: string) => call.tool(task, 'execute_shell', { command })
  await call.create('small')
  await call.create('large')
  await shell('small', 'true')
  await shell('large', 'mkdir -p many && cd many && for i in $(seq 1 10000); do echo $i > $i.txt; done')
  await shell('large', 'true')
  const node = await call.node()
  const cell = () => node.execute('PythonNotebook_execute_cell', { code: '1', cell_index: 0 })
  const command = () => node.execute('shell_command_executor', { command: 'true' })
  await node.post('/register_new_tool', { tool_name: 'one', code: '@toolwrapper()\ndef one(): return 1' })
  const python = () => node.execute('one', {})
  await cell()
  await command()
  await python()
  const times = await compare(
    {
      sdk: () => call.post('/floor/run/warm', { command: 'true' }),
      shell: () => shell('small', 'true'),
      large: () => shell('large', 'true'),
      cell,
      command,
      python,
    },
    { rounds: quick ? 4 : 12, perRound: 25, concurrent: 1 },
    progress('warm commands'),
  )
  await call.remove('/floor/run/warm')
  const cold = await coldCalls(call, quick)
  return [
    {
      what: 'execute_shell true, warm',
      ms: times.shell,
      floor: 'commands.run true, warm',
      floorMs: times.sdk,
      limit: { ratio: 1.15 },
    },
    {
      what: 'the same among 10,000 files',
      ms: times.large,
      floor: 'execute_shell true, warm',
      floorMs: times.shell,
      limit: { moreMs: 5 },
    },
    {
      what: 'execute_cell 1, warm',
      ms: times.cell,
      floor: 'commands.run true, warm',
      floorMs: times.sdk,
      limit: { moreMs: 8 },
    },
    {
      what: 'shell_command_executor true, warm',
      ms: times.command,
      floor: 'commands.run true, warm',
      floorMs: times.sdk,
      limit: { moreMs: 8 },
    },
    {
      what: 'a tool of the node that is Python, warm',
      ms: times.python,
      floor: 'shell_command_executor true, warm',
      floorMs: times.command,
      limit: { ratio: 1 },
    },
    {
      what: 'a tool of the node that is Python, warm',
      ms: times.python,
      floor: 'execute_cell 1, warm',
      floorMs: times.cell,
      limit: { ratio: 1 },
    },
    ...cold,
  ]
}

async function coldCalls(call: Caller, quick: boolean): Promise<Row[]> {
  let made = 0
  const times = await compare(
    {
      sdk: async () => {
        await call.post('/floor/run/cold', { command: 'true' })
        await call.remove('/floor/run/cold')
      },
      create: () => call.create(`cold-${made}`),
      node: () => call.node(),
      first: () => call.tool(`cold-${made++}`, 'execute_shell', { command: 'true' }),
      remove: () => call.remove(`/api/task/cold-${made - 1}`),
    },
    { rounds: quick ? 3 : 6, perRound: 1, concurrent: 1 },
    progress('cold commands'),
  )
  return [
    {
      what: 'execute_shell true, cold',
      ms: times.first,
      floor: 'create + run + kill, bare SDK',
      floorMs: times.sdk,
      limit: { moreMs: 250 },
    },
    {
      what: 'a new task (no sandbox)',
      ms: times.create,
      floor: 'create + run + kill, bare SDK',
      floorMs: times.sdk,
      limit: { ratio: 1 },
    },
    {
      what: 'a new node of XAgent (no sandbox)',
      ms: times.node,
      floor: 'create + run + kill, bare SDK',
      floorMs: times.sdk,
      limit: { ratio: 1 },
    },
  ]
}
