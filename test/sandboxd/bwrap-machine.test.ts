import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { bwrapProcessTree, type MachineParts } from '../../src/sandboxd/isolation/bwrap-machine.ts'
import { INSIDE } from '../../src/sandboxd/isolation/mounts.ts'
import { childrenOf } from '../../src/sandboxd/isolation/process-tree.ts'
import { commandLine } from '../support/processes.ts'
import { costOf, expectCost } from '../support/processor-time.ts'

/** A monitor, process 1 below it, and below that what calls itself the agent: it lives until its input ends. */
async function aMachine() {
  const command = `bash -c 'read -r _' ${INSIDE.runtime}/agent.cjs`
  const child = spawn('bash', ['-c', `bash -c "$1 <&0 & echo \\$!; wait" <&0 & wait`, 'monitor', command], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit').then(() => 'over')
  const [printed] = (await once(child.stdout, 'data')) as [Buffer]
  const agent = Number(printed)
  // Its number is told before it is another program than the shell that began it.
  await expect.poll(() => commandLine(agent)).toMatch(/^bash -c read -r _ /)
  onTestFinished(async () => {
    process.kill(agent, 'SIGCONT')
    child.stdin.end()
    await exited
  })
  const parts = { child, exited, cgroup: null, socket: { path: '' }, release: async () => {}, network: null }
  // What it looks at of its parts here.
  return { machine: bwrapProcessTree(parts as unknown as MachineParts), agent, monitor: child.pid ?? 0 }
}

const stateOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0]

it('an agent that was stopped goes on when it is told to, again and again', async () => {
  const { machine, agent } = await aMachine()
  for (let n = 0; n < 3; n++) {
    process.kill(agent, 'SIGSTOP')
    await expect.poll(() => stateOf(agent)).toBe('T')
    machine.resumeAgent()
    await expect.poll(() => stateOf(agent)).toBe('S')
  }
})

it('telling an agent to go on costs far less than looking through the processes of the host, each further time', async () => {
  const { machine, monitor } = await aMachine()
  machine.resumeAgent()
  const fiftyTimes = (work: () => unknown) => () => {
    for (let n = 0; n < 50; n++) work()
  }
  const looking = fiftyTimes(() => childrenOf(monitor))
  await expectCost(
    fiftyTimes(() => machine.resumeAgent()),
    { below: async () => (await costOf(looking)) / 2 },
  )
})
