import { codeTaskExecute } from './code/code-task-execute.ts'
import { executeCode } from './code/execute-code.ts'
import { executeShell } from './code/execute-shell.ts'
import { parseDocument } from './documents/parse-document.ts'
import { dirCreate } from './files/dir-create.ts'
import { dirList } from './files/dir-list.ts'
import { fileCopy } from './files/file-copy.ts'
import { fileDelete } from './files/file-delete.ts'
import { fileEdit } from './files/file-edit.ts'
import { fileGlob } from './files/file-glob.ts'
import { fileInfo } from './files/file-info.ts'
import { fileMove } from './files/file-move.ts'
import { filePatch } from './files/file-patch.ts'
import { fileRead } from './files/file-read.ts'
import { fileReplaceLines } from './files/file-replace-lines.ts'
import { fileSearch } from './files/file-search.ts'
import { fileUpload } from './files/file-upload.ts'
import { fileWrite } from './files/file-write.ts'
import { imageRead } from './files/image-read.ts'
import { gitClone } from './git/git-clone.ts'
import { githubGetRepositoryInfo } from './github/github-get-repository-info.ts'
import { githubSearchRepositories } from './github/github-search-repositories.ts'
import { jobList } from './jobs/job-list.ts'
import { jobOutput } from './jobs/job-output.ts'
import { jobStop } from './jobs/job-stop.ts'
import { tex2pdfConvert } from './latex/tex2pdf-convert.ts'
import { checkLock } from './locks/check-lock.ts'
import { fileLock } from './locks/file-lock.ts'
import { fileUnlock } from './locks/file-unlock.ts'
import { listLocks } from './locks/list-locks.ts'
import { pipInstall } from './packages/pip-install.ts'
import { ragCacheClear } from './papers/rag-cache-clear.ts'
import { ragCacheStats } from './papers/rag-cache-stats.ts'
import { ragGetPaperChunks } from './papers/rag-get-paper-chunks.ts'
import { ragGetPaperContent } from './papers/rag-get-paper-content.ts'
import { ragGetSpecificContent } from './papers/rag-get-specific-content.ts'
import { ragGetStats } from './papers/rag-get-stats.ts'
import { ragHealthCheck } from './papers/rag-health-check.ts'
import { ragSearchAbstracts } from './papers/rag-search-abstracts.ts'
import { ragSearchAbstractsFiltered } from './papers/rag-search-abstracts-filtered.ts'
import { ragSearchDetails } from './papers/rag-search-details.ts'
import { ragServiceInfo } from './papers/rag-service-info.ts'
import { humanInLoop } from './people/human-in-loop.ts'
import { Registry } from './registry.ts'
import { TOOLKITS } from './toolkits.ts'
import { crawlPage } from './web/crawl-page.ts'
import { downloadFileFromUrl } from './web/download-file-from-url.ts'
import { googleScholarSearch } from './web/google-scholar-search.ts'
import { googleSearch } from './web/google-search.ts'
import { budgeted } from './within-budget.ts'

/** Every tool, in the order of the Tool Server's published list, followed by the tools of its later versions. */
export const catalog = new Registry(TOOLKITS, [
  fileUpload,
  fileRead,
  fileWrite,
  fileReplaceLines,
  fileDelete,
  fileMove,
  dirCreate,
  dirList,
  executeCode,
  executeShell,
  pipInstall,
  gitClone,
  parseDocument,
  budgeted(codeTaskExecute),
  tex2pdfConvert,
  budgeted(googleSearch),
  crawlPage,
  budgeted(googleScholarSearch),
  budgeted(githubSearchRepositories),
  githubGetRepositoryInfo,
  ragHealthCheck,
  ragGetStats,
  budgeted(ragSearchAbstracts),
  budgeted(ragSearchAbstractsFiltered),
  budgeted(ragSearchDetails),
  budgeted(ragGetPaperContent),
  budgeted(ragGetPaperChunks),
  budgeted(ragGetSpecificContent),
  ragCacheStats,
  ragCacheClear,
  ragServiceInfo,
  fileSearch,
  fileCopy,
  downloadFileFromUrl,
  fileLock,
  fileUnlock,
  listLocks,
  checkLock,
  humanInLoop,
  fileEdit,
  filePatch,
  fileGlob,
  fileInfo,
  imageRead,
  jobOutput,
  jobStop,
  jobList,
])
