import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { field, say } from '../../core/saying/saying.ts'
import { withoutLast } from '../../core/without-last.ts'
import { optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { githubToken } from './github-token.ts'
import { saying } from './saying.ts'

/** Source: Tool Server, tools/github_tools, GitHubRepoInfoTool; unlike there, it works without a token too. */
export const githubGetRepositoryInfo = defineTool({
  name: 'github_get_repository_info',
  description:
    "Get what GitHub's API says of one repository. Returns description, stars, forks, language, license, topics, default " +
    'branch, open issues, when it was last pushed to, and where to clone it from. Get its files with git_clone.',
  effect: 'fetch',
  uses: ['github', 'secrets'],
  secretArgs: ['token'],
  input: z.object({
    full_name: requiredText.describe('"owner/repo" or its URL, e.g. "microsoft/vscode"'),
    token: optional(z.string()).describe(
      'GitHub token, for private repositories or a higher rate limit. Default: your secret GITHUB_TOKEN, if there is one',
    ),
  }),

  async run({ full_name, token }, { ports: { github, secrets }, signal }) {
    const name = ownerAndName(full_name)
    const request = async () => github.repository(name, await githubToken(token, secrets), signal)
    const info = await saying('GitHub repository info error: ', request())
    const { description, stars, forks, language, license, default_branch, open_issues_count, pushed_at } = info
    const facts = [`${stars} stars`, `${forks} forks`, language, license, `branch ${default_branch}`]
    const state = `${open_issues_count} open issues, last push ${pushed_at}`
    return {
      text: [info.full_name, description, facts.filter(Boolean).join(', '), state].filter(Boolean).join('\n'),
      data: { ...info },
    }
  },
})

/** Owner and name of a repository, also from its address in a browser, which models have at hand. */
function ownerAndName(given: string): string {
  const address = given.trim().replace(/^(?:https?:\/\/)?(?:www\.)?github\.com\//i, '')
  const name = withoutLast(address, '/').replace(/\.git$/, '')
  if (/^[\w-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/.test(name)) return name
  return fail(
    'invalid_input',
    say`${field('full_name')} must be "owner/repo", e.g. "microsoft/vscode", and not ${JSON.stringify(given.slice(0, 100))}`,
  )
}
