/** Warps an image of another server to the grid of a map in a thread, with a reprojection if necessary. */

import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Task } from '../../workers/task.ts';
import { markTransferable } from '../../workers/transferables.ts';
import { createGrid, createUprightTransform } from '../port/grid.ts';
import type { Band, RasterSize, RasterSource, RasterWindow, WindowRequest } from '../port/port.ts';
import { computeSamplePositions, resolvePositions } from '../support/sampling.ts';
import { readWarped, type WarpRequest } from '../warp/read-warped.ts';
import type { CoverageRequest, PictureWindow } from './read-pictures.ts';
import { hideOutside } from './visible-areas.ts';
import { limitToAreas } from './visible-samples.ts';

/** Red, green, blue and alpha of each pixel, row by row. */
export interface RemotePicture extends RasterSize {
  readonly pixels: Uint8Array;
  readonly bounds: Bounds;
  readonly crs: CrsReference;
}

export interface WarpInput {
  readonly picture: RemotePicture;
  readonly request: WarpRequest & Pick<CoverageRequest, 'areas'>;
}

const CHANNELS = 4;

export const pictureBands: readonly Band[] = (['red', 'green', 'blue', 'alpha'] as const).map((name) => ({
  name,
  type: 'uint8',
  colorInterpretation: name,
}));

export const warpPictureTask: Task<WarpInput, PictureWindow> = {
  module: import.meta.url,
  name: 'warpPicture',
  work: warpPicture,
};

/** To abort, the pool ends the thread. */
const neverAborted = new AbortController().signal;

export async function warpPicture({ picture, request }: WarpInput): Promise<PictureWindow> {
  const { width, height, bounds, crs } = picture;
  const grid = createGrid({ width, height }, createUprightTransform({ width, height }, bounds), crs);
  const description = { name: 'picture', grid, bands: pictureBands, overviews: [], dimensions: [], hasMask: false };
  const source: Pick<RasterSource, 'read'> = { read: async (_, window) => readPictureWindow(picture, window) };
  const read = await readWarped(limitToAreas(source, description, request), description, request, neverAborted);
  const places = request.bands ?? pictureBands.map((_, index) => index);
  const described = places.flatMap((place) => pictureBands[place] ?? []);
  if (request.areas !== undefined) await hideOutside({ ...read, described }, request, request.areas);
  const buffers = read.bands.flatMap(({ samples, mask }) => [samples.buffer, mask.buffer]);
  return markTransferable(
    { ...read, described },
    buffers.filter((buffer) => buffer instanceof ArrayBuffer),
  );
}

function readPictureWindow(picture: RemotePicture, request: WindowRequest): RasterWindow {
  const { columns, rows } = computeSamplePositions(picture, picture, resolvePositions(request, picture));
  const bands = (request.bands ?? []).map((band) => {
    const samples = new Uint8Array(columns.length * rows.length);
    let at = 0;
    for (const row of rows) {
      for (const column of columns) {
        samples[at] = picture.pixels[(row * picture.width + column) * CHANNELS + band] ?? 0;
        at += 1;
      }
    }
    return { samples };
  });
  return { width: columns.length, height: rows.length, bands };
}
