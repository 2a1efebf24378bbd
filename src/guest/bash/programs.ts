import { bashProgram } from '../bash-program.ts'
import COMMAND_TEXT from './command.sh' with { type: 'text' }
import HOLDERS_TEXT from './holders.sh' with { type: 'text' }
import KEPT_TEXT from './kept.sh' with { type: 'text' }
import KILL_TEXT from './kill.sh' with { type: 'text' }
import PROCESSES_TEXT from './processes.sh' with { type: 'text' }
import RACE_TEXT from './race.sh' with { type: 'text' }
import REPORT_TEXT from './report.sh' with { type: 'text' }

/** Defines `find_marked PATTERN`. */
export const PROCESSES = bashProgram(PROCESSES_TEXT)
/** Defines `kill_marked MARK OURS…` and `kill_job MARK`. */
export const KILL = bashProgram(PROCESSES_TEXT + KILL_TEXT)
/** Defines `print_kept FILE SECONDS`. */
export const KEPT = bashProgram(KEPT_TEXT)
/** Defines `begin_command`, `enter_environment`, `remove_old_output` and `finish_command`. */
export const COMMAND = bashProgram(COMMAND_TEXT)
/** Defines `report_command`; needs {@link PROCESSES} and {@link COMMAND}. */
export const REPORT = bashProgram(REPORT_TEXT)
/** Defines `print_race`, which looks at the processes in `found`. */
export const RACE = bashProgram(RACE_TEXT)
/** Defines `print_holders PROCESSES BYTES`, which looks at so many of the processes in `found`. */
export const HOLDERS = bashProgram(HOLDERS_TEXT)
