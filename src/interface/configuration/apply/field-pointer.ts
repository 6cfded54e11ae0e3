/** Which field of a resource REST complains about, as the document of a configuration has it. */

import type { ConfigurationKind } from '../model/kind.ts';
import { escapePointerPart } from './field-changes.ts';

/**
 * `dataStore.connectionParameters.url` -> `/connectionParameters/url`. Undefined where it is none of the fields: the path
 * has the name of the resource.
 */
export function findFieldPointer(
  { fieldNames, restNames = {} }: Pick<ConfigurationKind, 'fieldNames' | 'restNames'>,
  spoken: string,
): string | undefined {
  const parts = spoken.split('.');
  // Some documents of REST have no root.
  const [first = '', ...inside] = fieldNames.includes(parts[0] ?? '') ? parts : parts.slice(1);
  const name = restNames[first] ?? first;
  return fieldNames.includes(name)
    ? [name, ...inside].map((part) => `/${escapePointerPart(part)}`).join('')
    : undefined;
}
