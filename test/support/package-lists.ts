/** What can be asked of the system's package lists without changing anything. */
export interface PackageLists {
  /** The names of the packages that match this regular expression. */
  matching(pattern: string): readonly string[];
  /** The names of the packages that a package depends on. */
  dependenciesOf(name: string): readonly string[];
}
