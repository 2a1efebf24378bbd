import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from '../../failure.ts'
import { nodeOf } from '../../package-root.ts'
import { runChild } from '../child.ts'
import type { Deployment } from '../deployment.ts'
import { versionTag } from '../fingerprint.ts'
import type { Step } from '../step.ts'
import { wranglerCommand } from '../wrangler.ts'

/** The reader's configuration, which has no ids. */
const READER_FILE = 'wrangler.reader.toml'
const READER_NAME = /^name = "([^"]+)"$/m

/** Uploads the reader of documents and pages, a Worker that only the server reaches. */
export function readerStep(deployment: Deployment): Step {
  const { root } = deployment.parts
  const text = readFileSync(join(root, READER_FILE), 'utf8')
  return workerStep(deployment, {
    name: 'reader',
    worker: READER_NAME.exec(text)?.[1] ?? 'toolyard-reader',
    does: 'uploads the reader of documents and pages, a Worker without an address',
    configuration: () => text,
    args: ['deploy', '--config', READER_FILE],
    isOnWorkersDev: false,
  })
}

/** Builds what the server serves and uploads the server. */
export function serverStep(deployment: Deployment): Step {
  return workerStep(deployment, {
    name: 'server',
    worker: deployment.parts.configuration.worker,
    does: 'builds the console and uploads the server',
    configuration: () => deployment.deployFile,
    args: ['deploy', ...deployment.wranglerOptions],
    isOnWorkersDev: deployment.parts.configuration.isOnWorkersDev,
    build: 'scripts/copy-assets.mjs',
  })
}

interface WorkerToDeploy {
  readonly name: string
  readonly worker: string
  readonly does: string
  /** Text of its configuration; null while that is not known. */
  readonly configuration: () => string | null
  readonly args: readonly string[]
  /** Whether it is to answer below `workers.dev`, which wrangler arranges after the upload. */
  readonly isOnWorkersDev: boolean
  /** Script that makes files which are uploaded. */
  readonly build?: string
}

function workerStep({ parts }: Deployment, wanted: WorkerToDeploy): Step {
  const { name, worker, does, configuration, args, isOnWorkersDev, build } = wanted
  const { root, account, wrangler, plainEnv, signal } = parts
  let known: string | null = null
  const tag = () => {
    const text = configuration()
    if (known === null && text !== null) known = versionTag(root, text)
    return known
  }
  const allArgs = () => [...args, '--tag', tag() ?? 'TAG']
  return {
    name,
    describe: () => does,
    commands: () => [...(build ? ['npm run --silent prepare'] : []), wranglerCommand(allArgs())],
    async isDone() {
      const deployed = await account.deployedTag(worker)
      if (deployed === null) return { isDone: false, found: 'not deployed by this command' }
      const isDone = deployed === tag()
      if (isDone && isOnWorkersDev && !(await account.isOnWorkersDev(worker))) {
        return { isDone: false, found: `deployed (${deployed}), and not at its address` }
      }
      return { isDone, found: isDone ? `deployed (${deployed})` : `another version is deployed (${deployed})` }
    },
    async run() {
      if (build) {
        const script = { program: nodeOf(root), args: [join(root, build)], cwd: root, env: plainEnv, signal }
        const { code, output } = await runChild(script)
        if (code !== 0) throw new CliError(`${build} failed`, output.trim().slice(-500))
      }
      await wrangler.run(allArgs())
      return `deployed (${tag()})`
    },
  }
}
