import { npmProgram } from './npm-program.ts'

/** A runtime of JavaScript besides the one that runs the tests. */
export interface OtherRuntime {
  readonly name: string
  /** Path of its program; npm installs it at its first use. */
  readonly path: () => string
  /** Arguments in front of a program that uses the network. */
  readonly args: readonly string[]
}

/** The oldest Node that the package supports: `engines` in package.json. */
export const NODE_20: OtherRuntime = {
  name: 'Node 20',
  path: () => npmProgram(`node-linux-${process.arch}@20.20.2`, `node-linux-${process.arch}/bin/node`),
  args: [],
}

const DENO_PACKAGE = `@deno/linux-${process.arch}-glibc`
// The baseline one needs no newer processor.
const BUN_PACKAGE = process.arch === 'x64' ? '@oven/bun-linux-x64-baseline' : '@oven/bun-linux-aarch64'

export const OTHER_RUNTIMES: readonly OtherRuntime[] = [
  NODE_20,
  {
    name: 'Deno',
    path: () => npmProgram(`${DENO_PACKAGE}@2.9.6`, `${DENO_PACKAGE}/deno`),
    args: ['run', '--no-config', '--no-lock', '--allow-net'],
  },
  { name: 'Bun', path: () => npmProgram(`${BUN_PACKAGE}@1.4.4`, `${BUN_PACKAGE}/bin/bun`), args: ['run'] },
]
