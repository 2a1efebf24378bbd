import { useEffect } from 'preact/hooks'
import { who } from '../api.ts'
import { go } from '../parts/location.ts'

/** Where the console begins: the sessions. The operator has no screens, and is told so. */
export function HomePage() {
  const operator = who.value?.scopes.includes('operator') ?? false
  useEffect(() => {
    if (!operator) go('/console/sessions', { replace: true })
  }, [operator])
  if (!operator) return null
  return (
    <div class="empty">
      <h1>Signed in as the operator</h1>
      <p>The console has no screens for the operator yet. Tenants, invitations and use are asked for by /admin.</p>
    </div>
  )
}
