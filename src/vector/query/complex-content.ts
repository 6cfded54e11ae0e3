/** Transforms the content of complex features: omits attributes and reprojects geometries. */

import { readSpelledCrs } from '../../crs/model/crs-code.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { createReprojection, type Reprojection } from '../../geometry/reprojection.ts';
import { Problem } from '../../lib/problems/problem.ts';
import {
  type ComplexFeature,
  type ComplexProperty,
  type GeometryValue,
  isGeometryValue,
} from '../port/complex-feature.ts';
import type { ElementName, Feature } from '../port/port.ts';

export type ContentFilter = (content: ComplexFeature) => ComplexFeature;

/** Omits elements that are not published or not requested. */
export function createElementFilter(hidden: readonly ElementName[]): ContentFilter {
  if (hidden.length === 0) return (content) => content;
  const isVisible = ({ name }: ComplexProperty): boolean =>
    !hidden.some(({ uri, local }) => uri === name.uri && local === name.local);
  return ({ geometry, ...content }) => {
    const children = content.children.filter(isVisible);
    const isDrawn = geometry !== undefined && children.some((child) => hasGeometryValue(child, geometry));
    return { ...content, children, ...(isDrawn ? { geometry } : {}) };
  };
}

function hasGeometryValue({ value, children }: ComplexProperty, geometry: GeometryValue): boolean {
  return value === geometry || children.some((child) => hasGeometryValue(child, geometry));
}

export type ReprojectContent = (features: readonly Feature[]) => Promise<readonly Feature[]>;

/**
 * Each geometry is converted from its own CRS. The default geometry has the CRS of its attribute; a geometry in an
 * unknown CRS is unchanged.
 */
export function createContentReprojection(crs: CrsReference, drawn: Reprojection | undefined): ReprojectContent {
  const known = new Map<string, Reprojection | undefined>();
  const loadReprojection = async (srsName: string): Promise<void> => {
    const code = readSpelledCrs(srsName)?.code;
    known.set(srsName, code === undefined ? undefined : await findReprojection({ code }, crs));
  };
  return async (features) => {
    for (const srsName of new Set(
      features.flatMap(({ content }) => (content === undefined ? [] : listSrsNames(content))),
    )) {
      if (!known.has(srsName)) await loadReprojection(srsName);
    }
    if (drawn === undefined && [...known.values()].every((each) => each === undefined)) return features;
    return features.map((feature) =>
      feature.content === undefined
        ? feature
        : { ...feature, content: reprojectContent(feature.content, known, drawn, crs) },
    );
  };
}

async function findReprojection(from: CrsReference, to: CrsReference): Promise<Reprojection | undefined> {
  try {
    return await createReprojection(from, to);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function listSrsNames({ value, children }: ComplexProperty): readonly string[] {
  const own = isGeometryValue(value) && value.srsName !== undefined ? [value.srsName] : [];
  return [...own, ...children.flatMap(listSrsNames)];
}

function reprojectContent(
  content: ComplexFeature,
  known: ReadonlyMap<string, Reprojection | undefined>,
  drawn: Reprojection | undefined,
  { code }: CrsReference,
): ComplexFeature {
  let geometry: GeometryValue | undefined;

  const reprojectValue = (value: GeometryValue): GeometryValue | undefined => {
    const isDrawn = value === content.geometry;
    const reprojection = isDrawn ? drawn : known.get(value.srsName ?? '');
    const result = reprojection === undefined ? value : convertValue(value, reprojection, code);
    if (isDrawn) geometry = result;
    return result;
  };
  const reprojectProperty = (property: ComplexProperty): ComplexProperty => {
    const { value, ...rest } = property;
    const children = rest.children.map(reprojectProperty);
    if (value === undefined) return { ...rest, children };
    const result = isGeometryValue(value) ? reprojectValue(value) : value;
    return { ...rest, children, ...(result === undefined ? {} : { value: result }) };
  };

  const { geometry: _, ...rest } = content;
  const shown = reprojectProperty(rest);
  return { ...shown, id: content.id, ...(geometry === undefined ? {} : { geometry }) };
}

/** Returns undefined if a position has no counterpart. */
function convertValue(
  value: GeometryValue,
  reprojection: Reprojection,
  code: string | undefined,
): GeometryValue | undefined {
  const named = code === undefined ? {} : { srsName: code };
  if (value.kind === 'geometry') {
    const geometry = reprojection.reprojectGeometry(value.geometry);
    return geometry === null ? undefined : { ...value, ...named, geometry };
  }
  // One-dimensional positions are not coordinates on the earth.
  if (value.positions.some(({ length }) => length < 2)) return value;
  const line = reprojection.reprojectGeometry({
    type: 'LineString',
    dimension: 'XY',
    ordinates: Float64Array.from(value.positions.flatMap(([x = 0, y = 0]) => [x, y])),
    ends: [],
    parts: [],
  });
  if (line === null) return undefined;
  const positions = value.positions.map(([, , ...heights], index) => [
    line.ordinates[index * 2] ?? 0,
    line.ordinates[index * 2 + 1] ?? 0,
    ...heights,
  ]);
  return { ...value, ...named, positions };
}
