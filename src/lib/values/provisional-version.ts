/** Versions of records in a draft, whose change number is not known before the commit. */

/** Versions from here on belong to drafts; no history reaches this number. */
export const FIRST_PROVISIONAL_VERSION = 2 ** 50;

/** Returns the final version of a record of a draft, once the number of its change is known. */
export function resolveProvisionalVersion(version: number, change: number | null): number {
  return version >= FIRST_PROVISIONAL_VERSION && change !== null ? change : version;
}
