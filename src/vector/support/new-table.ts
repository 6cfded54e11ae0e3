/** Checks for the attributes of a new table in any database. */
import type { Attribute } from '../port/port.ts';

/** Returns the name of the key column; numbered if an attribute has that name. */
export function createKeyName(attributes: readonly Attribute[]): string {
  const taken = new Set(attributes.map((each) => each.name.toLowerCase()));
  let name = 'fid';
  for (let number = 1; taken.has(name); number += 1) name = `fid_${number}`;
  return name;
}

/** `folded` maps names to the form that the database compares. */
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
