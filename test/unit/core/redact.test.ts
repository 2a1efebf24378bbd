import { describe, expect, it } from 'vitest'
import { childKeyText } from '../../../src/auth/child-key.ts'
import { newKey } from '../../../src/auth/key.ts'
import { REDACT_AHEAD_CHARS, redact } from '../../../src/core/redact.ts'

const random = (chars: number) => 'aB3xK9mQ7pR2tV5wY8zC4dF6gH1jL0nS'.repeat(8).slice(0, chars)

const CHILD_KEY = childKeyText({ root: newKey().id, links: [random(90), random(120)], tag: random(43) })

describe('what is kept of a text', () => {
  it.each([
    ['an API key of this server', newKey().text],
    ['a child key of this server', CHILD_KEY],
    ['a child key of a server without keys', CHILD_KEY.replace(/^tyc_[^_]+/, 'tyc_local')],
    ["OpenAI's and Anthropic's keys", `sk-${random(48)}`],
    ['such a key with words in it', `sk-ant-api03-${random(40)}-_${random(8)}`],
    ['such a key of the least length', `sk-${random(20)}`],
    ["GitHub's personal token", `ghp_${random(36)}`],
    ["GitHub's token of an app's user", `ghu_${random(36)}`],
    ["GitHub's token of a server", `ghs_${random(36)}`],
    ["GitHub's OAuth token", `gho_${random(36)}`],
    ["GitHub's refresh token", `ghr_${random(76)}`],
    ["GitHub's fine-grained token", `github_pat_${random(22)}_${random(59)}`],
    ["GitLab's token", `glpat-${random(20)}`],
  ])('does not have %s', (_, secret) => {
    expect(redact(`export KEY=${secret}; curl`)).toBe('export KEY=***; curl')
    expect(redact(`{"a":"${secret}","b":"${secret}"}`)).toBe('{"a":"***","b":"***"}')
  })

  it.each([
    ['https://ada:hunter2@host/x.git', 'https://***@host/x.git'],
    ['https://token-alone@host/x', 'https://***@host/x'],
    ['//ada:hunter2@host', '//***@host'],
    ['postgres//ada:hunter2@db.local', 'postgres//***@db.local'],
    ['ada:a-long-password-of-20@db.local', 'ada:***@db.local'],
    ['ada:a-long-password-of-20@db:5432', 'ada:***@db:5432'],
  ])('does not have the credentials of %s', (text, kept) => {
    expect(redact(`git clone ${text} here`)).toBe(`git clone ${kept} here`)
  })

  it('does not have what opens a link to a file', () => {
    const url = `https://host/v1/links/${random(200)}.${random(43)}`
    expect(redact(`curl -T report.pdf ${url} && ls`)).toBe('curl -T report.pdf https://host/v1/links/*** && ls')
  })

  it.each([
    'https://host/ada@example.com',
    'mail ada@example.com, bob@example.com',
    'time 10:30 @home',
    'sk-short',
    'task-aB3xK9mQ7pR2tV5wY8zC4dF6gH1',
    `party_${random(12)}_${random(49)}`,
    '/v1/sessions/docs/links/lnk_0123456789abcdef0123456789abcdef',
    'GET /v1/links/none',
    'ghp_short',
    'git@github.com:owner/repository.git',
  ])('has what is no credential: %s', (text) => {
    expect(redact(text)).toBe(text)
  })

  it('has nothing of a credential that a cut at REDACT_AHEAD_CHARS behind a place goes through', () => {
    for (const secret of [
      newKey().text,
      CHILD_KEY,
      `sk-${random(255)}`,
      `github_pat_${random(255)}`,
      `//${'x'.repeat(500)}@h`,
    ]) {
      for (let before = 0; before < secret.length; before++) {
        const text = `${' '.repeat(before + 1)}${secret}`.slice(0, before + 4 + REDACT_AHEAD_CHARS)
        expect(redact(text)).toContain('***')
      }
    }
  })
})
