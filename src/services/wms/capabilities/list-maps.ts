/** Creates the entries of layers and groups in the capabilities. */
import type { ResourceLink } from '../../../catalog/kinds/resource.ts';
import type { LegendPicture } from '../../../catalog/kinds/style.ts';
import { loadStoredStyle } from '../../../catalog/styles/read-style.ts';
import type { Bounds } from '../../../crs/bounds.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { findCrs } from '../../../crs/resolve-crs.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import type { StyleSummary } from '../../../styling/content/summarise-content.ts';
import { formatStyleName, listMapStyles, loadMapStyleView, type MapStyle } from '../../access/map-styles.ts';
import type { MapGroup, MapLayer, PublishedMap } from '../../access/published-map.ts';
import { formatMapName, type WmsContext } from '../context/context.ts';
import type { ListedBox, ListedMap, ListedStyle } from './capabilities.ts';
import type { ListedLink } from './content.ts';
import type { DimensionRecorder } from './list-dimensions.ts';

/** Longitude before latitude in both versions. */
const LONGITUDE_FIRST = 'CRS:84';
const LATITUDE_FIRST = 'EPSG:4326';

/** The default size of a legend sample. */
const SAMPLE_PIXELS = 20;

/** The common context of all entries. */
export interface Listing {
  /** The CRSs of the root, which apply to all layers. */
  readonly rootCrs: readonly string[];
  readonly dimensions: Pick<DimensionRecorder, 'list'>;
}

export async function createListedMap(context: WmsContext, map: PublishedMap, listing: Listing): Promise<ListedMap> {
  const shared = {
    title: map.title,
    abstract: map.abstract,
    keywords: map.keywords,
    geographic: map.latLonBounds ?? undefined,
    boxes: await listBoxes(context, map, listing),
    attribution: map.attribution,
    authorityURLs: map.authorityURLs,
    identifiers: map.identifiers,
    metadata: map.links.flatMap(toListedLinks),
    isQueryable: map.isQueryable,
  };
  return map.kind === 'layer'
    ? { ...shared, ...(await createLayerEntry(context, map, listing)) }
    : { ...shared, ...(await createGroupEntry(context, map, listing)) };
}

async function createLayerEntry(context: WmsContext, layer: MapLayer, { rootCrs, dimensions }: Listing) {
  const styles: { readonly listed: ListedStyle; readonly summary: StyleSummary | undefined }[] = [];
  for (const [index, style] of (await listMapStyles(context.services.catalog, layer)).entries()) {
    const summary = await loadStyleSummary(context, style);
    const legend = index === 0 ? (layer.layer.legend ?? style.style.legend) : style.style.legend;
    styles.push({ listed: createListedStyle(context, layer, { style, summary, legend }), summary });
  }
  const summaries = styles.flatMap(({ summary }) => summary ?? []);
  const { code } = layer.resource.srs === null ? layer.boundsCrs : { code: layer.resource.srs };
  return {
    name: formatMapName(context, layer),
    crs: code === undefined || rootCrs.includes(code) ? [] : [code],
    dimensions: await dimensions.list(layer),
    data: layer.dataLinks.flatMap(toListedLinks),
    styles: styles.map(({ listed }) => listed),
    minScale: Math.min(...(summaries.length === 0 ? [0] : summaries.map((each) => each.minScaleDenominator))),
    maxScale: Math.max(
      ...(summaries.length === 0 ? [Number.POSITIVE_INFINITY] : summaries.map((each) => each.maxScaleDenominator)),
    ),
    isOpaque: layer.isOpaque,
    children: [],
  };
}

async function createGroupEntry(context: WmsContext, map: MapGroup, listing: Listing) {
  const { rootCrs } = listing;
  const { mode } = map.group;
  const isTree = mode === 'NAMED' || mode === 'CONTAINER' || mode === 'EO';
  const children: ListedMap[] = [];
  for (const part of isTree ? map.parts : []) {
    if (part.map.isAdvertised) children.push(await createListedMap(context, part.map, listing));
  }
  const name = formatMapName(context, map);
  const { code } = map.boundsCrs;
  return {
    name: mode === 'CONTAINER' ? undefined : name,
    crs: code === undefined || rootCrs.includes(code) ? [] : [code],
    dimensions: [],
    data: [],
    styles: map.styles.map((style) => ({
      name: style.name,
      title: style.title,
      abstract: style.abstract,
      legend: createLegendLink(context, name, style.name),
    })),
    minScale: 0,
    maxScale: Number.POSITIVE_INFINITY,
    isOpaque: false,
    children,
  };
}

