import { type ChildProcess, spawn } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { StderrTail } from '../stderr-tail.ts'

/** A user-mode network stack attached to one sandbox's namespace. */
export interface Network {
  /** Takes the network away; nothing of it is left afterwards. */
  stop(): Promise<void>
}

/** Attaches a network to a sandbox. @throws Error with slirp4netns' own message */
export async function attachNetwork(pid: number, withHostLoopback: boolean): Promise<Network> {
  const args = ['--configure', '--mtu=65520', '--enable-sandbox', '--enable-seccomp', '--ready-fd=3', '--exit-fd=4']
  if (!withHostLoopback) args.push('--disable-host-loopback')
  // exit-fd is the read end of a pipe that only this daemon holds: however the daemon ends, slirp4netns ends too.
  const child = spawn('slirp4netns', [...args, String(pid), 'tap0'], {
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  const stderr = new StderrTail(child.stderr)
  const ready = child.stdio[3] as Readable // 'pipe' above
  const lifeline = child.stdio[4] as Writable // 'pipe' above
  lifeline.on('error', () => {})
  const isReady = await Promise.race([
    new Promise<boolean>((resolve) => ready.once('data', () => resolve(true))),
    exited.then(() => false),
  ])
  if (!isReady) throw new Error(`slirp4netns: ${stderr.text() || 'did not start'}`)
  return { stop: () => stop(child, lifeline, exited) }
}

async function stop(child: ChildProcess, lifeline: Writable, exited: Promise<void>): Promise<void> {
  lifeline.destroy()
  const impatience = setTimeout(() => child.kill('SIGKILL'), 1000)
  await exited
  clearTimeout(impatience)
}

/** IPv4 addresses of the host except loopback, of which a namespace has its own. */
export function hostAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const external = addresses.filter(({ family, internal }) => family === 'IPv4' && !internal)
  return [...new Set(external.map(({ address }) => address))]
}
