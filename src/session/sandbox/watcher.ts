/** Bash that puts the watcher's answer into a variable, and leaves the variable unchanged without an answer within a second. */
export const askWatcher = (port: number | '$port', variable: string) =>
  `exec 5<>/dev/tcp/127.0.0.1/${port} && read -r -t 1 -u 5 ${variable}; exec 5>&-`
