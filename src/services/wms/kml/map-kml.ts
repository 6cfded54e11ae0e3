/** A map as KML: for each requested name its features as placemarks, an image on the ground, or both. */

import { Readable } from 'node:stream';
import type { Bounds } from '../../../crs/bounds.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { outputFormats } from '../../../formats/formats.ts';
import type { FeatureSet } from '../../../formats/port/port.ts';
import { writeZip, type ZipEntry } from '../../../formats/writing/zip-stream.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { type MapSettings, resolveMapSettings } from '../../../rendering/request/map-settings.ts';
import { drawPublishedPng, type MapToDraw } from '../../maps/draw-published.ts';
import { type OpenedLayer, openLayers } from '../../maps/open-layers.ts';
import { formatMapName, type WmsContext } from '../context/context.ts';
import { getLegendGraphic } from '../legend/get-legend-graphic.ts';
import type { MapFrame } from '../map/map-frame.ts';
import type { NamedMap } from '../map/map-layers.ts';
import { createMapToDraw } from '../map/map-to-draw.ts';
import type { RequestedMap } from '../request/request.ts';
import { writeGroundOverlay, writeLegendOverlay, writeRegion } from './kml-elements.ts';
import { type KmlOptions, readKmlOptions } from './kml-options.ts';
import { createImageAddress, createLegendAddress, listEntries, type MapEntry } from './map-addresses.ts';
import { createIconAddresses, packIcons } from './placemark-icons.ts';
import { openPlacemarkTemplates } from './placemark-templates.ts';
import { countPlacemarks, MAX_PLACEMARKS, queryPlacemarks } from './placemarks.ts';
import { computeTileLevel, createTileRegion, MAX_REPLACED_PIXELS, writePartLinks } from './super-overlay.ts';

export interface KmlMap {
  readonly requested: RequestedMap;
  readonly named: readonly NamedMap[];
  readonly frame: MapFrame;
}

/** What the parts of the document share. */
interface KmlJob {
  readonly context: WmsContext;
  readonly requested: RequestedMap;
  readonly map: MapToDraw;
  /** The box of the map in longitude and latitude. */
  readonly box: Bounds;
  readonly options: KmlOptions;
  readonly settings: MapSettings;
  /** The further files of an archive; undefined for a single document. */
  readonly files: ZipEntry[] | undefined;
}

const LONGITUDE_LATITUDE: CrsReference = { code: 'EPSG:4326' };

export async function createMapKml(
  context: WmsContext,
  { requested, named, frame }: KmlMap,
  isZipped: boolean,
): Promise<Pick<ServiceReply, 'body' | 'release' | 'isPacked'>> {
  const { services, signal, now, publication, parameters } = context;
  const options = readKmlOptions(parameters, requested.formatOptions);
  const map = createMapToDraw(context, requested, named, frame);
  const { layers, release } = await openLayers(services, map.layers, signal, map.variables);
  try {
    const resolved = await resolveMapSettings({ ...map, layers: [] });
    const settings = { ...resolved, variables: { ...resolved.variables, kmlOutputMode: 'vector' } };
    const reprojection = await createReprojection(map.system, LONGITUDE_LATITUDE);
    const box = reprojection === undefined ? map.box : (reprojection.reprojectBounds(map.box) ?? map.box);
    const files: ZipEntry[] | undefined = isZipped ? [] : undefined;
    const job = { context, requested, map, box, options, settings, files };
    const sets: FeatureSet[] = [];
    const overlays: string[] = [];
    const entries = listEntries(requested, named);
    let start = 0;
    for (const entry of entries) {
      const own = layers.slice(start, start + entry.named.layers.length);
      const content = await createEntryContent(job, entry, own);
      sets.push(...content.sets);
      overlays.push(...content.overlays);
      start += own.length;
    }
    if (options.hasLegend) overlays.push(writeLegendOverlay(await locateLegend(job, entries)));
    const { title, superOverlay, hasDescriptions, hasExtendedData, hasPoints } = options;
    const head = superOverlay === undefined ? '' : writeRegion(createTileRegion(box));
    const kml = { title, head, overlays, hasDescriptions, hasExtendedData, hasPoints };
    const encoder = await outputFormats.kml.load();
    const writeDocument = () =>
      encoder.encode(
        {
          sets,
          timeStamp: now(),
          links: () => [],
          schemaLocations: [],
          options: { decimals: publication.decimals, kml },
        },
        signal,
      );
    return files === undefined
      ? { body: writeDocument(), release }
      : { body: writeZip(listZipEntries(writeDocument, files), now()), release, isPacked: true };
  } catch (error) {
    release();
    throw error;
  }
}

/** The icons are known once the placemarks are written. */
function* listZipEntries(document: ZipEntry['content'], files: readonly ZipEntry[]): Iterable<ZipEntry> {
  yield { name: 'doc.kml', content: document };
  yield* files;
}

interface EntryContent {
  readonly sets: readonly FeatureSet[];
  readonly overlays: readonly string[];
}

async function createEntryContent(job: KmlJob, entry: MapEntry, layers: readonly OpenedLayer[]): Promise<EntryContent> {
  const { superOverlay } = job.options;
  const { hasPlacemarks, hasImage, isCounted } = await chooseContent(job, layers);
  const sets = hasPlacemarks ? await createPlacemarks(job, entry, layers, isCounted) : [];
  if (!hasImage) return { sets, overlays: [] };
  const overlay = await createGroundOverlay(job, entry);
  // Only one level has the placemarks of a place.
  const mode = hasPlacemarks ? 'raster' : undefined;
  const links = superOverlay === undefined ? [] : writePartLinks(job.context, entry, job.box, mode);
  return { sets, overlays: [overlay, ...links] };
}

