/** The tiles that an export contains, from the options of the command. */
import {
  countExportedTiles,
  type DegreeBox,
  findTiles,
  isDegreeBox,
  MAX_EXPORTED_TILES,
  MAX_LATITUDE,
  touchesGrid,
  type ZoomTiles,
} from '../../lib/tile-archive/exported-tiles.ts';
import { CommandError } from '../client/command.ts';

export interface ExportOrder {
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: DegreeBox;
}

/** The finest level of most tile matrix sets. */
const MAX_ZOOM = 24;

export function parseZooms(text: string | undefined): Pick<ExportOrder, 'minZoom' | 'maxZoom'> {
  const [, first = '', last = first] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(text ?? '') ?? [];
  const [minZoom, maxZoom] = [Number(first), Number(last)];
  if (first !== '' && minZoom <= maxZoom && maxZoom <= MAX_ZOOM) return { minZoom, maxZoom };
  throw new CommandError(
    `Invalid --zooms '${text ?? ''}'. Use a zoom or a range of zooms from 0 to ${MAX_ZOOM}, such as 0-8.`,
  );
}

export function parseBounds(text: string): DegreeBox {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (isDegreeBox(numbers)) return numbers;
  throw new CommandError(`Invalid --bounds '${text}'. Use west, south, east and north in degrees, such as 5,45,11,48.`);
}

/** Throws if there are no tiles, or too many. */
export function listZooms({ minZoom, maxZoom, bounds }: ExportOrder): readonly ZoomTiles[] {
  if (!touchesGrid(bounds)) {
    throw new CommandError(
      `The export has no tiles: the bounds are north or south of the grid, which ends at ${MAX_LATITUDE.toFixed(2)} degrees. Use other --bounds.`,
    );
  }
  const zooms = Array.from({ length: maxZoom - minZoom + 1 }, (_, index) => findTiles(minZoom + index, bounds));
  const count = countExportedTiles(zooms);
  if (count <= MAX_EXPORTED_TILES) return zooms;
  throw new CommandError(
    `The export has ${count} tiles, and the limit is ${MAX_EXPORTED_TILES}. Use fewer zooms, or smaller --bounds.`,
  );
}
