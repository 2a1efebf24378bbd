import { asker } from './asking.ts'

/** Everything that clients see of the state that `fill.ts` made, without changing it. @param key of the tenant that the admin made */
export async function whatIsSeen(url: string, key: string) {
  const { ask } = asker(url)
  return {
    tasks: await ask('GET', '/api/task/list'),
    task: await ask('GET', '/api/task/kept/status'),
    note: await ask('GET', '/api/download/kept/notes/a.txt'),
    // Earlier versions named the list after what it holds.
    calls: { calls: ((await ask('GET', '/v1/sessions/kept/calls?limit=50')) as { data: unknown }).data },
    people: await ask('GET', '/api/human-tasks/kept'),
    secrets: await ask('GET', '/v1/secrets'),
    tools: await ask('GET', '/v1/tools/registered'),
    versions: await ask('GET', '/v1/tools/registered/weather.now/versions'),
    limits: await ask('GET', '/v1/limits'),
    usage: await ask('GET', '/v1/usage?from=2026-11-01&to=2026-12-01&group_by=tool'),
    audit: await ask('GET', '/v1/audit?limit=1000'),
    packages: await ask('GET', '/v1/marketplace/tools'),
    ofTheKey: await ask('GET', '/v1/secrets', undefined, key),
  }
}
