/** Limits coverages and cascaded pictures to the areas of data rules: everything outside has no data. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import { toSimpleParts } from '../../geometry/simple-parts.ts';
import { decodeWkt } from '../../geometry/wkt-decode.ts';
import type { CoverageRequest, PictureWindow } from '../../raster/pictures/read-pictures.ts';
import type { GridTransform, RasterSize } from '../../raster/port/port.ts';
import type { DrawnCoverage } from '../../rendering/request/map-request.ts';
import type { Restriction } from '../../security/data-rules/restriction.ts';

/** Rows that are masked between two turns of the event loop. */
const ROWS_AT_ONCE = 256;

/** Returns the source within the areas of the rules; unchanged if one of them has no area. */
export function restrictRaster<S extends Pick<DrawnCoverage, 'read' | 'find'>>(
  source: S,
  restriction: Restriction | undefined,
): S {
  // Conditions on rows and attributes cannot be evaluated for rasters, so that such rules show nothing.
  const rules = restriction?.rules.filter(
    ({ rows, attributes }) => rows === undefined && !Object.values(attributes).includes('hide'),
  );
  if (rules === undefined || rules.some(({ area }) => area === null)) return source;
  const areas = rules.flatMap(({ area }) => (area === null ? [] : [area]));
  const { find } = source;
  const isInside = async (bounds: Bounds, crs: CrsReference): Promise<boolean> =>
    (await drawAreas(areas, { bounds, crs, width: 1, height: 1 }))[0] === 255;
  return {
    ...source,
    read: async (request: CoverageRequest, signal: AbortSignal) => {
      const { bounds, width, height, transform } = request.target;
      const inside = await drawAreas(areas, { bounds, crs: request.crs, width, height, transform });
      if (!inside.includes(255)) return undefined;
      const picture = await source.read(request, signal);
      return picture && maskPicture(picture, inside);
    },
    ...(find === undefined
      ? {}
      : {
          find: async (pixel: Parameters<typeof find>[0], count: number, signal: AbortSignal) => {
            const found = await find(pixel, count, signal);
            return (await isInside(pixel.bounds, pixel.crs)) ? found : { ...found, features: [] };
          },
        }),
  };
}

interface RasterFrame extends RasterSize {
  readonly bounds: Bounds;
  readonly crs: CrsReference;
  /** The transform of a rotated picture. */
  readonly transform?: GridTransform | undefined;
}

/** Returns 255 for each pixel whose centre is inside one of the areas, row by row from the top. */
async function drawAreas(
  areas: readonly { readonly geometry: string; readonly crs: string }[],
  frame: RasterFrame,
): Promise<Uint8Array> {
  const inside = new Uint8Array(frame.width * frame.height);
  for (const { geometry, crs } of areas) {
    const reprojection = await createReprojection({ code: crs }, frame.crs);
    const area = decodeWkt(geometry);
    const placed = reprojection === undefined ? area : await reprojection.reprojectGeometryInTurns(area);
    // An area outside of the domain of the requested CRS has no pixels.
    if (placed === null) continue;
    const lines = toSimpleParts(placed).flatMap((part) => part.lines);
    const { transform, width, height } = frame;
    if (transform === undefined) await fillArea(inside, lines, frame);
    else
      await fillArea(
        inside,
        lines.map((line) => toPixels(line, transform)),
        { ...toPixelFrame(frame), width, height },
      );
  }
  return inside;
}

/** Converts positions to columns and negative rows of a rotated picture, whose lines stay straight. */
function toPixels(line: Float64Array, transform: GridTransform): Float64Array {
  const { originX, columnX, rowX, originY, columnY, rowY } = transform;
  const area = columnX * rowY - rowX * columnY;
  return line.map((ordinate, at) => {
    const isX = at % 2 === 0;
    const [x, y] = isX ? [ordinate, line[at + 1] ?? 0] : [line[at - 1] ?? 0, ordinate];
    const [dx, dy] = [x - originX, y - originY];
    return isX ? (dx * rowY - dy * rowX) / area : -(dy * columnX - dx * columnY) / area;
  });
}

function toPixelFrame({ width, height }: RasterSize): Pick<RasterFrame, 'bounds'> {
  return { bounds: { minX: 0, maxX: width, minY: -height, maxY: 0 } };
}

async function fillArea(
  inside: Uint8Array,
  lines: readonly Float64Array[],
  { bounds, width, height }: RasterSize & Pick<RasterFrame, 'bounds'>,
): Promise<void> {
  const rowHeight = (bounds.maxY - bounds.minY) / height;
  const columnWidth = (bounds.maxX - bounds.minX) / width;
  const crossings: number[][] = Array.from({ length: height }, () => []);
  for (const line of lines) {
    for (let at = 0; at + 3 < line.length; at += 2) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = line.subarray(at, at + 4);
      const [low, high] = y1 < y2 ? [y1, y2] : [y2, y1];
      const first = Math.max(0, Math.ceil((bounds.maxY - high) / rowHeight - 0.5));
      const last = Math.min(height - 1, Math.floor((bounds.maxY - low) / rowHeight - 0.5));
      for (let row = first; row <= last; row += 1) {
        const y = bounds.maxY - (row + 0.5) * rowHeight;
        // Half-open edges, so that a shared corner counts once.
        if (y > low && y <= high) crossings[row]?.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
      }
    }
  }
  for (const [row, xs] of crossings.entries()) {
    if (row % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await othersFirst();
    xs.sort((a, b) => a - b);
    for (let at = 0; at + 1 < xs.length; at += 2) {
      const from = Math.max(0, Math.ceil(((xs[at] ?? 0) - bounds.minX) / columnWidth - 0.5));
      const to = Math.min(width - 1, Math.floor(((xs[at + 1] ?? 0) - bounds.minX) / columnWidth - 0.5));
      if (from <= to) inside.fill(255, row * width + from, row * width + to + 1);
    }
  }
}

/** Masked samples are also overwritten, because some formats have no mask. */
function maskPicture(picture: PictureWindow, inside: Uint8Array): PictureWindow {
  const bands = picture.bands.map(({ samples, mask }, index) => {
    const { noData } = picture.described[index] ?? {};
    const hidden = samples.slice();
    const visible = mask === undefined ? inside.slice() : mask.slice();
    for (let at = 0; at < inside.length; at += 1) {
      if (inside[at] === 255) continue;
      visible[at] = 0;
      // The value has the type of the samples.
      hidden[at] = (noData ?? (hidden instanceof BigInt64Array || hidden instanceof BigUint64Array ? 0n : 0)) as never;
    }
    return { samples: hidden, mask: visible };
  });
  return { ...picture, bands };
}
