/** What a page is given: the parameters of its route's path, decoded. The query is in `here`. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>
}
