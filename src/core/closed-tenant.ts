import { type Failure, FailureError } from './failure.ts'

/** Failure of everything that is asked of a deleted tenant. */
export const TENANT_CLOSED: Failure = {
  code: 'unauthenticated',
  message:
    'the tenant of this key was deleted, and its keys, links and connections with it; ask the owner of the server for a key of another tenant',
}

/** Whether an error is {@link TENANT_CLOSED}, here or on its way between objects. */
export const isTenantClosed = (thrown: unknown): boolean =>
  thrown instanceof FailureError && thrown.failure.message === TENANT_CLOSED.message
