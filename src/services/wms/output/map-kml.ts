/** A map as KML: the features as placemarks, or network links that virtual globes refresh. */

import { Readable } from 'node:stream';
import type { Bounds } from '../../../crs/bounds.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { joinResolvedFilters } from '../../../filter/model/join-resolved-filters.ts';
import { outputFormats } from '../../../formats/formats.ts';
import type { PlacemarkStyle } from '../../../formats/port/placemark-style.ts';
import type { FeatureSet } from '../../../formats/port/port.ts';
import { writeZip, type ZipEntry } from '../../../formats/writing/zip-stream.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { escapeText } from '../../../lib/xml/escape.ts';
import {
  createPlacemarkStyler,
  type IconResolver,
  type PlacemarkStyler,
} from '../../../rendering/query/placemark-styler.ts';
import { type MapSettings, resolveMapSettings } from '../../../rendering/request/map-settings.ts';
import { isInScale } from '../../../rendering/rules/style-plan.ts';
import { computeFeatureBoxes, listWorldShifts } from '../../../rendering/shapes/map-area.ts';
import type { Rule } from '../../../styling/model/model.ts';
import type { Feature } from '../../../vector/port/port.ts';
import { createBoxFilter } from '../../../vector/query/box-filter.ts';
import type { FeatureQuery } from '../../../vector/query/feature-query.ts';
import { queryFeatures } from '../../../vector/query/query-features.ts';
import type { OpenedType } from '../../access/open-type.ts';
import type { MapToDraw } from '../../maps/draw-published.ts';
import { type LayerToDraw, type OpenedLayer, openLayers } from '../../maps/open-layers.ts';
import { formatMapName, type WmsContext } from '../context/context.ts';
import { getLegendGraphic } from '../legend/get-legend-graphic.ts';
import type { NamedMap } from '../map/map-layers.ts';
import { openPlacemarkTemplates, type PlacemarkTexts, type PlacemarkTextWriter } from './placemark-templates.ts';

/** The maximum number of placemarks per layer that virtual globes can display. */
const MAX_PLACEMARKS = 10_000;

const LONGITUDE_LATITUDE: CrsReference = { code: 'EPSG:4326' };

