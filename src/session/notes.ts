import { fail } from '../core/failure.ts'
import { MAX_NOTE_CHARS } from '../core/limits/sessions.ts'
import type { Notes } from '../ports/notes.ts'
import type { Sql } from '../ports/sql.ts'

/** In the session's database; the table is made when something is first noted. */
export class SessionNotes implements Notes {
  readonly #sql: Sql
  #hasTable = false

  constructor(sql: Sql) {
    this.#sql = sql
  }

  read(name: string): unknown {
    this.#makeTable()
    const [row] = this.#sql.all<{ note: string }>('SELECT note FROM notes WHERE name = ?', name)
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
    this.#makeTable()
    this.#sql.all(
      'INSERT INTO notes (name, note) VALUES (?, ?) ON CONFLICT DO UPDATE SET note = excluded.note',
      name,
      text,
    )
  }

  #makeTable(): void {
    if (this.#hasTable) return
    this.#sql.all('CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, note TEXT NOT NULL) STRICT')
    this.#hasTable = true
  }
}
