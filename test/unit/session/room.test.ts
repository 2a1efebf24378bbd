import { expect, it } from 'vitest'
import { Room } from '../../../src/session/room.ts'
import { failureOf } from '../../support/failure-of.ts'
import { NodeSql } from '../../support/sql-node.ts'

/** A full disk that somebody else makes room on. */
function fullDisk() {
  const sql = new NodeSql()
  sql.isReadOnly = true
  const { promise: room, resolve: makeRoom } = Promise.withResolvers<void>()
  const looks: string[] = []
  const kept: Promise<void>[] = []
  let noted = 0
  const parts = {
    sql,
    disk: { look: async (when: string) => void looks.push(when), untilRoom: () => room },
    hasRoom: async () => void noted++,
    keepAlive: (work: Promise<void>) => void kept.push(work),
  }
  return { sql, makeRoom, looks, kept, noted: () => noted, room: new Room(parts) }
}

it('refuses what must be written while the disk is full, after a look', async () => {
  const { room, looks, sql } = fullDisk()
  expect(await failureOf(room.require())).toMatchObject({ code: 'insufficient_storage' })
  expect(looks).toEqual(['when it was full'])
  sql.isReadOnly = false
  await room.require()
  expect(looks).toHaveLength(1)
})

it('notes once what waited, however many calls waited for room', async () => {
  const { room, kept, makeRoom, noted } = fullDisk()
  room.wait()
  room.wait()
  expect(noted()).toBe(0)
  makeRoom()
  await Promise.all(kept)
  expect(noted()).toBe(1)
})
