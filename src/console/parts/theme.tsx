import { signal } from '@preact/signals'

type Theme = 'system' | 'light' | 'dark'

/** Where a browser keeps the chosen theme. */
const KEPT = 'toolyard-theme'
const LABELS: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

const theme = signal<Theme>('system')

/** Shows the theme that was chosen in this browser; without a choice, the system's. */
export function applyTheme(chosen = keptTheme()): void {
  theme.value = chosen
  document.documentElement.dataset.theme = chosen
}

function keptTheme(): Theme {
  const kept = localStorage.getItem(KEPT)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** The choice between light, dark, and what the system has. */
export function ThemeSwitch() {
  const choose = (event: Event) => {
    const chosen = (event.currentTarget as HTMLSelectElement).value as Theme
    localStorage.setItem(KEPT, chosen)
    applyTheme(chosen)
  }
  return (
    <label class="field-inline">
      Theme
      <select value={theme.value} onChange={choose}>
        {Object.entries(LABELS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
