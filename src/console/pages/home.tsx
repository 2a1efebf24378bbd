import { useEffect } from 'preact/hooks'
import { who } from '../api.ts'
import { go } from '../parts/location.ts'

/** Where the console begins: the sessions, or for the operator the tenants. */
export function HomePage() {
  const operator = who.value?.scopes.includes('operator')
  useEffect(() => go(operator ? '/console/operator/tenants' : '/console/sessions', { replace: true }), [])
  return null
}