/** Coverages have no placemarks and are omitted. */
export async function createMapKml(
  context: WmsContext,
  map: MapToDraw,
  isZipped: boolean,
): Promise<Pick<ServiceReply, 'body' | 'release' | 'isPacked'>> {
  const { services, signal, now, publication } = context;
  const { layers, release } = await openLayers(services, map.layers, signal, map.variables);
  try {
    const sets: FeatureSet[] = [];
    const resolved = await resolveMapSettings({ ...map, layers: [] });
    const settings = { ...resolved, variables: { ...resolved.variables, kmlOutputMode: 'vector' } };
    const icons: ZipEntry[] = [];
    for (const [index, layer] of layers.entries()) {
      const wanted = map.layers[index];
      const iconOf = isZipped
        ? await packIcons(context, wanted, settings, { prefix: `icons/${index + 1}`, icons })
        : createIconAddresses(context, wanted);
      const writeTexts = wanted && (await openPlacemarkTemplates(context, wanted.layer, map.variables ?? {}));
      sets.push(...(await queryPlacemarks(layer, map, settings, { iconOf, writeTexts, signal })));
    }
    const encoder = await outputFormats.kml.load();
    const writeDocument = () =>
      encoder.encode(
        {
          sets,
          timeStamp: now(),
          links: () => [],
          schemaLocations: [],
          options: { decimals: publication.decimals },
        },
        signal,
      );
    return isZipped
      ? { body: writeZip(listZipEntries(writeDocument, icons), now()), release, isPacked: true }
      : { body: writeDocument(), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** The icons are known once the placemarks are written. */
function* listZipEntries(document: ZipEntry['content'], icons: readonly ZipEntry[]): Iterable<ZipEntry> {
  yield { name: 'doc.kml', content: document };
  yield* icons;
}

interface PlacemarkOptions {
  readonly iconOf: IconResolver;
  readonly writeTexts: PlacemarkTextWriter | undefined;
  readonly signal: AbortSignal;
}

async function queryPlacemarks(
  { opened, drawn }: OpenedLayer,
  { box, system }: MapToDraw,
  settings: MapSettings,
  { iconOf, writeTexts, signal }: PlacemarkOptions,
): Promise<readonly FeatureSet[]> {
  if (opened === undefined || drawn.kind !== 'vector') return [];
  const selection = await selectInBox(opened, box, system, settings);
  if (selection === undefined) return [];
  const filters = [selection.filter, drawn.filter].filter((each) => each !== undefined);
  const answer = await queryFeatures(
    opened,
    {
      ...(selection.box === undefined ? {} : { box: selection.box }),
      crs: LONGITUDE_LATITUDE,
      limit: Math.min(drawn.limit ?? MAX_PLACEMARKS, MAX_PLACEMARKS),
      ...(filters.length === 0 ? {} : { filter: joinResolvedFilters('and', filters) }),
      ...(drawn.sort === undefined ? {} : { sort: drawn.sort }),
    },
    signal,
  );
  const { prefix, namespace, name } = opened.published;
  const looksOf = await createPlacemarkStyler(drawn, answer.description, settings, { iconOf, signal });
  const looks = new WeakMap<Feature, PlacemarkStyle>();
  const shown = selectDrawnFeatures(opened.withTimeout(answer.batches), looksOf, looks);
  return [
    {
      typeName: { prefix, uri: namespace, local: name },
      description: answer.description,
      crs: { reference: LONGITUDE_LATITUDE, isNorthFirst: false },
      findStyle: (feature) => looks.get(feature),
      batches:
        writeTexts === undefined
          ? shown
          : describeFeatures(shown, (features) => writeTexts(answer.description, features), looks),
    },
  ];
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

const ICON_PIXELS = 32;

/** Points have the legend image of their rule, if both have a name. */
function createIconAddresses(context: WmsContext, drawn: LayerToDraw | undefined): IconResolver {
  const style = drawn?.style.name;
  if (drawn === undefined || style === undefined) return () => undefined;
  return (rule) => {
    const name = findIconName(rule);
    if (name === undefined) return undefined;
    const query = new URLSearchParams({
      ...{ service: 'WMS', version: '1.1.1', request: 'GetLegendGraphic', format: 'image/png', transparent: 'true' },
      ...{ width: `${ICON_PIXELS}`, height: `${ICON_PIXELS}`, legend_options: 'forceLabels:off' },
      layer: formatMapName(context, drawn.layer),
      style,
      rule: name,
    });
    return `${context.address}?${query}`;
  };
}

/** Returns undefined for rules without points or without a name. */
function findIconName({ name, symbolizers }: Rule): string | undefined {
  return symbolizers.some(({ kind }) => kind === 'pointSymbolizer') ? name : undefined;
}

/** The maximum number of icons per layer; further points have the default icon. */
const MAX_ICONS = 200;

/** Puts the used icons into the archive, so that it works without the server. */
async function packIcons(
  context: WmsContext,
  drawn: LayerToDraw | undefined,
  { scaleDenominator }: MapSettings,
  { prefix, icons }: { readonly prefix: string; readonly icons: ZipEntry[] },
): Promise<IconResolver> {
  const style = drawn?.style.name;
  if (drawn === undefined || style === undefined) return () => undefined;
  const rules = drawn.style.model.featureTypeStyles.flatMap((each) => each.rules);
  const inScale = rules.filter((rule) => isInScale(rule, scaleDenominator));
  const names = [...new Set(inScale.flatMap((rule) => findIconName(rule) ?? []))].slice(0, MAX_ICONS);
  const pictures = new Map<string, { readonly place: string; readonly bytes: Uint8Array; isPacked: boolean }>();
  // The catalog must not be read once the response has started.
  for (const [index, rule] of names.entries()) {
    const { body } = await getLegendGraphic(context, {
      ...{ kind: 'GetLegendGraphic', version: '1.1.1', format: 'image/png', isTransparent: true },
      ...{ width: ICON_PIXELS, height: ICON_PIXELS, options: new Map([['forcelabels', 'off']]) },
      layers: [formatMapName(context, drawn.layer)],
      styles: [style],
      rule,
    });
    if (body instanceof Uint8Array) {
      pictures.set(rule, { place: `${prefix}-${index + 1}.png`, bytes: body, isPacked: false });
    }
  }
  return (rule) => {
    const picture = pictures.get(findIconName(rule) ?? '');
    if (picture !== undefined && !picture.isPacked) {
      picture.isPacked = true;
      icons.push({ name: picture.place, content: () => Readable.from([picture.bytes]) });
    }
    return picture?.place;
  };
}

/** Selects the features in each copy of the Earth that the map shows; returns undefined if the map shows none. */
async function selectInBox(
  opened: OpenedType,
  box: Bounds,
  system: CrsReference,
  settings: MapSettings,
): Promise<Pick<FeatureQuery, 'box' | 'filter'> | undefined> {
  const { defaultGeometry } = opened.description;
  const shifts = listWorldShifts(settings.system, box);
  if (defaultGeometry === undefined || (shifts.length === 1 && shifts[0] === 0)) {
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

/** Writes one link per layer; virtual globes refresh it when the view stops moving. */
export function writeKmlLink(context: WmsContext, named: readonly NamedMap[]): string {
  const links = named.map(({ map }) => {
    const query = new URLSearchParams({
      service: 'WMS',
      version: '1.1.1',
      request: 'GetMap',
      layers: formatMapName(context, map),
      styles: '',
      srs: 'EPSG:4326',
      width: '1024',
      height: '1024',
      format: 'application/vnd.google-earth.kml+xml',
    });
    return `<NetworkLink><name>${escapeText(map.title)}</name><open>1</open><visibility>1</visibility><Url><href>${escapeText(`${context.address}?${query}`)}</href><viewRefreshMode>onStop</viewRefreshMode><viewRefreshTime>1</viewRefreshTime><viewFormat>bbox=[bboxWest],[bboxSouth],[bboxEast],[bboxNorth]</viewFormat></Url></NetworkLink>
`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Folder>
${links.join('')}</Folder></kml>
`;
}
