/** The dimensions in the metadata of a resource: time, elevation and custom axes. */

import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { parseFlag } from '../../lib/values/flag.ts';
import { findMemberText, listMembersNamed, type ValueTree } from '../../lib/values/value-tree.ts';
import type { Metadata } from '../kinds/resource.ts';

const presentations = ['LIST', 'DISCRETE_INTERVAL', 'CONTINUOUS_INTERVAL'];
const strategies = ['MINIMUM', 'MAXIMUM', 'NEAREST', 'FIXED', 'BUILTIN'];
const strategiesWithReference = ['NEAREST', 'FIXED'];

/** An axis of the data that becomes a dimension. */
export interface Dimension {
  readonly name: string;
  readonly kind: 'time' | 'elevation' | 'custom';
  readonly unit?: string | undefined;
}

/** The code for metres as a dimension unit. */
const METRES = 'EPSG:5030';

/** Builds metadata entries that offer each dimension with all its values; time and elevation occur at most once. */
export function buildDimensionMetadata(dimensions: readonly Dimension[]): Metadata {
  const entries = dimensions.map((dimension) => {
    const key = dimension.kind === 'custom' ? `custom_dimension_${dimension.name.toUpperCase()}` : dimension.kind;
    const members = [['enabled', 'true'], ['presentation', 'LIST'], ...listUnitMembers(dimension)];
    const info = { members: members.map(([name = '', value = '']) => ({ name, value })) };
    return [key, { members: [{ name: 'dimensionInfo', value: info }] }] as const;
  });
  // The first of two axes of the same kind becomes the dimension.
  return Object.fromEntries(entries.toReversed());
}

function listUnitMembers({ kind, unit }: Dimension): readonly (readonly string[])[] {
  if (kind === 'time') {
    return [['units', 'ISO8601']];
  }
  if (unit === undefined) {
    return [];
  }
  const isMetres = kind === 'elevation' && /^(?:m|metres?|meters?)$/i.test(unit);
  return isMetres
    ? [
        ['units', METRES],
        ['unitSymbol', 'm'],
      ]
    : [['units', unit]];
}

/**
 * Throws for the first invalid dimension; `root` is the root name of the document. Dimensions of rasters have no
 * attributes.
 */
export function checkDimensions(
  root: string,
  resource: { readonly metadata: Metadata; readonly attributes?: readonly { readonly name: string }[] },
): void {
  const { metadata, attributes } = resource;
  const names = attributes && new Set(attributes.map(({ name }) => name));
  for (const [key, entry] of Object.entries(metadata)) {
    for (const dimension of listMembersNamed(entry, 'dimensionInfo')) {
      const objection = findDimensionError(dimension, names);
      if (objection !== undefined) {
        const field = `${root}.metadata.${excerpt(key)}`;
        throw problem('dimension-invalid', { key: excerpt(key), reason: objection, field });
      }
    }
  }
}

function findDimensionError(dimension: ValueTree, attributes: ReadonlySet<string> | undefined): string | undefined {
  return (
    findFlagError(dimension) ??
    (attributes && findAttributeError(dimension, attributes)) ??
    findPresentationError(dimension) ??
    findDefaultError(listMembersNamed(dimension, 'defaultValue')[0])
  );
}

function findFlagError(dimension: ValueTree): string | undefined {
  const wrong = ['enabled', 'nearestMatchEnabled', 'rawNearestMatchEnabled'].find((name) => {
    const text = findMemberText(dimension, name);
    return text !== undefined && parseFlag(text) === undefined;
  });
  return wrong === undefined ? undefined : `its ${wrong} must be true or false`;
}

function findAttributeError(dimension: ValueTree, attributes: ReadonlySet<string>): string | undefined {
  for (const member of ['attribute', 'endAttribute']) {
    const name = findMemberText(dimension, member);
    if (name !== undefined && !attributes.has(name)) {
      return `its ${member} '${excerpt(name)}' is not an attribute of the type`;
    }
  }
  const isEnabled = parseFlag(findMemberText(dimension, 'enabled') ?? '') === true;
  return isEnabled && findMemberText(dimension, 'attribute') === undefined
    ? 'it is enabled, but has no attribute'
    : undefined;
}

function findPresentationError(dimension: ValueTree): string | undefined {
  const presentation = findMemberText(dimension, 'presentation');
  if (presentation !== undefined && !presentations.includes(presentation)) {
    return `its presentation '${excerpt(presentation)}' is unknown. Use ${presentations.join(', ')}`;
  }
  const resolution = findMemberText(dimension, 'resolution');
  if (resolution !== undefined && !(Number(resolution) > 0)) {
    return `its resolution '${excerpt(resolution)}' is not a number above 0`;
  }
  return presentation === 'DISCRETE_INTERVAL' && resolution === undefined
    ? 'a DISCRETE_INTERVAL requires a resolution'
    : undefined;
}

function findDefaultError(value: ValueTree | undefined): string | undefined {
  const strategy = findMemberText(value, 'strategy');
  if (strategy !== undefined && !strategies.includes(strategy)) {
    return `the strategy '${excerpt(strategy)}' of its default value is unknown. Use ${strategies.join(', ')}`;
  }
  const needsReference = strategy !== undefined && strategiesWithReference.includes(strategy);
  return needsReference && findMemberText(value, 'referenceValue') === undefined
    ? `the strategy ${strategy} of its default value requires a referenceValue`
    : undefined;
}
