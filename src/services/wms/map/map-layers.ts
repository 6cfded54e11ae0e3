/** Resolves the layers of a map: groups into their members, each layer with its style and filter. */

import { type CascadedLayer, isCascaded } from '../../../catalog/kinds/cascaded-layer.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { NamedLayer, NamedStyle, StyledLayerDescriptor, UserStyle } from '../../../styling/model/model.ts';
import { createDescribedSchema } from '../../../vector/port/filter-schema.ts';
import type { CascadeOptions } from '../../access/cascaded-source.ts';
import { chooseMapStyle, findLayerStyle } from '../../access/map-styles.ts';
import { openCascade, toRemoteDimensions } from '../../access/open-cascade.ts';
import type { OpenedType } from '../../access/open-type.ts';
import { listStyledLayers, type MapLayer, type PublishedMap, type StyledLayer } from '../../access/published-map.ts';
import { createLayerToDraw, findLayerInterpolation, getUnnamedGeometries } from '../../maps/layer-options.ts';
import type { LayerToDraw } from '../../maps/open-layers.ts';
import { loadReadyStyle, type ReadyStyle } from '../../maps/style-models.ts';
import { getPublishedMap, type WmsContext } from '../context/context.ts';
import { listIneffectiveParameters } from '../request/map-parameters.ts';
import type { RequestedLayer, RequestedMap } from '../request/request.ts';
import { createSentStyle, findDrawnLayer, listDrawnLayers, readSentStyle } from './sent-style.ts';

/** A requested map with the layers to draw for it. */
export interface NamedMap {
  /** As sent. */
  readonly name: string;
  readonly map: PublishedMap;
  readonly layers: readonly LayerToDraw[];
}

/** In the order of the request, or of the style that was sent with it. */
export async function resolveMapLayers(context: WmsContext, requested: RequestedMap): Promise<readonly NamedMap[]> {
  for (const sentence of listIneffectiveParameters(context.parameters, requested)) context.warn(sentence);
  const document = requested.sentStyle && (await readSentStyle(context, requested.sentStyle));
  const entries = document !== undefined && requested.readStyledLayers ? listDrawnLayers(document) : undefined;
  const asked = (entries && (await requested.readStyledLayers?.(entries.map(({ name }) => name)))) ?? requested.layers;
  // Access to all layers is checked before any detail is disclosed.
  const found: Pick<FoundMap, 'asked' | 'map' | 'entry'>[] = [];
  for (const [place, each] of asked.entries()) {
    found.push({ asked: each, map: await getPublishedMap(context, each.name, 'read'), entry: entries?.[place] });
  }
  const named: NamedMap[] = [];
  for (const each of found) {
    const layers: LayerToDraw[] = [];
    for (const styled of selectStyledLayers(each.map, each.asked.style, document)) {
      layers.push(...(await resolveLayersToDraw(context, { ...each, requested, document }, styled)));
    }
    named.push({ name: each.asked.name, map: each.map, layers });
  }
  return named;
}

/** A group is drawn in one of its own styles or in those of its members. */
function selectStyledLayers(
  map: PublishedMap,
  style: string | undefined,
  document: StyledLayerDescriptor | undefined,
): readonly StyledLayer[] {
  if (map.kind === 'layer' || style === undefined) return listStyledLayers(map, null);
  const isKnown = document !== undefined || map.styles.some(({ name }) => name === style);
  if (!isKnown) throw problem('wms-style-unknown', { style, layer: map.name, field: 'styles' });
  return listStyledLayers(map, style);
}

interface FoundMap {
  readonly requested: RequestedMap;
  readonly asked: RequestedLayer;
  readonly map: PublishedMap;
  /** The sent style. */
  readonly document: StyledLayerDescriptor | undefined;
  /** The part of the sent style, if that names the layers; a document can name a layer repeatedly. */
  readonly entry: NamedLayer | undefined;
}

