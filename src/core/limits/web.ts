/** Requests that leave the server: pages, downloads, searches and the services behind them. */

/** Length of a URL: longer than any page's address; browsers and servers refuse lengths like this. */
export const MAX_URL_CHARS = 8_192
/** Redirects of one request: sites need three or four, and more is a loop. */
export const MAX_REDIRECTS = 5
/** Time for one DNS look-up before a request: a resolver answers within a second or not at all. */
export const DNS_MS = 5_000

/** Time for one request to a service's API (search, repositories), body included. */
export const API_MS = 30_000
/** Size of one answer of a service's API: a page of a hundred entries is a tenth of this. */
export const MAX_API_BYTES = 5 * 1024 * 1024

/** Time for one `download_file_from_url`: a data set over a slow line takes minutes. Its largest size is MAX_FILE_BYTES. */
export const DOWNLOAD_MS = 10 * 60_000
/** Size of a download whose server does not state its size: it is held in memory, beside all else in an isolate's 128 MB. */
export const MAX_UNSIZED_DOWNLOAD_BYTES = 32 * 1024 * 1024

/** Results of one `google_search`: Google itself gives no more than a hundred. */
export const MAX_SEARCH_RESULTS = 100
/** Pages of one `google_scholar_search`, ten papers each: each page is a request that costs. */
export const MAX_SCHOLAR_PAGES = 10
/** Pages that one `search_and_read` reads: each page is a request, and a text of some thousand words. */
export const MAX_READ_RESULTS = 5

/** Time for one page or image: a person would have given up too. */
export const FETCH_MS = 30_000
/** Size of one page's HTML: as a tree it takes ten times this, beside all else in an isolate's 128 MB. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024
/** Elements of a page: the worst page of this many, at MAX_PAGE_DEPTH, takes some seconds of a Worker's thirty. */
export const MAX_PAGE_ELEMENTS = 75_000
/** Depth of a page's elements; real pages stay below a hundred. */
export const MAX_PAGE_DEPTH = 256
/** Length of one element's `class` attribute, in UTF-16 units: the parser takes the classes apart one by one. */
export const MAX_PAGE_CLASS_CHARS = 100_000
/** Text of a page that is read but not kept, in UTF-16 units: more than most models take in beside their task. */
export const MAX_PAGE_TEXT_CHARS = 100_000
/** Links listed below a page that is read but not kept: a portal has some hundreds. */
export const MAX_PAGE_LINKS = 500
/** Images of one page: each image is a request, and a Worker has a thousand requests for a call. */
export const MAX_PAGE_IMAGES = 30
/** Size of one image: a photograph, as sites show them. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024
/** Size of all images of one page: they are held in memory until they are committed with it. */
export const MAX_PAGE_IMAGE_BYTES = 20 * 1024 * 1024

/** Size of a robots.txt: what its standard says must be read at least. */
export const MAX_ROBOTS_BYTES = 500 * 1024
/** Rules of a robots.txt for one program: each is compared with the page's path, and the longest known files have a tenth. */
export const MAX_ROBOTS_RULES = 10_000
/** Time for a robots.txt: a site that takes longer for it would take longer for its pages. */
export const ROBOTS_MS = 10_000

/** Searches that one `browser_search` makes: each search is a request that costs. */
export const MAX_BROWSER_QUERIES = 5
/** Pages that one `browser_select` reads, as in Lagent's own browser. */
export const MAX_BROWSER_SELECTED = 4
/** Results of a `browser_search`, kept until the next one, as in Lagent's own browser. */
export const MAX_BROWSER_RESULTS = 20

/** Least time between two requests to a public server of OpenStreetMap: its rules allow one per second. */
export const PUBLIC_MAP_PAUSE_MS = 1_000
/** Requests that wait for a public map server: a later one would wait longer than a model's call should. */
export const MAX_WAITING_MAP_REQUESTS = 10
/** Places of one search nearby, before they are sorted by distance. */
export const MAX_NEARBY_PLACES = 20
