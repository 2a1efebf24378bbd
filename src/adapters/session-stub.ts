import { CUT_OFF_BY_FULL_DISK, DISK_FULL } from '../core/disk-full.ts'
import { FailureError } from '../core/failure.ts'
import type { Outcome } from '../core/outcome.ts'
import type { SessionApi, Visit } from '../session/api.ts'
import { disk } from './disk.ts'

type Method = (...args: unknown[]) => Promise<unknown>

/** Methods that change nothing, however often they are called. */
const READS: ReadonlySet<PropertyKey> = new Set<keyof SessionApi>([
  ...(['info', 'history', 'callOf', 'follow', 'download', 'humanTasks', 'ownTools'] as const),
  ...(['madeTools', 'pythonActions', 'archive'] as const),
])

/**
 * A session's stub that finds out about a full disk. The session's object breaks at its first write without room, and the calls
 * in it fail; then this notes that the disk is full. What only reads is asked again, of the new object, which knows by then.
 * @param newStub one that met a restart of the object stays broken
 * @param bucket the file store, which lies on the same disk
 * @param effectOf what a call of that tool may do
 */
export function sessionStub(
  newStub: () => SessionApi,
  bucket: R2Bucket,
  effectOf: (tool: string) => string | null,
): SessionApi {
  const onFullDisk = async <T>(work: (stub: SessionApi) => Promise<T>, isRead: boolean, otherwise: () => T) => {
    try {
      return await work(newStub())
    } catch (thrown) {
      if (!(await disk.isToBlame(thrown, bucket))) throw thrown
      return isRead ? work(newStub()) : otherwise()
    }
  }
  const own: Pick<SessionApi, 'call' | 'visit'> = {
    call: (call, by) =>
      onFullDisk(
        (stub) => stub.call(call, by),
        effectOf(call.tool) === 'read',
        () => cutOff(effectOf(call.tool)),
      ),
    visit: (nodeId, call, by) => {
      const effect = call ? effectOf(call.tool) : 'read'
      const outcome = (): Visit => ({ state: 'running', outcome: cutOff(effect) })
      return onFullDisk<Visit | null>((stub) => stub.visit(nodeId, call, by), effect === 'read', outcome)
    },
  }
  return new Proxy(newStub(), {
    get(target, name) {
      if (name === 'call' || name === 'visit') return own[name]
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) =>
        onFullDisk((stub) => Reflect.apply(Reflect.get(stub, name) as Method, stub, args), READS.has(name), full)
    },
  })
}

/** A change of files is one transaction, and was taken back. What else a call did before its end could be noted, nobody knows. */
const cutOff = (effect: string | null): Outcome => ({
  kind: 'failed',
  failure: effect === 'write' ? DISK_FULL : CUT_OFF_BY_FULL_DISK,
})

const full = (): never => {
  throw new FailureError(DISK_FULL)
}
