import { counter } from './counter.ts'

const known = new WeakMap<object, unknown>()

/** Bindings as the Worker and its objects have them, with D1 and R2 counted. The same for the same ones. */
export function countedEnv<Bindings extends Env>(env: Bindings): Bindings {
  const made = (known.get(env) as Bindings | undefined) ?? {
    ...env,
    DB: countedDatabase(env.DB),
    BLOBS: countedBucket(env.BLOBS),
  }
  known.set(env, made)
  return made
}

const statements = new WeakMap<object, D1PreparedStatement>()

function countedDatabase(db: D1Database): D1Database {
  return changed(db, {
    prepare: (query: string) => countedStatement(db.prepare(query)),
    async batch(all: readonly D1PreparedStatement[]) {
      const results = await db.batch(all.map((one) => statements.get(one) ?? one))
      for (const { meta } of results) noteMeta(meta)
      return results
    },
  })
}

function countedStatement(statement: D1PreparedStatement): D1PreparedStatement {
  const counted = changed(statement, {
    bind: (...values: unknown[]) => countedStatement(statement.bind(...values)),
    all: async () => noted(await statement.all()),
    run: async () => noted(await statement.run()),
    async first(column?: string) {
      const [row] = noted(await statement.all<Record<string, unknown>>()).results
      return row === undefined ? null : column === undefined ? row : row[column]
    },
  })
  statements.set(counted, statement)
  return counted
}

function noted<Result extends { readonly meta: D1Meta }>(result: Result): Result {
  noteMeta(result.meta)
  return result
}

function noteMeta({ rows_read, rows_written }: D1Meta): void {
  counter.add('d1Read', rows_read)
  counter.add('d1Written', rows_written)
}

function countedBucket(bucket: R2Bucket): R2Bucket {
  return changed(bucket, {
    async put(key: string, value: ArrayBufferView | ReadableStream | null, options?: R2PutOptions) {
      const object = await bucket.put(key, value as ArrayBufferView, options)
      counter.add('classA')
      counter.add('bytesToR2', object?.size ?? 0)
      return object
    },
    async list(options?: R2ListOptions) {
      counter.add('classA')
      return bucket.list(options)
    },
    async head(key: string) {
      counter.add('classB')
      return bucket.head(key)
    },
    async get(key: string, options?: R2GetOptions) {
      counter.add('classB')
      const object = await bucket.get(key, options as never)
      counter.add('bytesFromR2', object?.size ?? 0)
      return object
    },
  })
}

/** An object with other methods. The rest are called on the object itself. */
function changed<Target extends object>(target: Target, methods: Readonly<Record<string, unknown>>): Target {
  return new Proxy(target, {
    get(from, name) {
      if (typeof name === 'string' && name in methods) return methods[name]
      const value = Reflect.get(from, name, from) as unknown
      return typeof value === 'function' ? value.bind(from) : value
    },
  })
}
