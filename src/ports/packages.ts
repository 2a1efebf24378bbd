/** Python packages that the task installed: a new sandbox gets them again. */
export interface Packages {
  /** Records installed requirement specifiers, e.g. `requests`, `numpy==2.1`, `./upload/x.whl`. */
  installed(specs: readonly string[]): void
}