interface ContentChoice {
  readonly hasPlacemarks: boolean;
  readonly hasImage: boolean;
  /** Whether the placemarks are known to be no more than their maximum. */
  readonly isCounted: boolean;
}

const imageOnly: ContentChoice = { hasPlacemarks: false, hasImage: true, isCounted: true };

async function chooseContent(job: KmlJob, layers: readonly OpenedLayer[]): Promise<ContentChoice> {
  const { map, settings, context, options } = job;
  const { maxPlacemarks, superOverlay } = options;
  const hasCoverage = layers.some(({ drawn }) => drawn.kind !== 'vector');
  if (superOverlay === 'raster' || superOverlay === 'cached') return imageOnly;
  // Tiles have a maximum in any case.
  const isLimited = maxPlacemarks < Number.POSITIVE_INFINITY || superOverlay !== undefined;
  if (!isLimited) return { hasPlacemarks: true, hasImage: hasCoverage, isCounted: false };
  if (hasCoverage) return imageOnly;
  const maximum = Math.min(maxPlacemarks, MAX_PLACEMARKS);
  let count = 0;
  for (const layer of layers) {
    if (count > maximum) break;
    count += await countPlacemarks(layer, map, settings, { maximum: maximum - count, signal: context.signal });
  }
  const isFew = count <= maximum;
  return { hasPlacemarks: isFew, hasImage: !isFew || (superOverlay === 'hybrid' && count > 0), isCounted: true };
}

async function createPlacemarks(
  { context, map, settings, options, files }: KmlJob,
  entry: MapEntry,
  layers: readonly OpenedLayer[],
  isCounted: boolean,
): Promise<readonly FeatureSet[]> {
  const sets: FeatureSet[] = [];
  for (const [index, layer] of layers.entries()) {
    const wanted = entry.named.layers[index];
    const prefix = `icons/${entry.place + 1}${layers.length === 1 ? '' : `-${index + 1}`}`;
    const iconOf =
      files === undefined
        ? createIconAddresses(context, wanted)
        : await packIcons(context, wanted, settings, { prefix, icons: files });
    const templates =
      wanted && (await openPlacemarkTemplates(context, wanted.layer, map.variables ?? {}, options.hasDescriptions));
    const { signal, warn, services } = context;
    const placemarks = { renderer: services.renderer, iconOf, writeTexts: templates, isCounted, warn, signal };
    sets.push(...(await queryPlacemarks(layer, map, settings, placemarks)));
  }
  return sets;
}

const IMAGE_FOLDER = 'images/';

/** An archive contains the image, so that it works without the server. */
async function createGroundOverlay(job: KmlJob, entry: MapEntry): Promise<string> {
  const { context, map, box, options, files } = job;
  const { width, height } = map;
  const { superOverlay } = options;
  const level = superOverlay === undefined ? 0 : computeTileLevel(box);
  const isReplaced = superOverlay === 'auto' || superOverlay === 'overview';
  const overlay = {
    title: entry.named.map.title,
    box,
    drawOrder: level * entry.count + entry.place,
    region: superOverlay && createTileRegion(box, isReplaced ? MAX_REPLACED_PIXELS : undefined),
  };
  if (files === undefined) {
    return writeGroundOverlay({ ...overlay, href: createImageAddress(context, entry, { box, width, height }) });
  }
  // All images are in memory until they are sent.
  const images = files.filter(({ name }) => name.startsWith(IMAGE_FOLDER)).length + 1;
  const { maxPixels } = context.settings;
  if (images * width * height > maxPixels)
    throw problem('wms-map-too-large', { width, height: images * height, maxPixels, field: 'width' });
  const drawn = { ...map, layers: entry.named.layers, system: LONGITUDE_LATITUDE, box, angle: 0, isTransparent: true };
  const bytes = await drawPublishedPng(context.services, drawn, context.signal);
  const href = `${IMAGE_FOLDER}${entry.place + 1}.png`;
  files.push({ name: href, content: () => Readable.from([bytes]) });
  return writeGroundOverlay({ ...overlay, href });
}

const LEGEND_PIXELS = 20;

/** Returns the address of the legend, which an archive contains. */
async function locateLegend({ context, requested, files }: KmlJob, entries: readonly MapEntry[]): Promise<string> {
  if (files === undefined) return createLegendAddress(context, entries);
  const { body } = await getLegendGraphic(context, {
    ...{ kind: 'GetLegendGraphic', version: '1.1.1', format: 'image/png', isTransparent: false },
    ...{ width: LEGEND_PIXELS, height: LEGEND_PIXELS, options: new Map() },
    layers: entries.map(({ named }) => formatMapName(context, named.map)),
    styles: entries.map(({ style }) => style || undefined),
    ...(requested.sentStyle === undefined ? {} : { sentStyle: requested.sentStyle }),
  });
  if (!(body instanceof Uint8Array)) return createLegendAddress(context, entries);
  files.push({ name: 'legend.png', content: () => Readable.from([body]) });
  return 'legend.png';
}
