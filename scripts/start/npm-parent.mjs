/** npm passes signals on, but for `kill -9`. Who runs a script by another way than npm may leave it alone. */
export function followNpm(script, onGone) {
  const npm = process.ppid
  if (process.env.npm_lifecycle_event !== script) return
  setInterval(() => {
    if (process.ppid !== npm) onGone()
  }, 500).unref()
}
