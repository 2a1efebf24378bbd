import { render } from 'preact'
import { findSession } from './api.ts'
import { listenForKeys } from './parts/keys.tsx'
import { followLinks } from './parts/location.ts'
import { applyTheme } from './parts/theme.tsx'
import { App } from './router.tsx'

applyTheme()
followLinks()
listenForKeys()
void findSession()
const root = document.getElementById('app')
if (root) render(<App />, root)
