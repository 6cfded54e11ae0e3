/** Writes GML geometries: coordinate tuples in version 2, number lists in version 3, with ids in 3.2. */

import type { Geometry } from '../../geometry/geometry.ts';
import type { GmlVersion } from '../../geometry/gml/version.ts';
import { escapeAttribute } from '../../lib/xml/escape.ts';
import type { WrittenCrs } from '../port/port.ts';
import type { TextWriter } from '../writing/text-writer.ts';
import { isEmptyGeometry } from '../writing/writable-geometry.ts';

export interface GmlForm {
  readonly version: GmlVersion;
  readonly isNorthFirst: boolean;
  /** The attribute of the outermost element, with a leading space. */
  readonly srsName: string;
}

export function createGmlForm(version: GmlVersion, { name, isNorthFirst }: Omit<WrittenCrs, 'reference'>): GmlForm {
  return { version, isNorthFirst, srsName: name === undefined ? '' : ` srsName="${escapeAttribute(name)}"` };
}

/** The elements that contain the parts of each type, in versions 2 and 3. */
const containers = {
  MultiPoint: { 2: ['MultiPoint', 'pointMember'], 3: ['MultiPoint', 'pointMember'] },
  MultiLineString: { 2: ['MultiLineString', 'lineStringMember'], 3: ['MultiCurve', 'curveMember'] },
  MultiPolygon: { 2: ['MultiPolygon', 'polygonMember'], 3: ['MultiSurface', 'surfaceMember'] },
} as const;

/** Version 2 requires at least one part, and no version has an empty point. */
export function isWritable(geometry: Geometry, version: GmlVersion): boolean {
  if (!isEmptyGeometry(geometry)) return true;
  return version !== '2.1.2' && (geometry.type.startsWith('Multi') || geometry.type === 'GeometryCollection');
}

/** `id` is the id of the element, which 3.2 requires; parts have numbered ids. Measures are omitted. */
export function writeGeometryGml(out: TextWriter, geometry: Geometry, form: GmlForm, id: string): void {
  const dimension = form.version === '2.1.2' ? '' : ` srsDimension="${getDimensionCount(geometry)}"`;
  writeElement(out, geometry, { form, id, attributes: `${form.srsName}${dimension}` });
}

function getDimensionCount({ dimension, members = [] }: Geometry): 2 | 3 {
  return dimension.includes('Z') && members.every((member) => getDimensionCount(member) === 3) ? 3 : 2;
}

interface GmlElement {
  readonly form: GmlForm;
  readonly id: string;
  /** With a leading space. */
  readonly attributes: string;
}

function writeElement(out: TextWriter, geometry: Geometry, element: GmlElement): void {
  const { form, id, attributes } = element;
  const { type, dimension, ordinates, ends, parts, members = [] } = geometry;
  const writeStart = (name: string): void => out.writeRaw(`<gml:${name}${formatId(form, id)}${attributes}>`);
  const count = ordinates.length / dimension.length;
  switch (type) {
    case 'Point':
      writeStart('Point');
      writePositions(out, geometry, 0, 1, form);
      out.writeRaw('</gml:Point>');
      return;
    case 'LineString':
      writeStart('LineString');
      writePositions(out, geometry, 0, count, form);
      out.writeRaw('</gml:LineString>');
      return;
    case 'Polygon':
      writeStart('Polygon');
      writeRings(out, geometry, 0, ends.length, form);
      out.writeRaw('</gml:Polygon>');
      return;
    case 'MultiPoint':
      writeParts(out, { type, count }, element, (part, tag) => {
        out.writeRaw(`<gml:Point${tag}>`);
        writePositions(out, geometry, part, part + 1, form);
        out.writeRaw('</gml:Point>');
      });
      return;
    case 'MultiLineString':
      writeParts(out, { type, count: ends.length }, element, (part, tag) => {
        out.writeRaw(`<gml:LineString${tag}>`);
        writePositions(out, geometry, ends[part - 1] ?? 0, ends[part] ?? 0, form);
        out.writeRaw('</gml:LineString>');
      });
      return;
    case 'MultiPolygon':
      writeParts(out, { type, count: parts.length }, element, (part, tag) => {
        out.writeRaw(`<gml:Polygon${tag}>`);
        writeRings(out, geometry, parts[part - 1] ?? 0, parts[part] ?? 0, form);
        out.writeRaw('</gml:Polygon>');
      });
      return;
    case 'GeometryCollection':
      writeStart('MultiGeometry');
      out.writeEach(members.length, (index) => {
        const member = members[index];
        if (member === undefined || !isWritable(member, form.version)) return;
        out.writeRaw('<gml:geometryMember>');
        writeElement(out, member, { form, id: `${id}.${index + 1}`, attributes: '' });
        out.writeRaw('</gml:geometryMember>');
      });
      out.writeRaw('</gml:MultiGeometry>');
  }
}

function formatId({ version }: GmlForm, id: string): string {
  return version === '3.2.1' ? ` gml:id="${id}"` : '';
}

function writeParts(
  out: TextWriter,
  { type, count }: { readonly type: keyof typeof containers; readonly count: number },
  { form, id, attributes }: GmlElement,
  writePart: (part: number, tag: string) => void,
): void {
  const [container, member] = containers[type][form.version === '2.1.2' ? 2 : 3];
  out.writeRaw(`<gml:${container}${formatId(form, id)}${attributes}>`);
  out.writeEach(count, (part) => {
    out.writeRaw(`<gml:${member}>`);
    writePart(part, formatId(form, `${id}.${part + 1}`));
    out.writeRaw(`</gml:${member}>`);
  });
  out.writeRaw(`</gml:${container}>`);
}

function writeRings(out: TextWriter, geometry: Geometry, from: number, to: number, form: GmlForm): void {
  const [outline, hole] = form.version === '2.1.2' ? ['outerBoundaryIs', 'innerBoundaryIs'] : ['exterior', 'interior'];
  out.writeEach(to - from, (index) => {
    const ring = from + index;
    const border = index === 0 ? outline : hole;
    out.writeRaw(`<gml:${border}><gml:LinearRing>`);
    writePositions(out, geometry, geometry.ends[ring - 1] ?? 0, geometry.ends[ring] ?? 0, form);
    out.writeRaw(`</gml:LinearRing></gml:${border}>`);
  });
}

function writePositions(
  out: TextWriter,
  { type, ordinates, dimension }: Geometry,
  start: number,
  end: number,
  { version, isNorthFirst }: GmlForm,
): void {
  const list = type === 'Point' || type === 'MultiPoint' ? 'pos' : 'posList';
  const isTuples = version === '2.1.2';
  const within = isTuples ? ',' : ' ';
  const size = dimension.length;
  const hasHeights = dimension === 'XYZ' || dimension === 'XYZM';
  out.writeRaw(isTuples ? '<gml:coordinates decimal="." cs="," ts=" ">' : `<gml:${list}>`);
  out.writeEach(end - start, (index) => {
    const at = (start + index) * size;
    const x = ordinates[at] ?? 0;
    const y = ordinates[at + 1] ?? 0;
    if (index > 0) out.writeRaw(' ');
    out.writeNumber(isNorthFirst ? y : x);
    out.writeRaw(within);
    out.writeNumber(isNorthFirst ? x : y);
    if (hasHeights) {
      const z = ordinates[at + 2] ?? 0;
      out.writeRaw(within);
      // All positions of a list have the same dimension, so a missing height is written as 0.
      out.writeNumber(Number.isFinite(z) ? z : 0);
    }
  });
  out.writeRaw(isTuples ? '</gml:coordinates>' : `</gml:${list}>`);
}
