import { codeRunTools } from './code-mode/code-run-tools.ts'
import { fileEditLines } from './files/file-edit-lines.ts'
import { fileReadNumbered } from './files/file-read-numbered.ts'
import { fileTree } from './files/file-tree.ts'
import { resultQuery } from './files/result-query.ts'
import { interpreterRun } from './interpreter/interpreter-run.ts'
import { arxivSearch } from './lagent/arxiv-search.ts'
import { googleSnippets } from './lagent/google-snippets.ts'
import { mapCoordinates } from './lagent/map-coordinates.ts'
import { mapDistance } from './lagent/map-distance.ts'
import { mapNearby } from './lagent/map-nearby.ts'
import { mapRoute } from './lagent/map-route.ts'
import { pptAddFirstPage } from './lagent/ppt-add-first-page.ts'
import { pptAddTextImagePage } from './lagent/ppt-add-text-image-page.ts'
import { pptAddTextPage } from './lagent/ppt-add-text-page.ts'
import { pptCreateFile } from './lagent/ppt-create-file.ts'
import { pptSubmitFile } from './lagent/ppt-submit-file.ts'
import { pythonSolution } from './lagent/python-solution.ts'
import { scholarArticles } from './lagent/scholar-articles.ts'
import { scholarAuthor } from './lagent/scholar-author.ts'
import { scholarAuthorId } from './lagent/scholar-author-id.ts'
import { scholarCitation } from './lagent/scholar-citation.ts'
import { calculate } from './math/calculate.ts'
import { ipythonInteractiveRun } from './notebook/ipython-interactive-run.ts'
import { ipythonReset } from './notebook/ipython-reset.ts'
import { ipythonRun } from './notebook/ipython-run.ts'
import { ipythonSessionRun } from './notebook/ipython-session-run.ts'
import { notebookExecute } from './notebook/notebook-execute.ts'
import { notebookPrint } from './notebook/notebook-print.ts'
import { ownToolCall } from './own/own-tool-call.ts'
import { ownToolRegister } from './own/own-tool-register.ts'
import { pythonActionCall } from './python-actions/python-action-call.ts'
import { pythonActionsList } from './python-actions/python-actions-list.ts'
import { pythonActionsRegister } from './python-actions/python-actions-register.ts'
import { pythonActionsRemove } from './python-actions/python-actions-remove.ts'
import { registeredCall } from './registered/registered-call.ts'
import { toolCreate } from './registered/tool-create.ts'
import { toolDelete } from './registered/tool-delete.ts'
import { toolList } from './registered/tool-list.ts'
import type { Toolkit } from './registry.ts'
import { shellCommand } from './shell/shell-command.ts'
import { shellRead } from './shell/shell-read.ts'
import { shellWrite } from './shell/shell-write.ts'
import { browserOpenUrl } from './web/browser-open-url.ts'
import { browserSearch } from './web/browser-search.ts'
import { browserSelect } from './web/browser-select.ts'
import { pageRead } from './web/page-read.ts'
import { searchAndRead } from './web/search-and-read.ts'
import { workspaceDiff } from './workspace/workspace-diff.ts'
import { workspaceFork } from './workspace/workspace-fork.ts'
import { workspaceHistory } from './workspace/workspace-history.ts'
import { workspaceRestore } from './workspace/workspace-restore.ts'
import { workspaceSnapshot } from './workspace/workspace-snapshot.ts'

/** Toolkits for dialects that show such; they also hold the tools that are in no other list. */
export const TOOLKITS: readonly Toolkit[] = [
  {
    name: 'files',
    description: 'Read, write and list the files of the workspace by numbered lines.',
    tools: [fileReadNumbered, fileEditLines, fileTree],
  },
  {
    name: 'web',
    description: 'Read pages of the web as text, and search it.',
    tools: [pageRead, searchAndRead],
  },
  {
    name: 'notebook',
    description: 'Run Python cells in a kernel that keeps its variables, and look at the notebook that they make.',
    tools: [notebookExecute, notebookPrint],
  },
  {
    name: 'shell',
    description: 'Run commands in shells that keep their state, beside each other and without waiting.',
    tools: [shellRead, shellWrite, shellCommand],
  },
  { name: 'interpreter', description: 'Write a file and run it.', tools: [interpreterRun] },
  {
    name: 'own',
    description: 'Bring tools as Python, and call them.',
    tools: [ownToolRegister, ownToolCall],
  },
  {
    name: 'python_actions',
    description: "Bring Lagent's actions as Python, and call them.",
    tools: [pythonActionsRegister, pythonActionsList, pythonActionCall, pythonActionsRemove],
  },
  {
    name: 'registered',
    description: 'Call tools that were registered with this server, and make new ones.',
    tools: [registeredCall, toolCreate, toolList, toolDelete],
  },
  { name: 'arxiv', description: 'Search arXiv for papers.', tools: [arxivSearch] },
  { name: 'google', description: 'Search the web for short answers.', tools: [googleSnippets] },
  {
    name: 'scholar',
    description: 'Look up articles, authors and citations at Google Scholar.',
    tools: [scholarArticles, scholarAuthor, scholarCitation, scholarAuthorId],
  },
  {
    name: 'maps',
    description: 'Ways by car, coordinates of places, and what is near them.',
    tools: [mapDistance, mapRoute, mapCoordinates, mapNearby],
  },
  {
    name: 'ppt',
    description: 'Make a PowerPoint presentation, page by page.',
    tools: [pptCreateFile, pptAddFirstPage, pptAddTextPage, pptAddTextImagePage, pptSubmitFile],
  },
  {
    name: 'browser',
    description: 'Search the web, and read what was found.',
    tools: [browserSearch, browserSelect, browserOpenUrl],
  },
  {
    name: 'ipython',
    description: 'Run Python in a kernel that keeps its variables, without a notebook.',
    tools: [ipythonRun, ipythonSessionRun, ipythonInteractiveRun, ipythonReset],
  },
  { name: 'python', description: 'Run a Python function and get what it returns.', tools: [pythonSolution] },
  { name: 'math', description: 'Calculate what an expression comes to.', tools: [calculate] },
  {
    name: 'workspace',
    description:
      'See who changed which files of the task, compare, go back, name moments, and go on from one in a new session.',
    tools: [workspaceHistory, workspaceDiff, workspaceRestore, workspaceSnapshot, workspaceFork],
    isUnlisted: true,
  },
  {
    name: 'answers',
    description: 'Show other parts of answers that were cut.',
    tools: [resultQuery],
    isUnlisted: true,
  },
  {
    name: 'code',
    description: 'Write code that calls the tools, for work of many calls or large results.',
    tools: [codeRunTools],
    isUnlisted: true,
  },
]
