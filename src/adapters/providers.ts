import { arxivAtom } from './arxiv-atom.ts'
import { browserCloudflare } from './browser-cloudflare.ts'
import { sandboxE2b } from './e2b/provider.ts'
import { githubRest } from './github-rest.ts'
import { mapsBing } from './maps-bing.ts'
import { mapsOpenStreetMap } from './maps-openstreetmap.ts'
import { papersRemote } from './papers-remote.ts'
import type { Provider } from './provider.ts'
import { scholarIndexSerpapi } from './scholar-index-serpapi.ts'
import { scholarOpenAlex } from './scholar-openalex.ts'
import { scholarSemantic } from './scholar-semantic.ts'
import { scholarSerpapi } from './scholar-serpapi.ts'
import { scholarSerper } from './scholar-serper.ts'
import { searchBrave } from './search-brave.ts'
import { searchGoogle } from './search-google.ts'
import { searchSearxng } from './search-searxng.ts'
import { searchSerper } from './search-serper.ts'

/** All providers. The first of a port's providers that is set up serves it. */
export const PROVIDERS: readonly Provider[] = [
  sandboxE2b,
  searchSerper,
  searchGoogle,
  searchBrave,
  searchSearxng,
  scholarSerper,
  scholarSerpapi,
  scholarOpenAlex,
  scholarSemantic,
  scholarIndexSerpapi,
  arxivAtom,
  mapsOpenStreetMap,
  mapsBing,
  browserCloudflare,
  githubRest,
  papersRemote,
]
