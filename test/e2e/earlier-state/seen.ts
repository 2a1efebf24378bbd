import { asker } from './asking.ts'

/** Everything that clients see of the state that `fill.ts` made, without changing it. @param key of the tenant that the admin made */
export async function whatIsSeen(url: string, key: string) {
  const { ask } = asker(url)
  // Earlier versions named each list after what it holds.
  const list = async (path: string, by?: string) =>
    ((await ask('GET', path, undefined, by)) as { readonly data: readonly unknown[] }).data
  const registered = await list('/v1/tools/registered')
  return {
    tasks: await ask('GET', '/api/task/list'),
    task: await ask('GET', '/api/task/kept/status'),
    note: await ask('GET', '/api/download/kept/notes/a.txt'),
    calls: { calls: await list('/v1/sessions/kept/calls?limit=50') },
    people: await ask('GET', '/api/human-tasks/kept'),
    secrets: { secrets: await list('/v1/secrets') },
    tools: { tools: registered, total: registered.length },
    versions: { versions: await list('/v1/tools/registered/weather.now/versions') },
    limits: await ask('GET', '/v1/limits'),
    usage: await ask('GET', '/v1/usage?from=2026-11-01&to=2026-12-01&group_by=tool'),
    audit: await ask('GET', '/v1/audit/export?limit=1000'),
    packages: { tools: await list('/v1/marketplace/tools') },
    ofTheKey: { secrets: await list('/v1/secrets', key) },
  }
}
