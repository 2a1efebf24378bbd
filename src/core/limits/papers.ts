/** Papers: searching them, keeping them, and reading their sources. */

/** Length of a query to the paper service, in UTF-16 units: an abstract fits; the rest is ignored. */
export const MAX_PAPER_QUERY_CHARS = 2_000
/** Different terms of a query that are looked up, the rarest first: an abstract has about a hundred. */
export const MAX_PAPER_QUERY_TERMS = 64
/** `k` of a search over papers: more candidates would be read than a model reads results. */
export const MAX_PAPER_CANDIDATES = 200

/** Time that embeddings and the reranker may add to a search: the answer by words is there in a tenth of that. */
export const SEMANTIC_SEARCH_MS = 1_500
/** Candidates that a search by vectors adds. */
export const NEAREST_PAPERS = 50
/** Candidates that the reranker reads: one request, of some hundred milliseconds. */
export const JUDGED_TEXTS = 50
/** Length of a query for the reranker, in UTF-16 units: the model has room for 512 tokens, the text's included. */
export const MAX_JUDGED_QUERY_CHARS = 500

/** Length of an answer that the cache takes, as JSON, in UTF-16 units: a longer one is made anew. */
export const MAX_CACHED_ANSWER_CHARS = 200_000
/** Cached answers of one reader; the oldest go. */
export const MAX_CACHED_ANSWERS = 500
/** Time that a cached answer holds, if nothing changes before. */
export const PAPER_CACHE_MS = 24 * 60 * 60_000

/** Papers of one `put`: with what they need in D1, one transaction of some seconds at most. */
export const MAX_PAPERS_PER_PUT = 1_000
/** Text of one `put`, in UTF-16 units: D1 takes a transaction of some 30 MB. */
export const MAX_PUT_CHARS = 8_000_000
/** Time to embed all the papers of one `put`; a paper without a vector by then is found by words alone. */
export const SEMANTIC_PUT_MS = 60_000

/** Length of a paper's id, and of each of its aliases. */
export const MAX_PAPER_ID_CHARS = 200
/** Aliases, authors and categories of a paper: the largest collaborations have some thousand authors. */
export const MAX_PAPER_NAMES = 50
export const MAX_PAPER_AUTHORS = 5_000
export const MAX_PAPER_CATEGORIES = 100
/** Authors and categories of a paper, all their characters together: they stand in one row of D1, which has 2 MB. */
export const MAX_PAPER_WORD_CHARS = 200_000
/** Title and abstract of a paper together, in UTF-16 units: D1's rows stay under 2 MB, and a hundred are read at a time. */
export const MAX_ABSTRACT_CHARS = 50_000
/** Text of one paper, in UTF-16 units: a thesis of a thousand pages. It is read whole. */
export const MAX_PAPER_CHARS = 4_000_000
/** Length of one chunk, in UTF-16 units. */
export const MAX_CHUNK_CHARS = 100_000
/** Chunks of one paper: a search in the paper reads all of them. */
export const MAX_CHUNKS_PER_PAPER = 5_000

/** Papers that one request moves to a database of their own: put in there they take some tenths of a second. */
export const MAX_MOVED_PAPERS = 50
/** Text of the papers that one request moves, in UTF-16 units, unless a single one has more. */
export const MAX_MOVED_CHARS = 2_000_000
/** Remembered answers that one request removes behind them. */
export const MOVED_ANSWERS_PER_BATCH = 10_000

/** Papers that one tenant keeps of its own: with their texts and index some gigabytes, of the ten that D1 holds. */
export const MAX_OWN_PAPERS = 100_000
/**
 * Text of a tenant's own papers together, in UTF-16 units: the longest papers must leave room for others in the ten gigabytes.
 */
export const MAX_OWN_PAPER_CHARS = 2_000_000_000

/** Time for one call of another paper service: what the published clients wait. */
export const PAPER_SERVICE_MS = 120_000
/** Time for a health check of another paper service. */
export const PAPER_SERVICE_HEALTH_MS = 10_000
/** Size of one answer of another paper service: a paper of MAX_PAPER_CHARS in any script, and below what RPC carries. */
export const MAX_PAPER_ANSWER_BYTES = 16 * 1024 * 1024

/** Size of one answer of arXiv: three papers, of some thousand authors each. As a tree it takes fifty times this. */
export const MAX_ATOM_BYTES = 512 * 1024

/** Length of a chunk of a paper's text, in UTF-16 units: some 300 words, which a reranker and a model take in as one thought. */
export const CHUNK_CHARS = 1_800
/** Least length of a chunk that ends early, at a paragraph or a sentence. */
export const CHUNK_MIN_CHARS = 1_200
/** Overlap of a chunk with the one before it, at most: a sentence or two, so that none is found without its context. */
export const CHUNK_OVERLAP_CHARS = 200

/** Size of an archive of LaTeX, unpacked, figures included; only its text is held in memory. */
export const MAX_SOURCE_BYTES = 128 * 1024 * 1024
/** Files of an archive of LaTeX. */
export const MAX_SOURCE_FILES = 10_000
/** Length of a paper's LaTeX, all files together, and again with what `\input` puts in. A thesis has a quarter of it. */
export const MAX_TEX_CHARS = 4_000_000
/** Files that `\input` puts in, each counted as often as it is put in. */
export const MAX_TEX_INPUTS = 2_000
/** Commands that a source defines itself; large ones define some hundreds. */
export const MAX_TEX_MACROS = 5_000
/** Expansions of those commands: bounds definitions that grow without end. */
export const MAX_TEX_EXPANSIONS = 200_000
/** Depth of arguments within arguments, which are read recursively, and of commands within expansions. */
export const MAX_TEX_DEPTH = 50
