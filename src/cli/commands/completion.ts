import { command } from '../command.ts'
import { COMPLETION_SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts'
import { EXIT } from '../exit-codes.ts'

export const completion = command({
  summary: 'Print the completion of bash, zsh or fish',
  details: `Commands, options and their values are completed, and names of sessions, tools and files of sessions, which the server in use is asked
for, two seconds at most, or TOOLYARD_COMPLETION_MS milliseconds.`,
  arguments: [{ name: 'SHELL', help: 'the shell', choices: SHELLS }],
  options: {},
  examples: [
    {
      args: 'completion bash > ~/.local/share/bash-completion/completions/toolyard',
      does: 'bash, from its next start on',
    },
    { args: 'completion zsh > ~/.zfunc/_toolyard', does: 'zsh, with ~/.zfunc in its fpath' },
    { args: 'completion fish > ~/.config/fish/completions/toolyard.fish', does: 'fish' },
  ],
  async run({ positionals: [shell = ''], output }) {
    await output.help(COMPLETION_SCRIPTS[shell as Shell])
    return EXIT.good
  },
})
