/** Maps the field of a REST complaint to the field of the configuration document. */

import type { ConfigurationKind } from '../model/kind.ts';
import { escapePointerPart } from './field-changes.ts';

/**
 * `dataStore.connectionParameters.url` -> `/connectionParameters/url`. Undefined where it is not a field: the path
 * contains the name of the resource.
 */
export function findFieldPointer(
  { fieldNames, restNames = {} }: Pick<ConfigurationKind, 'fieldNames' | 'restNames'>,
  spoken: string,
): string | undefined {
  const parts = spoken.split('.');
  // Some REST documents have no root.
  const [first = '', ...inside] = fieldNames.includes(parts[0] ?? '') ? parts : parts.slice(1);
  const name = restNames[first] ?? first;
  return fieldNames.includes(name)
    ? [name, ...inside].map((part) => `/${escapePointerPart(part)}`).join('')
    : undefined;
}
