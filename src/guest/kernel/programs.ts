import { pythonProgram } from '../python-program.ts'
import DRIVERS from './drivers.py' with { type: 'text' }
import FORGET_DIRECTORY from './forget_directory.py' with { type: 'text' }
import NOTEBOOK_KERNEL from './notebook_kernel.py' with { type: 'text' }

/** The kernel behind the notebook, as a file of the host's directory. */
export const NOTEBOOK_KERNEL_PROGRAM = `${FORGET_DIRECTORY}
${pythonProgram({ modules: { 'kernel.drivers': DRIVERS, 'kernel.notebook_kernel': NOTEBOOK_KERNEL }, settings: {} })}`
