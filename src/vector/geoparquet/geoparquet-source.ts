/** GeoParquet files behind the vector port. */
import type { Bounds } from '../../crs/bounds.ts';
import { mergeBounds } from '../../geometry/geometry-bounds.ts';
import type { RangeChannel } from '../../remote/channel.ts';
import type { FeatureTypeDescription, VectorSource } from '../port/port.ts';
import type { DataFile } from '../support/data-file.ts';
import { openRemoteRowFile, openRowFile, openRowFolder, type RowFormat } from '../support/row-source.ts';
import { findGroupBox } from './group-boxes.ts';
import { readFeatures } from './read-rows.ts';
import { loadRowBoxes } from './row-boxes.ts';
import { type GeoparquetTable, readTable } from './table.ts';

const geoparquet: RowFormat<GeoparquetTable> = {
  title: 'GeoParquet',
  extension: 'parquet',
  readTable,
  describe: describeTable,
  countRows: async (_, { footer }) => footer.rowCount,
  readFeatures,
};

export function openGeoparquetFile(path: string): VectorSource {
  return openRowFile(geoparquet, path);
}

export function openGeoparquetFolder(folder: string): VectorSource {
  return openRowFolder(geoparquet, folder);
}

export function openRemoteGeoparquet(url: string, channel: RangeChannel | undefined): VectorSource {
  return openRemoteRowFile(geoparquet, url, channel);
}

async function describeTable(
  file: DataFile,
  table: GeoparquetTable,
  signal: AbortSignal,
): Promise<FeatureTypeDescription> {
  const { name, attributes, footer, primary, warnings } = table;
  const bounds = primary && (primary.bounds ?? (await computeBounds(file, table, signal)));
  return {
    name,
    attributes,
    count: footer.rowCount,
    ...(primary === undefined ? {} : { defaultGeometry: primary.name }),
    ...(bounds === undefined ? {} : { bounds }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** From statistics, or from the geometries of row groups without them. */
async function computeBounds(
  file: DataFile,
  { footer, primary }: GeoparquetTable,
  signal: AbortSignal,
): Promise<Bounds | undefined> {
  let bounds: Bounds | undefined;
  if (primary === undefined) return undefined;
  for (const group of footer.rowGroups) {
    const known = findGroupBox(group, primary);
    bounds = mergeBounds(bounds, known);
    if (known !== undefined) continue;
    const boxes = await loadRowBoxes(file, group, primary, signal);
    for (let at = 0; at < boxes.length; at += 4) {
      const [minX = Number.NaN, minY = 0, maxX = 0, maxY = 0] = boxes.subarray(at, at + 4);
      if (!Number.isNaN(minX)) bounds = mergeBounds(bounds, { minX, minY, maxX, maxY });
    }
  }
  return bounds;
}
