import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { durableSql } from '../../src/adapters/sql-durable.ts'
import { sqlContract } from './sql.ts'

sqlContract("a Durable Object's storage", (work) =>
  runInDurableObject(env.TENANTS.getByName(crypto.randomUUID()), (_, state) => work(durableSql(state.storage))),
)
