/** Reads one image from several files in a thread. */
import type { Transferable } from 'node:worker_threads';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { WrittenArea } from '../../geometry/written-area.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { RangeChannel } from '../../remote/channel.ts';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import type { Task } from '../../workers/task.ts';
import { markTransferable } from '../../workers/transferables.ts';
import { openRasterSource } from '../drivers.ts';
import type { Band, BandWindow, CoverageDescription, RasterSource, RasterWindow } from '../port/port.ts';
import { createEmptyPicture, type MutableBand } from '../warp/picture-buffer.ts';
import { readWarped, type WarpRequest } from '../warp/read-warped.ts';
import { findFootprint } from './companion-footprint.ts';
import { type DimensionOptions, findSlice } from './dimension-options.ts';
import { createBandMerge, type Merging } from './merge-bands.ts';
import type { FileOutline } from './outline-pixels.ts';
import { cutToOutline, fillBackground, findColorBands, maskColor, type ReadingRules } from './reading-rules.ts';
import { hideOutside } from './visible-areas.ts';
import { limitToAreas } from './visible-samples.ts';

/** A coverage in a file; the main thread has already checked access to it. */
export interface PictureFile {
  /** The type of its driver. */
  readonly type: string;
  /** Or a URL. */
  readonly path: string;
  /** By its name, or by its number among all images of the file, as in mosaics. */
  readonly picture:
    | { readonly name: string; readonly dimensions?: readonly DimensionOptions[] }
    | { readonly number: number };
  /** Pixels outside it, or outside a companion footprint, are transparent; none by default. */
  readonly outline?: FileOutline;
}

/** The visible one of several overlapping images. `random` is any of them. */
export type Overlap = 'latestOnTop' | 'earliestOnTop' | 'average' | 'random';

/** A request for a coverage, which may have several files. */
export interface CoverageRequest extends WarpRequest {
  /** That of the configuration by default. */
  readonly overlap?: Overlap | undefined;
  /** Samples outside of these areas have no data; absent if all are visible. */
  readonly areas?: readonly WrittenArea[];
}

export interface PicturesRequest extends WarpRequest {
  /** At least one. */
  readonly files: readonly PictureFile[];
  /** Where several files have data, the first one is shown by default. */
  readonly merging?: Merging;
  readonly rules?: ReadingRules;
  readonly areas?: readonly WrittenArea[];
  /** Reads files with URLs. */
  readonly channel?: RangeChannel;
}

export interface PictureWindow extends RasterWindow {
  /** The requested bands of the first file. */
  readonly described: readonly Band[];
}

export const readPicturesTask: Task<PicturesRequest, PictureWindow> = {
  module: import.meta.url,
  name: 'readPictures',
  work: readPictures,
};

/** To abort, the pool ends the thread. */
const neverAborted = new AbortController().signal;

export async function readPictures({
  files,
  rules = {},
  merging = 'first',
  areas,
  channel,
  ...request
}: PicturesRequest): Promise<PictureWindow> {
  let whole: PictureLayer | undefined;
  let merges: readonly ((lower: MutableBand) => void)[] = [];
  for (const file of files) {
    const layer = await readFilePicture(file, { ...request, areas, channel }, rules);
    if (whole === undefined) {
      whole = layer;
      merges = layer.bands.map((band, index) => createBandMerge(band, layer.described[index], merging));
    } else {
      for (const [index, lower] of layer.bands.entries()) merges[index]?.(lower);
    }
    if (merging === 'first' && isFull(whole)) break;
  }
  if (whole === undefined) throw new Error('The coverage has no file to read.');
  if (rules.background !== undefined) await fillBackground(whole, request, rules.background);
  if (rules.outputTransparent !== undefined) maskColor(whole, rules.outputTransparent);
  if (areas !== undefined) await hideOutside(whole, request, areas);
  // Additional bands are after the requested ones.
  const count = request.bands?.length ?? whole.bands.length;
  const { width, height } = whole;
  const bands = whole.bands.slice(0, count).map(dropFullMask);
  const picture = { width, height, bands, described: whole.described.slice(0, count) };
  return markTransferable(picture, collectBuffers(picture));
}

