/**
 * Settings of git for the whole system of a sandbox, which a user's own and a repository's override: an identity, so that
 * `git commit` works at once; a name for the first branch, without advice about it; repositories of any owner, since one
 * user has all that is in the sandbox; and an editor that ends at once, since nobody can use one.
 */
export const GIT_CONFIG = `[user]
\tname = Agent
\temail = agent@sandbox.invalid
[init]
\tdefaultBranch = main
[safe]
\tdirectory = *
[core]
\teditor = true
`

/** File of the runtime with the settings where the sandbox has the machine's own /etc, whose settings count more. */
export const MACHINE_GIT_CONFIG = 'etc/gitconfig-of-machine'

/** Settings, and then the machine's own. */
export const WITH_MACHINE_GIT_CONFIG = `${GIT_CONFIG}[include]
\tpath = /etc/gitconfig
`
