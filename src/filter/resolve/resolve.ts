/** Public interface of the resolution module, the step between reading a filter and running it. */
import { computeTextPosition } from '../../lib/text/text-position.ts';
import type { EcqlOutcome } from '../ecql/ecql.ts';
import { readLocatedFilter } from '../ecql/reader.ts';
import type { Constant, Filter } from '../model/filter.ts';
import type { ResolvedFilter } from '../model/resolved-filter.ts';
import type { Schema } from '../model/schema.ts';
import { findInvalidity } from '../predicate/topology.ts';
import { checkSize } from './check-size.ts';
import { resolve } from './filter.ts';
import { ResolveError } from './resolve-error.ts';
import { type UnnamedGeometries, withSystems } from './systems.ts';

export type { UnnamedGeometries } from './systems.ts';

export type ResolveOutcome =
  | { readonly kind: 'resolved'; readonly filter: ResolvedFilter }
  | { readonly kind: 'refused'; readonly complaint: ResolveIssue };

export interface ResolveIssue {
  /** The invalid part of the filter; undefined for the whole filter. */
  readonly part: object | undefined;
  /** Starts in lower case, without a full stop. */
  readonly message: string;
}

/**
 * Transforms geometries to the CRS of the data and validates them, because self-intersecting polygons have no
 * well-defined interior.
 */
export async function resolveFilter(
  filter: Filter | Constant,
  schema: Schema,
  unnamed: UnnamedGeometries = {},
): Promise<ResolveOutcome> {
  try {
    checkSize(filter);
    const resolved = resolve(filter, await withSystems(filter, schema, unnamed));
    for (const { geometry, literal, isBox } of listGeometryOperands(resolved)) {
      // These geometries are valid by construction.
      if (isBox || literal.type === 'Envelope' || geometry.type === 'Point') continue;
      const reason = await findInvalidity(geometry);
      if (reason !== undefined) throw new ResolveError(literal, `the geometry is not valid: ${reason}`);
    }
    return { kind: 'resolved', filter: resolved };
  } catch (error) {
    if (!(error instanceof ResolveError)) throw error;
    return { kind: 'refused', complaint: { part: error.part, message: error.message } };
  }
}

function listGeometryOperands(filter: ResolvedFilter): readonly Extract<GeometryPart, { kind: 'geometry' }>[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(listGeometryOperands);
    case 'not':
      return listGeometryOperands(filter.filter);
    case 'relation':
    case 'distance':
      return [filter.left, filter.right].filter((each) => each.kind === 'geometry');
    default:
      return [];
  }
}

type GeometryPart = Extract<ResolvedFilter, { kind: 'relation' }>['left'];

/** Parses and resolves ECQL for a schema; an error has the position of the first invalid part. */
export async function readEcqlFor(text: string, schema: Schema): Promise<EcqlOutcome<ResolvedFilter>> {
  const outcome = readLocatedFilter(text);
  if (outcome.kind === 'refused') return outcome;
  const { filter, findOffset: offsetOf } = outcome.value;
  const resolved = await resolveFilter(filter, schema);
  if (resolved.kind === 'resolved') return { kind: 'read', value: resolved.filter };
  const { part, message } = resolved.complaint;
  const offset = (part === undefined ? undefined : offsetOf(part)) ?? 0;
  return { kind: 'refused', complaint: { offset, ...computeTextPosition(text, offset), message } };
}
