import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tenantId } from '../../../src/core/ids.ts'
import { paperLibrary } from '../../../src/papers/library.ts'
import { sql } from '../../../src/ports/database.ts'
import { libraryContract } from '../../contract/paper-library.ts'
import { NodeDatabase } from '../../support/database-node.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const schema = readFileSync('migrations/0002_papers.sql', 'utf8')

libraryContract('node:sqlite', () => new NodeDatabase(schema))

it('leaves room for others: a tenant keeps so much text and no more, the operator as much as there is', async () => {
  const db = new NodeDatabase(schema)
  const library = (reader: string | null) =>
    paperLibrary({ db, reader: reader === null ? null : tenantId(reader), clock: fakeClock(), semantics: null })
  const paper = (fileId: string) => ({
    ...{ fileId, title: fileId, abstract: '', aliases: [], authors: [], year: null, categories: [] },
    chunks: [{ section: '', text: 'words' }],
  })
  for (const owner of ['acme', 'other', null]) await library(owner).put([paper('first')])
  // As if they had put in two billion characters.
  await db.batch([
    sql(`UPDATE papers SET chars = 2000000000 WHERE corpus <> (SELECT no FROM paper_corpora WHERE owner = 'other')`),
    sql('UPDATE paper_corpora SET chunks = 100000'),
  ])
  await expect(library('acme').put([paper('second')])).rejects.toThrow(/MAX_OWN_PAPER_CHARS/)
  expect(await library('other').put([paper('second')])).toMatchObject({ added: 1 })
  expect(await library(null).put([paper('second')])).toMatchObject({ added: 1 })
  await library('acme').remove('first')
  expect(await library('acme').put([paper('second')])).toMatchObject({ added: 1 })
})
