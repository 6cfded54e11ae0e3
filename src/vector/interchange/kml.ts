/** Reads KML: all placemarks of a document with their extended data. */

import { findAttribute, findChild, findChildren, readChildText, readText } from '../../cascade/xml-elements.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { readXml } from '../../lib/xml/reader.ts';
import { MalformedFileError, type RawFeature, type RawTable, type RawValue, tabulateFeatures } from './raw-features.ts';

const limits = { maxDepth: 200, maxNodes: 20_000_000 };

/** Some programs omit the root element. */
const roots = ['kml', 'Document', 'Folder', 'Placemark'];

/** The standard text elements of a placemark, which become columns. */
const ownTexts = ['name', 'description', 'address', 'phoneNumber', 'Snippet', 'visibility'] as const;

export function readKml(text: string): RawTable {
  const placemarks: XmlElement[] = [];
  try {
    const root = readXml(text, limits, {
      closed: (element) => {
        if (element.local !== 'Placemark') return element;
        placemarks.push(element);
        return { ...element, children: [] };
      },
    });
    if (!roots.includes(root.local))
      throw new MalformedFileError(`the root element is '${excerpt(root.name)}', not kml`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new MalformedFileError(error.message.replace(/\.$/, ''));
  }
  return tabulateFeatures(placemarks.map(readFeature), { isText: true, crs: { code: 'EPSG:4326' } });
}

function readFeature(placemark: XmlElement, index: number): RawFeature {
  const id = findAttribute(placemark, 'id');
  return {
    ...(id === undefined || id === '' ? {} : { id }),
    geometry: findGeometry(placemark, index),
    values: readValues(placemark),
  };
}

function readValues(placemark: XmlElement): ReadonlyMap<string, RawValue> {
  const values = new Map<string, RawValue>();
  for (const name of ownTexts) {
    const text = readChildText(placemark, name);
    if (text !== null) values.set(name, text);
  }
  for (const [name, place] of [
    ['timestamp', readChildText(findChild(placemark, 'TimeStamp'), 'when')],
    ['begin', readChildText(findChild(placemark, 'TimeSpan'), 'begin')],
    ['end', readChildText(findChild(placemark, 'TimeSpan'), 'end')],
  ] as const) {
    if (place !== null) values.set(name, place);
  }
  const extended = findChild(placemark, 'ExtendedData');
  const data = extended === undefined ? [] : findChildren(extended, 'Data');
  const schemas = extended === undefined ? [] : findChildren(extended, 'SchemaData');
  for (const each of data) values.set(findAttribute(each, 'name') ?? 'data', readChildText(each, 'value'));
  for (const each of schemas.flatMap((schema) => findChildren(schema, 'SimpleData'))) {
    values.set(findAttribute(each, 'name') ?? 'data', readText(each));
  }
  return values;
}

const geometryNames = ['Point', 'LineString', 'LinearRing', 'Polygon', 'MultiGeometry'];

function findGeometry(element: XmlElement, index: number): Geometry | null {
  const found = element.children.find((child) => child.kind === 'element' && geometryNames.includes(child.local));
  return found?.kind === 'element' ? decode(found, index) : null;
}

function decode(element: XmlElement, index: number): Geometry | null {
  switch (element.local) {
    case 'MultiGeometry':
      return mergeGeometries(
        element.children.flatMap((child) =>
          child.kind === 'element' && geometryNames.includes(child.local) ? (decode(child, index) ?? []) : [],
        ),
      );
    case 'Polygon': {
      const borders = [...findChildren(element, 'outerBoundaryIs'), ...findChildren(element, 'innerBoundaryIs')];
      const rings = borders
        .flatMap((border) => findChildren(border, 'LinearRing'))
        .map((ring) => readPositions(ring, index));
      let count = 0;
      const ends = rings.map((ring) => (count += ring.length / 3));
      return rings.length === 0 ? null : createGeometry('Polygon', rings.flat(), ends);
    }
    case 'Point':
      return createGeometry('Point', readPositions(element, index).slice(0, 3), []);
    default: {
      const positions = readPositions(element, index);
      return createGeometry('LineString', positions, [positions.length / 3]);
    }
  }
}

/** Returns three numbers per position; a missing height is zero. */
function readPositions(element: XmlElement, index: number): readonly number[] {
  const tuples = (readChildText(element, 'coordinates') ?? '').split(/\s+/).filter((tuple) => tuple !== '');
  return tuples.flatMap((tuple) => {
    const [x = Number.NaN, y = Number.NaN, z = 0] = tuple
      .split(',')
      .map((part) => (part === '' ? Number.NaN : Number(part)));
    if (![x, y, z].every(Number.isFinite))
      throw new MalformedFileError(`placemark ${index + 1} has coordinates that are not numbers`);
    return [x, y, z];
  });
}

/** Most files have zero for every height, which is then dropped. */
function createGeometry(
  type: Geometry['type'],
  positions: readonly number[],
  ends: readonly number[],
): Geometry | null {
  if (positions.length === 0) return null;
  const hasHeights = positions.some((ordinate, index) => index % 3 === 2 && ordinate !== 0);
  const ordinates = hasHeights ? positions : positions.filter((_, index) => index % 3 !== 2);
  const dimension: Dimension = hasHeights ? 'XYZ' : 'XY';
  return { type, dimension, ordinates: Float64Array.from(ordinates), ends, parts: [] };
}

/** Parts of the same type become a multi geometry; others stay a collection. */
function mergeGeometries(members: readonly Geometry[]): Geometry | null {
  const [first] = members;
  if (first === undefined) return null;
  const isOneKind = members.every(({ type, dimension }) => type === first.type && dimension === first.dimension);
  if (!isOneKind || !['Point', 'LineString', 'Polygon'].includes(first.type)) {
    const dimension: Dimension = members.every((member) => member.dimension === 'XYZ') ? 'XYZ' : 'XY';
    return { type: 'GeometryCollection', dimension, ordinates: new Float64Array(), ends: [], parts: [], members };
  }
  const size = first.dimension === 'XYZ' ? 3 : 2;
  const ends: number[] = [];
  const parts: number[] = [];
  let positions = 0;
  for (const member of members) {
    for (const end of member.ends) ends.push(end + positions);
    positions += member.ordinates.length / size;
    if (first.type === 'Polygon') parts.push(ends.length);
  }
  const ordinates = Float64Array.from(members.flatMap((member) => [...member.ordinates]));
  return { type: `Multi${first.type}` as Geometry['type'], dimension: first.dimension, ordinates, ends, parts };
}
