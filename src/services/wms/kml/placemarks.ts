/** The features of a map as placemarks. */

import type { Bounds } from '../../../crs/bounds.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { joinResolvedFilters } from '../../../filter/model/join-resolved-filters.ts';
import type { PlacemarkStyle } from '../../../formats/port/placemark-style.ts';
import type { FeatureSet } from '../../../formats/port/port.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import type { MapRenderer } from '../../../rendering/map-renderer.ts';
import type { IconResolver, PlacemarkStyler } from '../../../rendering/query/placemark-styler.ts';
import type { MapSettings } from '../../../rendering/request/map-settings.ts';
import { computeFeatureBoxes, listWorldShifts } from '../../../rendering/shapes/map-area.ts';
import type { Feature } from '../../../vector/port/port.ts';
import { createBoxFilter } from '../../../vector/query/box-filter.ts';
import type { FeatureQuery } from '../../../vector/query/feature-query.ts';
import { queryFeatures } from '../../../vector/query/query-features.ts';
import type { OpenedType } from '../../access/open-type.ts';
import type { MapToDraw } from '../../maps/draw-published.ts';
import type { OpenedLayer } from '../../maps/open-layers.ts';
import type { PlacemarkTexts, PlacemarkTextWriter } from './placemark-templates.ts';

/** The maximum number of placemarks per layer that virtual globes can display. Documents with fewer say so. */
export const MAX_PLACEMARKS = 10_000;

const LONGITUDE_LATITUDE: CrsReference = { code: 'EPSG:4326' };

