/** The parameter `viewparams`: values for the parameters of virtual tables. */
import { readEscapedOptions, splitUnescaped } from './escaped-options.ts';
import { expandPerQuery } from './selection.ts';
import { createKind, type ParameterKind } from './service-parameters.ts';

/** Values by lower-case parameter name. */
export type ViewParameters = ReadonlyMap<string, string>;

/** One block of values per layer or query, separated by commas. */
export const viewParameters: ParameterKind<readonly ViewParameters[]> = createKind<readonly ViewParameters[]>(
  'options such as name:value;name:value',
  (text) => splitUnescaped(text, ',').map(readEscapedOptions),
  [],
);

/** A single block applies to all queries. */
export function expandViewParameters(blocks: readonly ViewParameters[], queries: number): readonly ViewParameters[] {
  return expandPerQuery('viewparams', blocks, queries);
}
