/** What every database asks of the attributes of a new table. */
import type { Attribute } from '../port/port.ts';

/** The column that identifies features; numbered when the client wants one of that name. */
export function createKeyName(attributes: readonly Attribute[]): string {
  const taken = new Set(attributes.map((each) => each.name.toLowerCase()));
  let name = 'fid';
  for (let number = 1; taken.has(name); number += 1) name = `fid_${number}`;
  return name;
}

/** `folded` makes names equal that are the same to the database. */
export function validateAttributes(
  attributes: readonly Attribute[],
  foldName: (name: string) => string,
): string | undefined {
  const seen = new Set<string>();
  for (const { name } of attributes) {
    if (seen.has(foldName(name))) return `duplicate attribute '${name}'`;
    seen.add(foldName(name));
  }
  return undefined;
}
