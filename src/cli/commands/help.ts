import { command, isGroup } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import { commandHelp, groupHelp, overview } from '../help.ts'
import { loadedCommand } from '../loaded-command.ts'

export const help = command({
  summary: 'Show help for a command',
  arguments: [
    {
      name: 'COMMAND',
      help: 'a command, and one of its own commands',
      isOptional: true,
      isMany: true,
      completes: 'commands',
    },
  ],
  options: {},
  examples: [
    { args: 'help exec', does: 'as `toolyard exec --help`' },
    { args: 'help sessions create', does: 'a command of a group' },
  ],
  async run({ positionals, commands, output }) {
    const [name, word] = positionals
    if (name === undefined) {
      await output.help(overview(commands, output))
      return EXIT.good
    }
    const loaded = await loadedCommand(commands, name)
    if (!isGroup(loaded)) await output.help(commandHelp(name, loaded, output))
    else if (word === undefined) await output.help(groupHelp(name, loaded, output))
    else {
      const inner = Object.hasOwn(loaded.commands, word) ? loaded.commands[word] : undefined
      if (!inner)
        throw usageError(`${name} has no command "${word}"`, `it has ${Object.keys(loaded.commands).join(', ')}`)
      await output.help(commandHelp(`${name} ${word}`, inner, output))
    }
    return EXIT.good
  },
})
