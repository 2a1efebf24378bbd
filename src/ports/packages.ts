/** Python packages that the task asked for: they come back when a new sandbox replaces the old one. */
export interface Packages {
  /** Notes that these requirement specifiers were installed, e.g. `requests`, `numpy==2.1`, `./upload/x.whl`. */
  installed(specs: readonly string[]): void
}
