/** Opens the coverage of a published layer for reading. */

import { createHash } from 'node:crypto';
import type { ValueSelection } from '../../catalog/coverage-stores/dimension-values.ts';
import type { RasterData } from '../../catalog/coverage-stores/raster-data.ts';
import type { PictureRequest } from '../../catalog/coverage-stores/read-picture.ts';
import {
  readColor,
  readFootprints,
  readMerging,
  readNumbers,
  readOrder,
} from '../../catalog/coverages/reading-parameters.ts';
import { type Coverage, type CoverageBand, coverageKind } from '../../catalog/kinds/coverage.ts';
import { type CoverageStore, coverageStoreKind } from '../../catalog/kinds/coverage-store.ts';
import { getBoundsCrs, type Resource } from '../../catalog/kinds/resource.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { DimensionOptions, DimensionValue } from '../../raster/pictures/dimension-options.ts';
import type { CoverageRequest, PictureWindow } from '../../raster/pictures/read-pictures.ts';
import type { ReadingRules } from '../../raster/pictures/reading-rules.ts';
import type { Band, CoverageDescription, Grid } from '../../raster/port/port.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { listVisibleAreas } from './list-visible-areas.ts';
import type { MapLayer } from './published-map.ts';

export interface CoverageServices {
  readonly catalog: CatalogReader;
  readonly rasterData: Pick<
    RasterData,
    'describe' | 'readPicture' | 'readStoredPicture' | 'listDimensionValues' | 'measureAreas'
  >;
}

export interface OpenedCoverage {
  readonly name: string;
  readonly coverage: Coverage;
  /** The description of the current data, with the published CRS. */
  readonly description: CoverageDescription;
  readonly bands: readonly (Band & { readonly publishedName?: string })[];
  /** The domain of an axis other than x and y. */
  values(axis: string, wanted: ValueSelection): Promise<readonly DimensionValue[]>;
  /** The same coverage, restricted to granules with these values. */
  selectDimensions(dimensions: readonly DimensionOptions[]): OpenedCoverage;
  /** Returns a box around the visible areas in the CRS of the description: null for none, undefined for no limit. */
  measureVisible(signal: AbortSignal): Promise<Bounds | null | undefined>;
  /** Returns a text that changes with the visible data; undefined if other programs can change the data. */
  identify(): string | undefined;
  /** Undefined if the coverage has no data, or nothing of it is visible. */
  read(request: CoverageRequest, signal: AbortSignal): Promise<PictureWindow | undefined>;
}

/** Returns undefined for resources that are not coverages. */
export async function openCoverage(
  { catalog, rasterData }: CoverageServices,
  { resource, restriction }: Pick<MapLayer, 'resource' | 'restriction'>,
  dimensions: readonly DimensionOptions[] = [],
): Promise<OpenedCoverage | undefined> {
  if (!isCoverage(resource)) return undefined;
  const store = await catalog.get(coverageStoreKind, resource.parent ?? '');
  const described = store && (await rasterData.describe({ store }, resource.nativeName));
  if (store === undefined || described === undefined) {
    throw problem('raster-coverage-unknown', { name: resource.nativeName });
  }
  const crs = getBoundsCrs(resource);
  const said = selectDataCrs(resource, store, crs);
  const settings = parseReadingSettings(resource.parameters, { ...described.grid, crs });
  const areas = listVisibleAreas(restriction);
  const limits = areas === undefined ? {} : { areas };
  const at = (wishes: readonly DimensionOptions[]): OpenedCoverage => ({
    name: resource.name,
    coverage: resource,
    description: { ...described, grid: { ...described.grid, crs } },
    bands: described.bands.map((band, index) => addPublishedName(band, resource.bands[index])),
    values: (axis, wanted) => rasterData.listDimensionValues({ store }, resource.nativeName, axis, { wanted, areas }),
    selectDimensions: at,
    measureVisible: async (signal) => areas && ((await rasterData.measureAreas({ areas, to: crs }, signal)) ?? null),
    identify: () => identifyData(store, resource, { areas, wishes }),
    read: async (request, signal) => {
      if (areas?.length === 0) return undefined;
      const wanted = { ...request, ...settings, ...said, ...limits, dimensions: wishes };
      return rasterData.readPicture({ store }, resource.nativeName, wanted, signal);
    },
  });
  return at(dimensions);
}

/** Granules of a mosaic change without a new version of the store. */
function identifyData(store: CoverageStore, resource: Coverage, selection: object): string | undefined {
  if (store.fileSet === null || store.mosaic !== null) return undefined;
  const versions = [store, resource].map(({ id, version }) => [id, version]);
  const identity = JSON.stringify([store.fileSet, store.filePlace, versions, selection]);
  return createHash('sha256').update(identity).digest('base64');
}

export function isCoverage(resource: Resource): resource is Coverage {
  return resource.kind === coverageKind.kind;
}

function addPublishedName(band: Band, published: CoverageBand | undefined): OpenedCoverage['bands'][number] {
  return published === undefined || published.name === band.name ? band : { ...band, publishedName: published.name };
}

/** Each granule of a mosaic can have a CRS of its own. */
function selectDataCrs(
  { nativeCrs }: Coverage,
  { mosaic }: CoverageStore,
  crs: CrsReference,
): { readonly dataCrs?: CrsReference } {
  const isOwn = crs === nativeCrs;
  return isOwn || mosaic !== null ? {} : { dataCrs: crs };
}

type ReadingSettings = Pick<PictureRequest, 'rules' | 'order' | 'merging' | 'isCutToFootprints'>;

/** Names are case-insensitive. Invalid values are ignored; a warning was issued when they were set. */
function parseReadingSettings(parameters: Readonly<Record<string, string>>, grid: Grid): ReadingSettings {
  const named = new Map(Object.entries(parameters).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const value = (name: string): string => named.get(name.toLowerCase()) ?? '';
  const [input, output] = [readColor(value('InputTransparentColor')), readColor(value('OutputTransparentColor'))];
  const background = readNumbers(value('BackgroundValues'));
  const rules: ReadingRules = {
    ...(input === undefined ? {} : { inputTransparent: input }),
    ...(output === undefined ? {} : { outputTransparent: output }),
    ...(background === undefined ? {} : { background: { values: background, grid } }),
  };
  return {
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
    order: readOrder(value('SORTING')) ?? [],
    merging: readMerging(value('MergeBehavior')) ?? 'first',
    isCutToFootprints: readFootprints(value('FootprintBehavior'))?.isCut ?? false,
  };
}