interface PlacemarkOptions {
  readonly renderer: Pick<MapRenderer, 'createPlacemarkStyler'>;
  readonly iconOf: IconResolver;
  readonly writeTexts: PlacemarkTextWriter | undefined;
  /** Whether the layer is known to have no more than the maximum. */
  readonly isCounted: boolean;
  readonly warn: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/** Coverages have no placemarks. */
export async function queryPlacemarks(
  layer: OpenedLayer,
  map: MapToDraw,
  settings: MapSettings,
  { renderer, iconOf, writeTexts, isCounted, warn, signal }: PlacemarkOptions,
): Promise<readonly FeatureSet[]> {
  const { opened, drawn } = layer;
  const query = await createPlacemarkQuery(layer, map, settings);
  if (opened === undefined || drawn.kind !== 'vector' || query === undefined) return [];
  const limit = Math.min(drawn.limit ?? MAX_PLACEMARKS, MAX_PLACEMARKS);
  const counting = { maximum: MAX_PLACEMARKS, signal };
  const isCut = !isCounted && (await countPlacemarks(layer, map, settings, counting)) > MAX_PLACEMARKS;
  const note = isCut ? explainCut(opened.published.qualifiedName) : undefined;
  if (note !== undefined) warn(note);
  const answer = await queryFeatures(
    opened,
    { ...query, limit, crs: LONGITUDE_LATITUDE, ...(drawn.sort === undefined ? {} : { sort: drawn.sort }) },
    signal,
  );
  const { prefix, namespace, name } = opened.published;
  const looksOf = await renderer.createPlacemarkStyler(drawn, answer.description, settings, { iconOf, signal });
  const looks = new WeakMap<Feature, PlacemarkStyle>();
  const shown = selectDrawnFeatures(opened.withTimeout(answer.batches), looksOf, looks);
  return [
    {
      typeName: { prefix, uri: namespace, local: name },
      description: answer.description,
      crs: { reference: LONGITUDE_LATITUDE, isNorthFirst: false },
      ...(note === undefined ? {} : { note }),
      findStyle: (feature) => looks.get(feature),
      batches:
        writeTexts === undefined
          ? shown
          : describeFeatures(shown, (features) => writeTexts(answer.description, features), looks),
    },
  ];
}

function explainCut(layer: string): string {
  const count = MAX_PLACEMARKS.toLocaleString('en');
  return `The layer '${layer}' has more than ${count} features on the map, and this document contains only ${count} of them. Request a smaller area, a filter, or an image with kmscore.`;
}

/** Yields the features that the style draws, and records their appearance. */
async function* selectDrawnFeatures(
  batches: AsyncIterable<readonly Feature[]>,
  looksOf: PlacemarkStyler,
  looks: WeakMap<Feature, PlacemarkStyle>,
): AsyncIterable<readonly Feature[]> {
  for await (const features of batches) {
    const noted = await looksOf(features);
    yield features.filter((feature, index) => {
      const look = noted[index];
      if (look !== undefined) looks.set(feature, look);
      return look !== undefined;
    });
  }
}

/** Adds the texts of templates to the appearance of features. */
async function* describeFeatures(
  batches: AsyncIterable<readonly Feature[]>,
  writeTexts: (features: readonly Feature[]) => Promise<readonly PlacemarkTexts[]>,
  looks: WeakMap<Feature, PlacemarkStyle>,
): AsyncIterable<readonly Feature[]> {
  for await (const features of batches) {
    const texts = await writeTexts(features);
    for (const [index, feature] of features.entries()) looks.set(feature, { ...looks.get(feature), ...texts[index] });
    yield features;
  }
}

/** Counts the features of a layer on the map, up to one more than `maximum`. */
export async function countPlacemarks(
  layer: OpenedLayer,
  map: MapToDraw,
  settings: MapSettings,
  { maximum, signal }: { readonly maximum: number; readonly signal: AbortSignal },
): Promise<number> {
  const query = await createPlacemarkQuery(layer, map, settings);
  if (layer.opened === undefined || layer.drawn.kind !== 'vector' || query === undefined) return 0;
  const limit = Math.min(layer.drawn.limit ?? maximum + 1, maximum + 1);
  const { batches } = await queryFeatures(layer.opened, { ...query, limit, attributes: [] }, signal);
  let count = 0;
  for await (const features of layer.opened.withTimeout(batches)) count += features.length;
  return count;
}

async function createPlacemarkQuery(
  { opened, drawn }: OpenedLayer,
  { box, system }: MapToDraw,
  settings: MapSettings,
): Promise<FeatureQuery | undefined> {
  if (opened === undefined || drawn.kind !== 'vector') return undefined;
  const selection = await selectInBox(opened, addMargin(box), system, settings);
  if (selection === undefined) return undefined;
  const filters = [selection.filter, drawn.filter].filter((each) => each !== undefined);
  return {
    ...(selection.box === undefined ? {} : { box: selection.box }),
    ...(drawn.offset === undefined ? {} : { offset: drawn.offset }),
    ...(filters.length === 0 ? {} : { filter: joinResolvedFilters('and', filters) }),
  };
}

/** The rounding errors of extents that other programs wrote, as a fraction of the size. */
const ROUNDING = 1e-9;

/** A map of the whole extent of a layer contains the features at its edges, too. */
function addMargin({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const margin = Math.max(maxX - minX, maxY - minY) * ROUNDING;
  return { minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin };
}

/** Selects the features in each copy of the Earth that the map shows; returns undefined if the map shows none. */
async function selectInBox(
  opened: OpenedType,
  box: Bounds,
  system: CrsReference,
  settings: MapSettings,
): Promise<Pick<FeatureQuery, 'box' | 'filter'> | undefined> {
  const { defaultGeometry } = opened.description;
  if (defaultGeometry === undefined) return undefined;
  const shifts = listWorldShifts(settings.system, box);
  if (shifts.length === 1 && shifts[0] === 0) {
    const area = await toTypeBox(opened, box, system);
    return area && { box: area };
  }
  const boxes = await computeFeatureBoxes(settings.system, box, shifts, opened.published.keptCrs);
  const filters = boxes.map((each) => createBoxFilter(defaultGeometry, each));
  return { filter: joinResolvedFilters('or', filters) };
}

/** Returns the box of a map in the CRS of a type; undefined if they do not intersect. */
async function toTypeBox({ published }: OpenedType, box: Bounds, system: CrsReference): Promise<Bounds | undefined> {
  const reprojection = await createReprojection(system, published.keptCrs);
  return reprojection === undefined ? box : reprojection.reprojectBounds(box);
}
