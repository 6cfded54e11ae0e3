/** Converts geometry literals to geometries in the coordinates of the data. */

import { isNoCrs } from '../../crs/model/crs-code.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { flattenLiteral } from '../model/flatten-literal.ts';
import type { EnvelopeLiteral, GeometryLiteral } from '../model/geometry-literal.ts';
import type { GeometryOperand } from '../model/resolved-filter.ts';
import type { SchemaAttribute } from '../model/schema.ts';
import { ResolveError } from './resolve-error.ts';
import type { SchemaWithSystems } from './systems.ts';

/** Each feature can be compared with all of them. */
const maxPositions = 10_000;

/** Converts to the CRS of the attribute that the geometry is compared with, if there is one. */
export function resolveGeometry(
  literal: GeometryLiteral,
  attribute: SchemaAttribute | undefined,
  schema: SchemaWithSystems,
): GeometryOperand {
  const { written, name } = readWrittenGeometry(literal, attribute, schema);
  const geometry = reprojectToAttribute(attribute, { literal, srsName: name, geometry: written }, schema);
  const bounds = computeGeometryBounds(geometry);
  if (bounds === undefined) throw new ResolveError(literal, 'the geometry has no positions');
  return { kind: 'geometry', geometry, literal, bounds, isBox: literal.type === 'Envelope' && geometry === written };
}

/**
 * Converts a box. The result has several parts if the CRS of the attribute requires it, and none if the box has no
 * counterpart.
 */
export function resolveBox(
  literal: EnvelopeLiteral,
  attribute: SchemaAttribute,
  schema: SchemaWithSystems,
): readonly GeometryOperand[] {
  const { written, name } = readWrittenGeometry(literal, attribute, schema);
  const [from, to] = [name === undefined ? undefined : schema.named?.get(name)?.code, attribute.crs];
  const isElsewhere = from !== undefined && to !== undefined && from !== to;
  const areas = isElsewhere ? schema.areas?.(written, from, to) : undefined;
  if (areas === undefined) return [resolveGeometry(literal, attribute, schema)];
  return areas.flatMap((geometry) => {
    const bounds = computeGeometryBounds(geometry);
    return bounds === undefined ? [] : [{ kind: 'geometry', geometry, literal, bounds, isBox: false }];
  });
}

/** Returns the geometry with x before y, and its CRS name as written. */
function readWrittenGeometry(
  literal: GeometryLiteral,
  attribute: SchemaAttribute | undefined,
  schema: SchemaWithSystems,
): { readonly written: Geometry; readonly name: string | undefined } {
  const flat = toGeometry(literal);
  const name = findSrsName(literal) ?? schema.unnamed?.srsName;
  // On a plane without a CRS, all data keeps its coordinates.
  if (isNoCrs(name)) return { written: flat, name: undefined };
  const isNorthFirst =
    name === undefined
      ? schema.northFirst?.has(attribute?.crs ?? '') === true
      : schema.named?.get(name)?.isNorthFirst === true;
  return { written: isNorthFirst ? swapAxes(flat) : flat, name };
}

/** Returns the CRS name of the literal or of its members, which must agree. */
function findSrsName(literal: GeometryLiteral): string | undefined {
  if (!('members' in literal)) return literal.srsName;
  let name = literal.srsName;
  for (const member of literal.members) {
    const inner = findSrsName(member);
    name ??= inner;
    if (inner !== undefined && inner !== name)
      throw new ResolveError(
        literal,
        `the geometry uses '${excerpt(name ?? '')}', but a part of it uses '${excerpt(inner)}'`,
      );
  }
  return name;
}

function swapAxes(geometry: Geometry): Geometry {
  const { ordinates, members } = geometry;
  const swapped = ordinates.map((_, index) => ordinates[index % 2 === 0 ? index + 1 : index - 1] ?? Number.NaN);
  return {
    ...geometry,
    ordinates: swapped,
    ...(members === undefined ? {} : { members: members.map(swapAxes) }),
  };
}

function reprojectToAttribute(
  attribute: SchemaAttribute | undefined,
  {
    literal,
    srsName,
    geometry,
  }: { readonly literal: GeometryLiteral; readonly srsName: string | undefined; readonly geometry: Geometry },
  { named, reproject }: SchemaWithSystems,
): Geometry {
  if (srsName === undefined || attribute === undefined) return geometry;
  const from = named?.get(srsName)?.code;
  if (from === undefined) throw new ResolveError(literal, `unknown coordinate reference system '${excerpt(srsName)}'`);
  if (attribute.crs === undefined || from === attribute.crs) return geometry;
  const result = reproject?.(geometry, from, attribute.crs);
  if (result !== undefined) return result;
  throw new ResolveError(
    literal,
    `the geometry is in ${from} and cannot be converted to ${attribute.crs}, the CRS of '${attribute.name}'`,
  );
}

/** Drops heights, because relations and distances are planar. */
function toGeometry(literal: GeometryLiteral): Geometry {
  const geometry = flattenLiteral(literal);
  if (!hasFiniteOrdinates(geometry)) throw new ResolveError(literal, 'a coordinate is too large');
  if (countPositions(geometry) > maxPositions)
    throw new ResolveError(literal, `the geometry has more than ${maxPositions} positions`);
  return geometry;
}

function hasFiniteOrdinates({ ordinates, members = [] }: Geometry): boolean {
  return ordinates.every(Number.isFinite) && members.every(hasFiniteOrdinates);
}

function countPositions({ ordinates, members = [] }: Geometry): number {
  return members.reduce((sum, member) => sum + countPositions(member), ordinates.length / 2);
}
