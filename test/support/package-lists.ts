/** Read-only queries on the package lists of the system. */
export interface PackageLists {
  /** The names of the packages that match this regular expression. */
  matching(pattern: string): readonly string[];
  /** The names of the packages that a package depends on. */
  listDependencies(name: string): readonly string[];
}
