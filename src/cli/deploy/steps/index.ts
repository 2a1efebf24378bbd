import type { Deployment } from '../deployment.ts'
import type { Step } from '../step.ts'
import { addressStep } from './address.ts'
import { secretsStep, wantedSecrets } from './secrets.ts'
import { bucketStep, configurationStep, databaseStep, migrationsStep } from './storage.ts'
import { templateStep } from './template.ts'
import { readerStep, serverStep } from './worker.ts'

/** Choice of the owner. */
export interface DeploymentChoice {
  readonly withSandboxes: boolean
  /** Names of further secrets. */
  readonly secrets: readonly string[]
  /** Whether the address is waited for, as one that was made just now. */
  readonly isNew: boolean
}

/** Steps of a deployment, in their order: each leaves a version that is there at work. */
export function deploymentSteps(
  deployment: Deployment,
  { withSandboxes, secrets, isNew }: DeploymentChoice,
): readonly Step[] {
  const { buckets, databases } = deployment.parts.configuration
  return [
    ...buckets.map((bucket) => bucketStep(deployment, bucket)),
    ...databases.map((database) => databaseStep(deployment, database)),
    configurationStep(deployment),
    ...(withSandboxes ? [templateStep(deployment)] : []),
    ...databases.map((database) => migrationsStep(deployment, database)),
    secretsStep(deployment, wantedSecrets(withSandboxes, secrets)),
    readerStep(deployment),
    serverStep(deployment),
    addressStep(deployment, isNew),
  ]
}
