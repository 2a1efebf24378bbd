import { useEffect } from 'preact/hooks'
import { who } from '../api.ts'
import { go } from '../parts/location.ts'

/** Where the console begins: the sessions; for the operator, who has none, the tenants. */
export function HomePage() {
  const operator = who.value?.scopes.includes('operator') ?? false
  useEffect(() => {
    go(operator ? '/console/operator/tenants' : '/console/sessions', { replace: true })
  }, [operator])
  return null
}
