import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** Ticks of the kernel's clock are 10 ms. */
const MS_PER_TICK = 10

/** Processor time that all processes below this one have used until now, in milliseconds. */
export async function processorMsBelow(): Promise<number> {
  const all = new Map<number, { readonly parent: number; readonly ticks: number }>()
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null) : null
    if (stat === null) continue
    const fields = fieldsOf(stat)
    // With the time of ended children.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + field, 0)
    all.set(Number(name), { parent: fields[1] ?? 0, ticks })
  }
  const isBelow = (pid: number): boolean => {
    const parent = all.get(pid)?.parent ?? 0
    return parent === process.pid || (parent > 1 && isBelow(parent))
  }
  return [...all].filter(([pid]) => isBelow(pid)).reduce((sum, [, { ticks }]) => sum + ticks, 0) * MS_PER_TICK
}

/** Processor time that one process has used until now, in milliseconds, without that of its children. */
export function processorMsOf(pid: number): number {
  const [user = 0, system = 0] = fieldsOf(readFileSync(`/proc/${pid}/stat`, 'latin1')).slice(11, 13)
  return (user + system) * MS_PER_TICK
}

/** Fields of `/proc/PID/stat` from the state on: the name before it may hold anything. */
const fieldsOf = (stat: string) =>
  stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
