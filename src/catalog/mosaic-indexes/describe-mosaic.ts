/** Describes the coverages of a mosaic as one large image each: from its index, and from its first granule. */
import type { Bounds } from '../../crs/bounds.ts';
import type { GranuleDraft, GranuleIndex, GranuleSchema } from '../../raster/granules/port/port.ts';
import type { NewCoverage } from '../../raster/mosaic/harvest.ts';
import { createUprightTransform } from '../../raster/port/grid.ts';
import type { Band, CoverageDescription, Grid } from '../../raster/port/port.ts';
import type { Mosaic, MosaicBand, MosaicCoverage } from '../kinds/mosaic.ts';

/** Returns the stored properties of a coverage that a harvest has found, from its first granule. */
export function toMosaicCoverage(found: NewCoverage, first: Pick<GranuleDraft, 'footprint'>): MosaicCoverage {
  const { name, schema, bandTypes, description } = found;
  const { grid, bands, title = null, dimensions } = description;
  const box = computeBounds(first.footprint.ordinates);
  const units = dimensions.flatMap(({ kind, name: axis, unit }) =>
    unit === undefined ? [] : [[kind === 'custom' ? axis : kind, unit] as const],
  );
  return {
    name,
    schema,
    bandTypes,
    title,
    resolution: [(box.maxX - box.minX) / grid.width, (box.maxY - box.minY) / grid.height],
    bands: bands.map(toMosaicBand),
    units: Object.fromEntries(units),
  };
}

function toMosaicBand({ palette: _palette, noData, ...band }: Band): MosaicBand {
  return { ...band, ...(noData === undefined ? {} : { noData: String(noData) }) };
}

function fromMosaicBand({ noData, ...band }: MosaicBand): Band {
  if (noData === undefined) {
    return band;
  }
  const isWide = band.type === 'int64' || band.type === 'uint64';
  return { ...band, noData: isWide ? BigInt(noData) : Number(noData) };
}

/** Describes the dimensions without their values, which are in the index. */
export async function describeMosaicCoverage(
  { definition }: Pick<Mosaic, 'definition'>,
  coverage: MosaicCoverage,
  index: GranuleIndex,
  signal: AbortSignal,
): Promise<CoverageDescription> {
  const { name, schema, title, bands, units } = coverage;
  const bounds = definition.envelope ?? (await index.findBounds({}, signal));
  return {
    name,
    ...(title === null ? {} : { title }),
    grid: computeGrid(coverage, bounds),
    bands: bands.map(fromMosaicBand),
    overviews: [],
    dimensions: schema.domains.map((domain) => {
      const unit = units[domain.name];
      return { name: domain.name, kind: domain.kind, values: [], ...(unit === undefined ? {} : { unit }) };
    }),
    hasMask: false,
  };
}

/** Returns the grid of the whole extent with the sample size of the first granule; empty for an empty mosaic. */
function computeGrid({ schema, resolution: [x, y] }: MosaicCoverage, bounds: Bounds | undefined): Grid {
  const crs = findFootprintCrs(schema);
  if (bounds === undefined) {
    return { width: 0, height: 0, crs };
  }
  const { minX, minY, maxX, maxY } = bounds;
  const width = Math.max(1, Math.round((maxX - minX) / x));
  const height = Math.max(1, Math.round((maxY - minY) / y));
  return { width, height, transform: createUprightTransform({ width, height }, bounds), bounds, crs };
}

function findFootprintCrs({ attributes }: GranuleSchema) {
  const footprint = attributes.find(({ role }) => role === 'footprint');
  return footprint?.role === 'footprint' ? footprint.crs : {};
}

function computeBounds(ordinates: Float64Array): Bounds {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (let at = 0; at + 1 < ordinates.length; at += 2) {
    const [x = 0, y = 0] = ordinates.subarray(at, at + 2);
    box.minX = Math.min(box.minX, x);
    box.maxX = Math.max(box.maxX, x);
    box.minY = Math.min(box.minY, y);
    box.maxY = Math.max(box.maxY, y);
  }
  return box;
}
