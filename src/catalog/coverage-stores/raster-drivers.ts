/** Finds raster drivers by store type, file extension and upload format. */
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { RasterDriver } from '../../raster/port/driver.ts';
import { formatPrintableName } from '../../records/names.ts';
import { MOSAIC_FORMAT, MOSAIC_TYPE } from '../kinds/mosaic.ts';

/** Returns an empty text if no driver reads files with this extension. */
export function findTypeByExtension(drivers: readonly RasterDriver[], url: string): string {
  const lower = url.toLowerCase();
  const driver = drivers.find(({ extensions }) => extensions.some((ending) => lower.endsWith(`.${ending}`)));
  return driver?.type ?? '';
}

export function getRasterDriverByType(drivers: readonly RasterDriver[], type: string): RasterDriver {
  const lower = type.trim().toLowerCase();
  const driver = drivers.find((each) => each.type.toLowerCase() === lower);
  if (driver === undefined) {
    throw createUnknownTypeProblem(drivers, type);
  }
  return driver;
}

/** Returns the driver for an upload format. */
export function getRasterDriverByFormat(drivers: readonly RasterDriver[], format: string): RasterDriver {
  const lower = format.trim().toLowerCase();
  const driver = drivers.find((each) => each.format === lower);
  if (driver === undefined) {
    const known = [...drivers.map((each) => each.format), MOSAIC_FORMAT];
    throw problem('upload-format-unknown', { format: formatPrintableName(format), known });
  }
  return driver;
}

function createUnknownTypeProblem(drivers: readonly RasterDriver[], type: string): Problem {
  const types = [...drivers.map((each) => each.type), MOSAIC_TYPE];
  return problem('coverage-store-type-unknown', {
    type: formatPrintableName(type),
    types,
    field: 'coverageStore.type',
  });
}
