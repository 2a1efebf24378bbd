/** Draws a bar on a terminal, and nothing elsewhere. @returns takes how much is done, from 0 to 1 */
export function progress(what: string): (done: number) => void {
  return (done) => {
    if (!process.stderr.isTTY) return
    const width = Math.round(done * 30)
    process.stderr.write(
      `\r${what.padEnd(28)} [${'#'.repeat(width)}${' '.repeat(30 - width)}]${done === 1 ? '\n' : ''}`,
    )
  }
}
