/** Contents of one tenant in the store of objects, whichever session refers to them. */
export interface TenantObjects {
  /** The first page in the order of the keys; empty when there is none. */
  page(): Promise<readonly { readonly key: string; readonly bytes: number }[]>
  /** Deletes them for good. A missing one is no error. */
  delete(keys: readonly string[]): Promise<void>
}

/** Rows of one kind that a tenant has in a database that tenants share. */
export interface TenantRows {
  count(): Promise<number>
  /** Removes the next batch. @returns whether there may be more */
  removeSome(): Promise<boolean>
}

/** Keys of one tenant, and its entry in the list of tenants, which stays for good. */
export interface TenantEntry extends Pick<TenantRows, 'count'> {
  /** Closes the tenant: from now on no key of it is good. A tenant that was closed before keeps that time. */
  close(at: number): Promise<void>
  /** Removes keys and the tenant's name, and notes when the tenant's deletion ended. */
  remove(at: number): Promise<void>
}
