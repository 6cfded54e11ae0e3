/** A name without what writers do differently: case, spaces, underscores and the prefixes of one vendor. */
export function plainName(name: string): string {
  return name
    .replace(/^(?:GCS|D)_/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9+]/g, '');
}
