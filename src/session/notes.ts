import { fail } from '../core/failure.ts'
import { MAX_NOTE_CHARS } from '../core/limits/sessions.ts'
import { LazyTable } from '../migrations/session/lazy-table.ts'
import type { Notes } from '../ports/notes.ts'
import type { Sql } from '../ports/sql.ts'

/** The `Notes` port, in the session's database. */
export class SessionNotes implements Notes {
  readonly #table: LazyTable

  constructor(sql: Sql) {
    this.#table = new LazyTable(sql, 'notes')
  }

  read(name: string): unknown {
    const [row] = this.#table.read<{ note: string }>('SELECT note FROM notes WHERE name = ?', name)
    return row ? JSON.parse(row.note) : null
  }

  write(name: string, note: unknown): void {
    const text = JSON.stringify(note)
    if (text.length > MAX_NOTE_CHARS) {
      fail(
        'limit_exceeded',
        `what is to be kept for the next call has more than ${MAX_NOTE_CHARS} characters (MAX_NOTE_CHARS)`,
      )
    }
    this.#table.write(
      'INSERT INTO notes (name, note) VALUES (?, ?) ON CONFLICT DO UPDATE SET note = excluded.note',
      name,
      text,
    )
  }
}
