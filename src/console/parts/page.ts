/** Properties of a page: the parameters of its route's path, decoded. The query is in `here`. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>
}