/** A style that cannot be parsed is listed by name. */
async function loadStyleSummary({ services }: WmsContext, style: MapStyle): Promise<StyleSummary | undefined> {
  const { catalog, styles } = services;
  const view = await loadMapStyleView(catalog, style);
  if (view.file === null) return undefined;
  try {
    return await styles.work.summarise(view.file.content, () => loadStoredStyle(styles.contents, view));
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return undefined;
    throw error;
  }
}

interface StyleToList {
  readonly style: MapStyle;
  /** Undefined for a style that cannot be parsed. */
  readonly summary: StyleSummary | undefined;
  readonly legend: LegendPicture | null;
}

function createListedStyle(context: WmsContext, layer: MapLayer, { style, summary, legend }: StyleToList): ListedStyle {
  const name = context.mapAccess.workspace === undefined ? formatStyleName(style) : style.style.name;
  return {
    name,
    title: summary?.title ?? name,
    abstract: summary?.abstract ?? '',
    legend: findExternalLegend(legend) ?? createLegendLink(context, formatMapName(context, layer), name),
  };
}

/** An image that was provided as the legend. */
function findExternalLegend(legend: LegendPicture | null): ListedStyle['legend'] | undefined {
  if (legend?.onlineResource == null || !/^https?:\/\//i.test(legend.onlineResource)) return undefined;
  return {
    width: legend.width ?? SAMPLE_PIXELS,
    height: legend.height ?? SAMPLE_PIXELS,
    format: legend.format ?? 'image/png',
    href: legend.onlineResource,
  };
}

function createLegendLink({ address }: WmsContext, layer: string, style: string): ListedStyle['legend'] {
  const query = new URLSearchParams({
    service: 'WMS',
    version: '1.3.0',
    request: 'GetLegendGraphic',
    format: 'image/png',
    width: String(SAMPLE_PIXELS),
    height: String(SAMPLE_PIXELS),
    layer,
    style,
  });
  return { width: SAMPLE_PIXELS, height: SAMPLE_PIXELS, format: 'image/png', href: `${address}?${query}` };
}

function toListedLinks({ type, metadataType, content }: ResourceLink): readonly ListedLink[] {
  return content === null || content === ''
    ? []
    : [{ type: metadataType ?? 'other', format: type ?? 'text/plain', href: content }];
}

/** Lists boxes in degrees, in the native CRS, and in every listed CRS if configured. */
async function listBoxes(
  { settings }: WmsContext,
  map: PublishedMap,
  { rootCrs }: Listing,
): Promise<readonly ListedBox[]> {
  const { latLonBounds, bounds, boundsCrs } = map;
  const boxes = new Map<string, ListedBox>();
  if (latLonBounds !== null) {
    boxes.set(LONGITUDE_FIRST, { crs: LONGITUDE_FIRST, bounds: latLonBounds, isNorthFirst: false });
    boxes.set(LATITUDE_FIRST, { crs: LATITUDE_FIRST, bounds: latLonBounds, isNorthFirst: true });
  }
  if (bounds !== null && boundsCrs.code !== undefined && !boxes.has(boundsCrs.code)) {
    boxes.set(boundsCrs.code, await createListedBox(boundsCrs.code, bounds));
  }
  for (const code of settings.hasBoxInEachCrs ? rootCrs.filter((each) => !boxes.has(each)) : []) {
    const converted = latLonBounds && (await convertBox(latLonBounds, { code }));
    if (converted) boxes.set(code, await createListedBox(code, converted));
  }
  return [...boxes.values()];
}

async function createListedBox(code: string, bounds: Bounds): Promise<ListedBox> {
  return { crs: code, bounds, isNorthFirst: (await findCrs(code))?.axisOrder === 'north-east' };
}

async function convertBox(bounds: Bounds, crs: CrsReference): Promise<Bounds | undefined> {
  try {
    const reprojection = await createReprojection({ code: LATITUDE_FIRST }, crs);
    return reprojection === undefined ? bounds : reprojection.reprojectBounds(bounds);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
