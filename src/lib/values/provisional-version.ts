/** Versions of records in a draft: until it is kept, nobody knows which number its change will have. */

/** From here on versions are those of drafts; no log will ever be so long, and no tag of a client names so large a number. */
export const FIRST_PROVISIONAL_VERSION = 2 ** 50;

/** The version of a record that a draft has shown, once the number of its change is known. */
export function resolveProvisionalVersion(version: number, change: number | null): number {
  return version >= FIRST_PROVISIONAL_VERSION && change !== null ? change : version;
}
