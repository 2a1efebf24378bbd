import { DISK_FULL } from '../core/disk-full.ts'
import { FailureError } from '../core/failure.ts'
import { type DiskPlaces, disk } from './disk.ts'

type Method = (...args: unknown[]) => Promise<unknown>

/** How one method of a stub is called, and what is answered on a full disk where it may not be called again. */
export interface StubCall<Api, T> {
  readonly work: (stub: Api) => Promise<T>
  readonly mayRepeat: boolean
  readonly otherwise: () => T
}

/**
 * Calls a Durable Object. One that is the first to meet a full disk breaks, and the calls in it fail: what may be repeated is
 * asked again, of the new object, whose database is read only then.
 * @param newStub one that met a restart of the object stays broken
 */
export async function callObject<Api, T>(newStub: () => Api, places: DiskPlaces, call: StubCall<Api, T>): Promise<T> {
  try {
    return await call.work(newStub())
  } catch (thrown) {
    if (!(await disk.isToBlame(thrown, places))) throw thrown
    return call.mayRepeat ? call.work(newStub()) : call.otherwise()
  }
}

/**
 * A stub whose methods are called by {@link callObject}.
 * @param repeated methods that may be called again; the others fail on a full disk
 * @param own methods that are called otherwise
 */
export function objectStub<Api extends object>(
  newStub: () => Api,
  places: DiskPlaces,
  repeated: ReadonlySet<PropertyKey>,
  own: Partial<Api> = {},
): Api {
  return new Proxy(newStub(), {
    get(target, name) {
      if (name in own) return Reflect.get(own, name)
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) =>
        callObject<Api, unknown>(newStub, places, {
          work: (stub) => Reflect.apply(Reflect.get(stub, name) as Method, stub, args),
          mayRepeat: repeated.has(name),
          otherwise: failFull,
        })
    },
  })
}

function failFull(): never {
  throw new FailureError(DISK_FULL)
}
