/** Transforms granule outlines to the CRS of their coverage. */
import { areSameCrs, formatCrsLabel } from '../../crs/are-same-crs.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import { createTransformer, type Position, type Transformer } from '../../crs/transformer.ts';
import type { Geometry } from '../../geometry/geometry.ts';

/** Straight edges are curves in another CRS: each is split into this many segments. */
const EDGE_PARTS = 8;

/** A footprint, or the reason why there is none, which completes a sentence about the file. */
export type Footprint = { readonly footprint: Geometry } | { readonly reason: string };

/** Creates a footprint from the x and y values of an outline. */
export type FootprintMaker = (outline: readonly number[]) => Footprint;

/** Looks up the transformation once for many outlines. */
export async function createFootprintMaker(from: CrsReference, to: CrsReference): Promise<FootprintMaker> {
  if (await areSameCrs(from, to)) return (outline) => checkFootprint(toPolygon(outline));
  const [source, target] = [await findTransformer(from), await findTransformer(to)];
  if (source === undefined || target === undefined) {
    const reason = `its coordinate reference system (${formatCrsLabel(from)}) cannot be transformed to that of the coverage (${formatCrsLabel(to)})`;
    return () => ({ reason });
  }
  return (outline) => {
    const positions = densifyOutline(outline).map((position) => {
      const place = source.toLongitudeLatitude(position);
      return place === undefined ? undefined : target.fromLongitudeLatitude(place);
    });
    const computed = positions.flatMap((position) => position ?? []);
    return computed.length === positions.length * 2
      ? checkFootprint(toPolygon(computed))
      : {
          reason: `part of it is outside the domain of ${formatCrsLabel(to)}, the coordinate reference system of the coverage`,
        };
  };
}

async function findTransformer(crs: CrsReference): Promise<Transformer | undefined> {
  const definition = await resolveCrs(crs);
  return definition?.model === undefined ? undefined : createTransformer(definition.model);
}

function densifyOutline(outline: readonly number[]): readonly Position[] {
  const corners = outline.length / 2;
  const at = (corner: number): Position => {
    const index = (corner % corners) * 2;
    return [outline[index] ?? 0, outline[index + 1] ?? 0];
  };
  return Array.from({ length: corners * EDGE_PARTS }, (_, step) => {
    const part = (step % EDGE_PARTS) / EDGE_PARTS;
    const [[x, y], [nextX, nextY]] = [at(Math.floor(step / EDGE_PARTS)), at(Math.floor(step / EDGE_PARTS) + 1)];
    return [x + (nextX - x) * part, y + (nextY - y) * part];
  });
}

/** Closes the ring. */
function toPolygon(outline: readonly number[]): Geometry {
  const ordinates = Float64Array.from([...outline, ...outline.slice(0, 2)]);
  return { type: 'Polygon', dimension: 'XY', ordinates, ends: [ordinates.length / 2], parts: [1] };
}

function checkFootprint(footprint: Geometry): Footprint {
  return footprint.ordinates.every(Number.isFinite) ? { footprint } : { reason: 'its footprint is invalid' };
}
