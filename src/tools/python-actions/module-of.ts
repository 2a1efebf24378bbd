import type { PythonModule } from '../../ports/python.ts'
import type { ActionSource } from '../../ports/toolbox.ts'

export const moduleOf = ({ text, requirements }: ActionSource): PythonModule => ({
  files: { 'actions.py': text },
  main: 'actions',
  requirements,
})