async function resolveLayersToDraw(
  context: WmsContext,
  { requested, asked, map, document, entry }: FoundMap,
  styled: StyledLayer,
): Promise<readonly LayerToDraw[]> {
  const { layer } = styled;
  const own = map.kind === 'layer' ? entry : undefined;
  const said = own ?? (document && findDrawnLayer(document, layer, asked.name));
  const style = map.kind === 'layer' ? asked.style : undefined;
  const styles = said === undefined ? [] : await loadSentStyles(context, said, style, layer);
  const cascade = isCascaded(layer.resource)
    ? await resolveCascadeOptions(context, layer.resource, style, requested)
    : undefined;
  const ours = cascade?.style === undefined ? style : undefined;
  const drawn = styles.length > 0 ? styles : [await loadCatalogStyle(context, styled, ours)];
  return drawn.map((each) => ({
    ...buildLayerToDraw(context, layer, each, { asked, requested, said }),
    ...(cascade === undefined ? {} : { cascade }),
  }));
}

/** Styles and dimensions of the remote server are passed on to it. */
async function resolveCascadeOptions(
  { services }: WmsContext,
  layer: CascadedLayer,
  style: string | undefined,
  { dimensions }: RequestedMap,
): Promise<CascadeOptions> {
  const { remote } = await openCascade(services, layer, undefined);
  return {
    ...(style !== undefined && remote.styles.includes(style) ? { style } : {}),
    dimensions: toRemoteDimensions(dimensions),
  };
}

/** Returns the styles of the document for a layer: the requested one, or all. */
async function loadSentStyles(
  context: WmsContext,
  { styles }: NamedLayer,
  asked: string | undefined,
  layer: MapLayer,
): Promise<readonly ReadyStyle[]> {
  const wanted = asked === undefined ? styles : styles.filter(({ name }) => name === asked);
  const ready: ReadyStyle[] = [];
  for (const style of wanted) ready.push(await loadSentStyle(context, style, layer));
  return ready;
}

async function loadSentStyle(context: WmsContext, style: NamedStyle | UserStyle, layer: MapLayer): Promise<ReadyStyle> {
  if (style.kind === 'userStyle') return createSentStyle(context, style);
  const { services } = context;
  return loadReadyStyle(services, await chooseMapStyle(services.catalog, layer, style.name), layer);
}

async function loadCatalogStyle(
  { services }: WmsContext,
  { layer, style }: StyledLayer,
  asked: string | undefined,
): Promise<ReadyStyle> {
  const chosen =
    asked === undefined
      ? await findLayerStyle(services.catalog, layer, style)
      : await chooseMapStyle(services.catalog, layer, asked);
  if (chosen === undefined) {
    throw problem('wms-layer-not-drawable', { name: layer.qualifiedName, reason: 'it has no style', field: 'layers' });
  }
  return loadReadyStyle(services, chosen, layer);
}

interface RequestedDrawing {
  readonly asked: RequestedLayer;
  readonly requested: RequestedMap;
  /** The entry of the sent document for the layer. */
  readonly said: NamedLayer | undefined;
}

function buildLayerToDraw(
  { settings, now, warn }: WmsContext,
  layer: MapLayer,
  style: ReadyStyle,
  { asked, requested, said }: RequestedDrawing,
): LayerToDraw {
  const { maxFeatures, properties, startIndex, dimensions } = requested;
  const interpolation = asked.interpolation ?? findLayerInterpolation(layer) ?? settings.interpolation;
  const terms = {
    maxValues: settings.maxDimensionValues,
    now: now(),
    refusesUnmatched: settings.refusesUnmatchedDimensions,
    warn,
  };
  const wishes = { ...asked, dimensions, maxFeatures, properties, startIndex, interpolation };
  return createLayerToDraw({ layer, style }, wishes, terms, (opened) => resolveConstraints(said, opened));
}

/** Resolves the filters of the sent style. */
async function resolveConstraints(
  said: NamedLayer | undefined,
  opened: OpenedType,
): Promise<readonly ResolvedFilter[]> {
  const resolved: ResolvedFilter[] = [];
  for (const { filter } of said?.featureConstraints ?? []) {
    if (filter === undefined) continue;
    const target = { schema: createDescribedSchema(opened.description), unnamed: getUnnamedGeometries(opened) };
    const outcome = await opened.filterRunner.resolve(filter, target, opened.signal);
    if (outcome.kind === 'refused') {
      throw problem('wms-sld-unusable', { reason: outcome.complaint.message, field: 'sld_body' });
    }
    resolved.push(outcome.filter);
  }
  return resolved;
}
