import { spawn } from 'node:child_process'

/**
 * `npm run lint`: all checks of the source side by side, since the types take longer than the others together and use one
 * core. What a check says is printed whole when it ends. The exit code is 1 when any of them found something.
 */
const CHECKS = ['npm run --silent typecheck', 'biome check --error-on-warnings .', 'npm run --silent imports', 'knip']

/** Runs a check. @returns whether it found nothing */
function run(check) {
  const child = spawn(check, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part))
  return new Promise((resolve) => {
    child.once('close', (code) => {
      process.stdout.write(`${check}: ${code === 0 ? 'good' : 'found something'}\n${Buffer.concat(output)}`)
      resolve(code === 0)
    })
  })
}

const results = await Promise.all(CHECKS.map(run))
process.exitCode = results.every(Boolean) ? 0 : 1
