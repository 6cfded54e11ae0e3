/** Writes small GeoParquet files for tests, with another implementation than the one that reads them. */
import { writeFile } from 'node:fs/promises';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import type { Geometry } from '../../src/geometry/geometry.ts';
import { computeGeometryBounds } from '../../src/geometry/geometry-bounds.ts';
import { encodeWkb } from '../../src/geometry/wkb-encode.ts';

export interface GeoparquetContent {
  readonly columns: readonly ColumnSource[];
  readonly geometry?: { readonly name: string; readonly values: readonly (Geometry | null)[] };
  /** Whether the boxes of the geometries are written as columns. */
  readonly hasCovering?: boolean;
  readonly rowGroupSize?: number;
  /** Replaces parts of the metadata `geo`. */
  readonly geo?: Readonly<Record<string, unknown>>;
}

export function encodeGeoparquet(content: GeoparquetContent): Buffer {
  const { columns, geometry, hasCovering = false, rowGroupSize = 100, geo } = content;
  const columnData: ColumnSource[] = [...columns];
  const covering: Record<string, readonly string[]> = {};
  if (geometry !== undefined) {
    // Without the type GEOMETRY, as most files in use.
    const data = geometry.values.map((each) => (each === null ? null : encodeWkb(each)));
    columnData.push({ name: geometry.name, data, type: 'BYTE_ARRAY' });
    const boxes = geometry.values.map((each) => (each === null ? undefined : computeGeometryBounds(each)));
    for (const [side, name] of Object.entries({ minX: 'xmin', minY: 'ymin', maxX: 'xmax', maxY: 'ymax' } as const)) {
      if (!hasCovering) continue;
      const values = boxes.map((box) => box?.[side as 'minX'] ?? null);
      columnData.push({ name: `box_${name}`, data: values, type: 'DOUBLE' });
      covering[name] = [`box_${name}`];
    }
  }
  const described = {
    version: '1.1.0',
    primary_column: geometry?.name,
    columns: {
      [geometry?.name ?? '']: {
        encoding: 'WKB',
        geometry_types: [],
        ...(hasCovering ? { covering: { bbox: covering } } : {}),
      },
    },
    ...geo,
  };
  return Buffer.from(
    parquetWriteBuffer({
      columnData,
      rowGroupSize,
      pageSize: 2_000,
      ...(geometry === undefined ? {} : { kvMetadata: [{ key: 'geo', value: JSON.stringify(described) }] }),
    }),
  );
}

export async function writeGeoparquet(path: string, content: GeoparquetContent): Promise<void> {
  await writeFile(path, encodeGeoparquet(content));
}
