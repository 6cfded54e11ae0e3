/** Parses a parameter that lists attributes; throws a Problem for unknown names. */
import type { PublishedType } from '../../access/published-type.ts';
import { createParameterProblem } from './parameters.ts';

export function readAttributeNames(
  parameter: string,
  list: string,
  attributes: PublishedType['attributes'],
): readonly string[] {
  const names = list === '' ? [] : list.split(',').map((each) => each.trim());
  const unknown = names.find((name) => !attributes.some((each) => each.name === name));
  if (unknown !== undefined) {
    throw createParameterProblem(parameter, unknown, `names from ${attributes.map(({ name }) => name).join(', ')}`);
  }
  return names;
}
