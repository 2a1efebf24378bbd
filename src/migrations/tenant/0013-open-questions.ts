import { type Migration, runAll } from '../migration.ts'

/** Adds the questions that wait for a person, of all sessions of a tenant: their sessions report them. */
export const openQuestions: Migration = {
  name: '0013-open-questions',
  upgrade(sql) {
    runAll(sql, [
      `CREATE TABLE open_questions (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, task TEXT NOT NULL, words TEXT NOT NULL,
        created_at INTEGER NOT NULL, UNIQUE (session, task)
      ) STRICT`,
    ])
  },
}
