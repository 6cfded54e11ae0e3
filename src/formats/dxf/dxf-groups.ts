/** Groups of a DXF file: a code and a value, each on its own line. */

export type Group = readonly [code: number, value: string | number];

export function formatGroups(groups: readonly Group[]): string {
  return groups.map(([code, value]) => `${code}\n${value}\n`).join('');
}

/** Release 14 has no Unicode: other characters are written as escapes, which programs since then read. */
export function escapeDxfText(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').replaceAll(/[\u0080-\uffff]/g, encodeCharacter);
}

/** Characters beyond the basic plane are two escapes. */
function encodeCharacter(character: string): string {
  return `\\U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Creates a name of a layer, line type or block: release 14 allows 31 letters, digits and three signs. */
export function createDxfName(title: string, taken: Set<string>): string {
  const base =
    title
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^A-Za-z0-9_$-]/g, '_')
      .toUpperCase() || '_';
  let name = base.slice(0, MAX_NAME_CHARACTERS);
  for (let number = 2; taken.has(name); number += 1) {
    const suffix = `_${number}`;
    name = `${base.slice(0, MAX_NAME_CHARACTERS - suffix.length)}${suffix}`;
  }
  taken.add(name);
  return name;
}

/** The limit of release 14. */
const MAX_NAME_CHARACTERS = 31;
