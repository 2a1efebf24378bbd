import { checksum } from '../../core/checksum.ts'
import { MAX_CONSOLE_REPLY_BYTES } from '../../core/limits/consoles.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import CLIENT from '../../guest/consoles/client.py' with { type: 'text' }
import { NOTEBOOK_KERNEL_PROGRAM as KERNEL } from '../../guest/kernel/programs.ts'
import { SYSTEM_PATH } from '../../ports/sandbox.ts'
import { STATE_DIRECTORY } from '../sandbox/place.ts'
import { HOST } from './host.ts'

/** Version of the programs. A sandbox may have older ones: each version has its own directory, and so its own host. */
const VERSION = checksum(CLIENT + HOST + KERNEL)
export const DIRECTORY = `${STATE_DIRECTORY}/consoles-${VERSION}`
/** Path of the host's socket. */
export const SOCKET = `${DIRECTORY}/socket`

/** Exit code of {@link askScript} where the host's programs are not in the sandbox. */
export const NOT_INSTALLED = 91

/**
 * Bash that installs the host's programs in the sandbox. Calls that begin at once install them side by side, and one may start the
 * host meanwhile: each program is moved to its place whole, the host's last, since it says that all are there.
 */
export const INSTALL = `new=${DIRECTORY}/new-$$-$RANDOM
mkdir -p -m 700 ${DIRECTORY} $new
printf %s ${shellQuote(KERNEL)} > $new/kernel.py && printf %s ${shellQuote(CLIENT)} > $new/client.py &&
printf %s ${shellQuote(HOST)} > $new/host.py && mv $new/kernel.py $new/client.py $new/host.py ${DIRECTORY} && rmdir $new`

/** Bash that asks the host, starts it when it does not run, and prints its reply. */
export const askScript = (request: {
  readonly wait: number
}) => `cd ${DIRECTORY} 2>/dev/null && [ -f host.py ] || exit ${NOT_INSTALLED}
export CONSOLE_PATH=$PATH; PATH=${SYSTEM_PATH}
exec python3 -I -S client.py ${request.wait} ${MAX_CONSOLE_REPLY_BYTES} <<'TOOLYARD_REQUEST'
${JSON.stringify(request)}
TOOLYARD_REQUEST`

/** Bash that prints something when a shell or the notebook was busy in the last twelve seconds: their host notes it every two. */
export const CONSOLES_AT_WORK = `find ${STATE_DIRECTORY}/consoles-*/busy -mmin -0.2 2>/dev/null`