interface PictureLayer extends PictureWindow {
  readonly bands: readonly MutableBand[];
  /** The positions of the bands with colours. */
  readonly colored: readonly number[];
}

async function readFilePicture(
  { type, path, picture, outline }: PictureFile,
  {
    areas,
    channel,
    ...request
  }: WarpRequest & {
    readonly areas: readonly WrittenArea[] | undefined;
    readonly channel: RangeChannel | undefined;
  },
  { inputTransparent, outputTransparent }: ReadingRules,
): Promise<PictureLayer> {
  const source = await openRasterSource({ type, path }, channel);
  try {
    const { description, slice } = await findPicture(source, picture);
    const requested = request.bands ?? description.bands.map((_, index) => index);
    const hasColors = inputTransparent !== undefined || outputTransparent !== undefined;
    const colors = hasColors ? findColorBands(description.bands) : [];
    const bands = [...new Set([...requested, ...colors])];
    const read =
      slice === undefined
        ? createEmptyPicture(description, request.target, { ...request, bands })
        : await readWarped(
            limitToAreas(source, description, { ...request, areas }),
            description,
            { ...request, bands, slice },
            neverAborted,
          );
    const described = bands.flatMap((place) => description.bands[place] ?? []);
    const layered = { ...read, described, colored: colors.map((place) => bands.indexOf(place)) };
    if (inputTransparent !== undefined) maskColor(layered, inputTransparent);
    if (outline !== undefined) {
      await cutToOutline(layered, request, (await findCompanionOutline(path, description.grid.crs)) ?? outline);
    }
    return layered;
  } finally {
    await source.close();
  }
}

/** Remote files have no companion files. */
async function findCompanionOutline(path: string, crs: CrsReference): Promise<FileOutline | undefined> {
  return parseRemoteUrl(path) === undefined ? findFootprint(path, crs) : undefined;
}

interface FoundPicture {
  readonly description: CoverageDescription;
  /** Undefined if it has none of the requested values. */
  readonly slice: Readonly<Record<string, number>> | undefined;
}

async function findPicture(source: RasterSource, picture: PictureFile['picture']): Promise<FoundPicture> {
  if ('name' in picture) {
    const description = await source.describe(picture.name, neverAborted);
    if (description === undefined) throw problem('raster-coverage-unknown', { name: picture.name });
    return { description, slice: findSlice(description.dimensions, picture.dimensions ?? []) };
  }
  let before = 0;
  for (const { name } of await source.listCoverages(neverAborted)) {
    // Unreadable variables are not counted.
    const description = await source.describe(name, neverAborted).catch(() => undefined);
    if (description === undefined) continue;
    const count = description.dimensions.reduce((product, { values }) => product * values.length, 1);
    if (picture.number < before + count) return { description, slice: toSlice(description, picture.number - before) };
    before += count;
  }
  throw problem('raster-coverage-unknown', { name: `number ${picture.number}` });
}

/** The last dimension varies fastest. */
function toSlice({ dimensions }: CoverageDescription, number: number): Readonly<Record<string, number>> {
  let rest = number;
  const places = dimensions.toReversed().map(({ name, values }) => {
    const place = rest % values.length;
    rest = Math.floor(rest / values.length);
    return [name, place] as const;
  });
  return Object.fromEntries(places);
}

/** A mask without gaps is as large as a band of bytes, and says nothing. */
function dropFullMask({ samples, mask }: MutableBand): BandWindow {
  return mask.includes(0) ? { samples, mask } : { samples };
}

function isFull({ bands }: PictureLayer): boolean {
  return bands.every(({ mask }) => !mask.includes(0));
}

function collectBuffers({ bands }: Pick<PictureWindow, 'bands'>): readonly Transferable[] {
  const buffers = bands.flatMap(({ samples, mask }) => [samples.buffer, ...(mask === undefined ? [] : [mask.buffer])]);
  return [...new Set(buffers)].filter((buffer) => buffer instanceof ArrayBuffer);
}
