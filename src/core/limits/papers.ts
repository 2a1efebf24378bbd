/** Papers: searching them, keeping them, and reading their sources. */

/** Length of a query to the paper service, in UTF-16 units: an abstract fits; what is beyond is not looked at. */
export const MAX_PAPER_QUERY_CHARS = 2_000
/** Different terms of a query that are looked up, the rarest first: an abstract has about a hundred. */
export const MAX_PAPER_QUERY_TERMS = 64
/** `k` of a search over papers: more candidates would be read than a model reads results. */
export const MAX_PAPER_CANDIDATES = 200

/** What vectors and a model's judgement may add to a search: the answer by words is there in a tenth of that. */
export const SEMANTIC_SEARCH_MS = 1_500
/** What a search by vectors brings to the candidates. */
export const NEAREST_PAPERS = 50
/** Candidates that the judging model reads: one request, of some hundred milliseconds. */
export const JUDGED_TEXTS = 50
/** Length of a query that the judging model reads, in UTF-16 units: it has room for 512 tokens, the text's included. */
export const MAX_JUDGED_QUERY_CHARS = 500

/** Length of an answer that is remembered, as JSON, in UTF-16 units: a longer one is made anew. */
export const MAX_CACHED_ANSWER_CHARS = 200_000
/** Answers remembered for one reader; the oldest go. */
export const MAX_CACHED_ANSWERS = 500
/** An answer is remembered this long, if nothing changes before. */
export const PAPER_CACHE_MS = 24 * 60 * 60_000

/** Papers of one `put`: with what they need in D1, one transaction of some seconds at most. */
export const MAX_PAPERS_PER_PUT = 1_000
/** Text of one `put`, in UTF-16 units: D1 takes a transaction of some 30 MB. */
export const MAX_PUT_CHARS = 8_000_000
/** Vectors of all the papers of one `put`; those that have none by then are found by words alone. */
export const SEMANTIC_PUT_MS = 60_000

/** Length of a paper's id, and of each of its other names. */
export const MAX_PAPER_ID_CHARS = 200
/** Other names, authors and categories of a paper: the largest collaborations have some thousand authors. */
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
/** Chunks of one paper: all are read to search in it. */
export const MAX_CHUNKS_PER_PAPER = 5_000

/** Papers that one tenant keeps of its own: with their texts and index some gigabytes, of the ten that D1 holds. */
export const MAX_OWN_PAPERS = 100_000
/** Text of those together, in UTF-16 units: who puts in what is longest must leave room for others in the ten gigabytes. */
export const MAX_OWN_PAPER_CHARS = 2_000_000_000

/** One call of another paper service: what the published clients wait. */
export const PAPER_SERVICE_MS = 120_000
/** Asking whether that service runs. */
export const PAPER_SERVICE_HEALTH_MS = 10_000
/** An answer of that service: a paper of MAX_PAPER_CHARS in any script, and below what RPC carries. */
export const MAX_PAPER_ANSWER_BYTES = 16 * 1024 * 1024

/** An answer of arXiv: three papers, of some thousand authors each. As a tree it takes fifty times this. */
export const MAX_ATOM_BYTES = 512 * 1024

/** The text of a paper is cut into chunks of at most this many UTF-16 units: some 300 words, which a reranker and a model take in as one thought. */
export const CHUNK_CHARS = 1_800
/** A chunk may end this early, where a paragraph or sentence does. */
export const CHUNK_MIN_CHARS = 1_200
/** What a chunk repeats of the one before it, at most: a sentence or two, so that none is found without its context. */
export const CHUNK_OVERLAP_CHARS = 200

/** An archive of LaTeX, unpacked, figures included; only its text is held in memory. */
export const MAX_SOURCE_BYTES = 128 * 1024 * 1024
/** Files of such an archive. */
export const MAX_SOURCE_FILES = 10_000
/** A paper's LaTeX, all files together, and again with what is put in by `\input`. A thesis has a quarter of it. */
export const MAX_TEX_CHARS = 4_000_000
/** Files put in by `\input`, each as often as it is. */
export const MAX_TEX_INPUTS = 2_000
/** Commands that a source defines itself; large ones define some hundreds. */
export const MAX_TEX_MACROS = 5_000
/** Times that those are replaced by what they stand for: bounds definitions that grow without end. */
export const MAX_TEX_EXPANSIONS = 200_000
/** Arguments within arguments, which are read recursively; and commands within what commands stand for. */
export const MAX_TEX_DEPTH = 50
