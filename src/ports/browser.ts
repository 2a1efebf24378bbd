/** A browser that runs a page's scripts. Adapter: `browser-cloudflare`. */
export interface Browser {
  /**
   * HTML of a page after its scripts ran.
   * @param url one that the guarded port has reached before
   * @returns null when there is no browser
   * @throws FailureError `upstream`, `limit_exceeded`, `timeout`
   */
  render(url: string, signal: AbortSignal): Promise<string | null>
}
