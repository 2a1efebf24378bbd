/** Words that no identifier or file name has, each with the field's word for the same thing. */
export const NAMES: Readonly<Record<string, string>> = {
  asked: 'request, query, or the thing itself',
  said: 'reply, report, message parts, or the thing itself',
  told: 'reported, notified, or the thing itself',
  care: 'moderation',
  gloss: 'dictionary',
  glossary: 'dictionary',
  lane: 'mutex, scheduler',
  meanings: 'embeddings, translations',
  meaning: 'embedding, translation',
  news: 'notices, changes',
  nursery: 'forkServer',
  shelf: 'paperStore',
  unsettle: 'markDirty',
}

/** Names of two words that are no verb of the field. */
export const PHRASES: Readonly<Record<string, string>> = {
  'give up': 'discard, release',
  'end left': 'reap',
  'told ends': 'acknowledgedCompletions',
}

/**
 * Names that stored rows, programs in sandboxes that outlive a version of the server, or readers of our output have. Renaming one would
 * need a migration, or two names at once.
 */
export const KEPT: Readonly<Record<string, readonly string[]>> = {
  'scripts/mcp-conformance.mjs': ['lane'],
  'src/session/consoles/by-link.ts': ['said'],
  'src/session/jobs/job-store.ts': ['said'],
  'src/session/python/reply.ts': ['said'],
  'src/tools/code/claude-stream.ts': ['said'],
  'src/tools/code/code-task-execute.ts': ['said'],
  'test/unit/session/consoles.test.ts': ['said'],
  'test/unit/session/job-store.test.ts': ['said'],
  'test/unit/tools/code/code-task-execute.test.ts': ['said'],
}

/** Private words, in comments and pages. */
export const WORDS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bnurser(?:y|ies)\b/i, 'fork server'],
  [/\bgloss(?:es|ary)?\b/i, 'bilingual dictionary'],
  [/\btold[- ]ends\b/i, 'acknowledged completions'],
  [/\blanes?\b/i, 'mutex, scheduler'],
  [/\bshel(?:f|ves)\b/i, 'paper store'],
  [/\bnews of (?:the|a) sandbox\b/i, 'notices'],
  [/\bmachine of (?:the|a) session\b|\bsession's machine\b/i, 'session sandbox'],
  [/\bunsettled? (?:the |a )?sandbox\b/i, 'dirty sandbox, mark dirty'],
]

/**
 * Beginnings of a doc comment that leave its subject out. `Whether` and a name may begin one; so may a verb, which says what
 * a function does.
 */
export const BEGINNINGS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^(?:It|Its|They|Them|Their|This|That|These|Those|Which|Who|Whose|Neither)\b/, 'begin with the noun'],
  [
    /^(?:Of|As|What|Whoever|Whatever)\b/,
    'begin with the noun: "Size of …" and not "Of …", "Result of …" and not "What …"',
  ],
]
