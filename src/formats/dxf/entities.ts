/** Writes geometries as entities: points, and lines and rings as polylines. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { TextWriter } from '../writing/text-writer.ts';
import { isEmptyGeometry } from '../writing/writable-geometry.ts';
import { formatGroups, type Group } from './dxf-groups.ts';

export interface EntityTarget {
  readonly layer: string;
  /** The handle of the record of the block, or of the model space. */
  readonly owner: string;
  readonly allocate: () => string;
}

export function writeEntities(out: TextWriter, geometry: Geometry, target: EntityTarget): void {
  const { type, ends, members = [] } = geometry;
  if (type === 'GeometryCollection') {
    out.writeEach(members.length, (index) => {
      const member = members[index];
      if (member !== undefined) writeEntities(out, member, target);
    });
    return;
  }
  if (isEmptyGeometry(geometry)) return;
  const count = geometry.ordinates.length / geometry.dimension.length;
  if (type === 'Point' || type === 'MultiPoint') {
    out.writeEach(count, (index) => writePoint(out, geometry, index, target));
    return;
  }
  const isRing = type === 'Polygon' || type === 'MultiPolygon';
  if (type === 'LineString') writePolyline(out, geometry, { start: 0, end: count, isRing }, target);
  else
    out.writeEach(ends.length, (index) =>
      writePolyline(out, geometry, { start: ends[index - 1] ?? 0, end: ends[index] ?? 0, isRing }, target),
    );
}

/** The groups that every entity begins with. */
export function formatEntityHead(type: string, { layer, owner, allocate }: EntityTarget): string {
  const head: readonly Group[] = [
    [0, type],
    [5, allocate()],
    [330, owner],
    [100, 'AcDbEntity'],
    [8, layer],
  ];
  return formatGroups(head);
}

function writePoint(out: TextWriter, geometry: Geometry, index: number, target: EntityTarget): void {
  out.writeRaw(`${formatEntityHead('POINT', target)}100\nAcDbPoint\n`);
  writePosition(out, geometry, index, true);
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly isRing: boolean;
}

/** A light polyline has no heights, so lines with heights have a vertex entity for each position. */
function writePolyline(out: TextWriter, geometry: Geometry, { start, end, isRing }: Line, target: EntityTarget): void {
  // A closed polyline ends where it starts; its first position is not repeated.
  const count = Math.max(0, end - start - (isRing ? 1 : 0));
  const flags = isRing ? 1 : 0;
  if (!geometry.dimension.includes('Z')) {
    out.writeRaw(`${formatEntityHead('LWPOLYLINE', target)}100\nAcDbPolyline\n90\n${count}\n70\n${flags}\n43\n0\n`);
    out.writeEach(count, (index) => writePosition(out, geometry, start + index, false));
    return;
  }
  out.writeRaw(
    `${formatEntityHead('POLYLINE', target)}100\nAcDb3dPolyline\n66\n1\n10\n0\n20\n0\n30\n0\n70\n${flags + 8}\n`,
  );
  out.writeEach(count + 1, (index) => {
    if (index === count) {
      out.writeRaw(formatEntityHead('SEQEND', target));
      return;
    }
    out.writeRaw(`${formatEntityHead('VERTEX', target)}100\nAcDbVertex\n100\nAcDb3dPolylineVertex\n`);
    writePosition(out, geometry, start + index, true);
    out.writeRaw('70\n32\n');
  });
}

function writePosition(out: TextWriter, { ordinates, dimension }: Geometry, index: number, hasHeight: boolean): void {
  const at = index * dimension.length;
  out.writeRaw('10\n');
  out.writeNumber(ordinates[at] ?? 0);
  out.writeRaw('\n20\n');
  out.writeNumber(ordinates[at + 1] ?? 0);
  if (hasHeight) {
    const height = dimension.includes('Z') ? (ordinates[at + 2] ?? 0) : 0;
    out.writeRaw('\n30\n');
    out.writeNumber(Number.isFinite(height) ? height : 0);
  }
  out.writeRaw('\n');
}
