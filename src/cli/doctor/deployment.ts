import type { Deployment } from '../deploy/deployment.ts'
import { deploymentSteps } from '../deploy/steps/index.ts'
import { bad, checked, type Finding, good } from './finding.ts'

/** Whether a deployment to Cloudflare is as its configuration wants it: each step of `toolyard deploy` is asked, and none is run but the look. */
export async function* deploymentFindings(deployment: Deployment, withSandboxes: boolean): AsyncGenerator<Finding> {
  const { account, configuration, signal } = deployment.parts
  yield good('account', `signed in to ${account.id}`)
  const steps = deploymentSteps(deployment, { withSandboxes, secrets: [], isNew: false })
  for (const step of steps) {
    yield await checked(step.name, signal, async () => {
      if (step.isLook) return good(step.name, await step.run())
      const { isDone, found } = await step.isDone()
      return isDone ? good(step.name, found) : bad(step.name, found, 'toolyard deploy mends it')
    })
  }
  yield await checked('bindings', signal, async () => {
    const there = new Set(await account.bindings(configuration.worker))
    const missing = configuration.bindings.filter((name) => !there.has(name))
    return missing.length === 0
      ? good('bindings', configuration.bindings.join(', '))
      : bad('bindings', `missing: ${missing.join(', ')}`, 'toolyard deploy mends it')
  })
}
