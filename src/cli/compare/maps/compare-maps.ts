/** Requests maps of a layer from both servers and compares them. */
import type { GeographicBox } from '../capabilities/published-layer.ts';
import type { ComparedServer } from '../http/compared-server.ts';
import { comparePair, hasFailed, type Reading } from '../model/reading.ts';
import type { Detail, MapArea } from '../model/report.ts';
import { comparePictures, type PictureComparison } from './compare-pictures.ts';
import { createMapBox, createMapQuery } from './map-request.ts';
import { decodePng, encodePng, type Picture } from './picture-library.ts';

export interface MapComparison {
  readonly details: readonly Detail[];
  /** The pictures as PNG by area; those of a server that failed are missing. */
  readonly pictures: readonly AreaPictures[];
}

export interface AreaPictures {
  readonly area: MapArea;
  readonly old: Buffer | undefined;
  readonly new: Buffer | undefined;
  readonly difference: Buffer | undefined;
}

interface MapTask {
  readonly old: ComparedServer;
  readonly new: ComparedServer;
  readonly layer: string;
  readonly box: GeographicBox;
  /** Percent of the drawn pixels. */
  readonly tolerance: number;
  readonly keepsPictures: boolean;
}

const areas: readonly MapArea[] = ['whole', 'inner'];

export async function compareMaps(task: MapTask): Promise<MapComparison> {
  const compared = await Promise.all(areas.map((area) => compareArea(task, area)));
  return {
    details: compared.flatMap(({ details }) => details),
    pictures: task.keepsPictures ? compared.map(({ pictures }) => pictures) : [],
  };
}

async function compareArea(task: MapTask, area: MapArea) {
  const query = createMapQuery(task.layer, createMapBox(task.box, area));
  const [old, renewed] = await Promise.all([readMap(task.old, query), readMap(task.new, query)]);
  let comparison: PictureComparison | undefined;
  const details = comparePair({ old, new: renewed }, { check: 'map', service: 'WMS' }, (before, after) => {
    comparison = comparePictures(before.picture, after.picture);
    return describeDifference(comparison, area, task.tolerance);
  });
  const difference = comparison && task.keepsPictures ? await encodePng(comparison.difference) : undefined;
  const bytesOf = (reading: Reading<ReceivedMap>) => (hasFailed(reading) ? undefined : reading.value.bytes);
  return { details, pictures: { area, old: bytesOf(old), new: bytesOf(renewed), difference } };
}

interface ReceivedMap {
  readonly bytes: Buffer;
  readonly picture: Picture;
}

async function readMap(
  server: ComparedServer,
  query: Parameters<ComparedServer['get']>[1],
): Promise<Reading<ReceivedMap>> {
  const reading = await server.get('/wms', query);
  if (hasFailed(reading)) return reading;
  const { bytes } = reading.value;
  try {
    return { value: { bytes, picture: await decodePng(bytes) } };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Exported for tests. */
export function describeDifference(
  { drawnPixels, differentPixels, isOldEmpty, isNewEmpty }: PictureComparison,
  area: MapArea,
  tolerance: number,
): readonly Detail[] {
  const name = area === 'whole' ? 'The map of the whole box' : 'The map of the inner quarter';
  const origin = { check: 'map', service: 'WMS' } as const;
  if (isOldEmpty !== isNewEmpty && differentPixels > 0) {
    const message = `${name} is empty on the ${isOldEmpty ? 'old' : 'new'} server only.`;
    return [{ ...origin, code: 'map-empty', message }];
  }
  const share = drawnPixels === 0 ? 0 : (differentPixels / drawnPixels) * 100;
  if (share <= tolerance) return [];
  const message = `${name}: ${Number(share.toFixed(1))} % of the drawn pixels differ.`;
  return [{ ...origin, code: 'map-differs', message }];
}
