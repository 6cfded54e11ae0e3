/** GetLegendGraphic: draws the rules of styles as an image, or lists them as a document. */

import { type CascadedLayer, isCascaded } from '../../../catalog/kinds/cascaded-layer.ts';
import { createGraphicLoader } from '../../../catalog/styles/draw-style.ts';
import { getContentFile, loadStoredStyle } from '../../../catalog/styles/read-style.ts';
import { loadFontsToDraw } from '../../../catalog/styles/uploaded-fonts.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import type { RuleCounts } from '../../../rendering/query/rule-counts.ts';
import { listSelectedRows, listVisibleRows, type RowSelection } from '../../../styling/legend/legend-rows.ts';
import type { StyledLayerDescriptor } from '../../../styling/model/model.ts';
import type { StoredStyle } from '../../../styling/style-tasks.ts';
import { chooseMapStyle, findLayerStyle, loadMapStyleView, type MapStyle } from '../../access/map-styles.ts';
import { openCascade } from '../../access/open-cascade.ts';
import { listStyledLayers, type MapLayer, type PublishedMap, type StyledLayer } from '../../access/published-map.ts';
import { countPublished } from '../../maps/draw-published.ts';
import { formatMapName, getPublishedMap, type WmsContext } from '../context/context.ts';
import { type LegendFormat, selectLegendFormat } from '../context/legend-formats.ts';
import { resolveMapFrame } from '../map/map-frame.ts';
import { resolveMapLayers } from '../map/map-layers.ts';
import { createMapToDraw } from '../map/map-to-draw.ts';
import { loadSentContent, readSentStyle } from '../map/sent-style.ts';
import { mapParameters } from '../request/parameters.ts';
import type { GetLegendGraphicRequest } from '../request/request.ts';
import { type LegendOptions, readLegendOptions } from './legend-options.ts';
import { joinLegends, type LegendPicture } from './legend-pictures.ts';

/** The input of one part of a legend. */
interface LegendPart {
  /** Undefined for a style that is sent without a layer. */
  readonly layer: MapLayer | undefined;
  readonly style: StoredStyle;
  /** A key for the bytes of the style. */
  readonly content: string;
  /** The folder of its images. */
  readonly folder: string | null;
}

/** A part with the rows to show. */
interface SelectedPart extends LegendPart {
  readonly selection: RowSelection;
}

/** The request for a legend with its options. */
interface LegendContext {
  readonly context: WmsContext;
  readonly request: GetLegendGraphicRequest;
  readonly options: LegendOptions;
}

export async function getLegendGraphic(context: WmsContext, request: GetLegendGraphicRequest): Promise<ServiceReply> {
  const format = selectLegendFormat(request.format);
  const legend = { context, request, options: readLegendOptions(request.options, request.width) };
  // Access to all layers is checked before any detail is disclosed.
  const maps: PublishedMap[] = [];
  for (const name of request.layers) maps.push(await getPublishedMap(context, name, 'description', 'layer'));
  const [only] = maps;
  if (maps.length === 1 && only?.kind === 'layer' && isCascaded(only.resource)) {
    return createCascadedLegend(context, request, only.resource);
  }
  const parts: LegendPart[] = [];
  for (const [index, map] of maps.entries()) {
    const style = request.styles[index];
    for (const styled of listStyledLayers(map, map.kind === 'group' ? (style ?? null) : null)) {
      parts.push(await createLegendPart(legend, map, styled, style));
    }
  }
  if (maps.length === 0 && request.sentStyle !== undefined) {
    // Reports errors as those of a sent style.
    await readSentStyle(context, request.sentStyle);
    parts.push({ layer: undefined, ...(await loadSentContent(context, request.sentStyle)), folder: null });
  }
  if (request.rule !== undefined) await requireRule(context, request.rule, parts);
  const chosen: SelectedPart[] = [];
  for (const part of parts) chosen.push({ ...part, selection: await resolveRowSelection(legend, part) });
  await warnIfEmpty(legend, chosen);
  return format.encoding === 'json'
    ? { contentType: format.mediaType, body: await writeLegendDocument(context, chosen) }
    : {
        contentType: format.mediaType,
        body: await drawLegendPicture(legend, chosen, format),
        isPacked: true,
      };
}

/** The number of rule names in an error message. */
const MAX_LISTED_RULES = 20;

/** Throws a Problem if no style has the rule. A rule that is out of scale leaves the legend empty instead. */
async function requireRule(context: WmsContext, rule: string, parts: readonly LegendPart[]): Promise<void> {
  const names = new Set<string>();
  for (const { style, content } of parts) {
    const rows = listSelectedRows(await loadStyleModel(context, content, style), {});
    for (const { rule: each } of rows) if (each.name !== undefined) names.add(each.name);
  }
  if (names.has(rule)) return;
  const expected =
    names.size === 0
      ? 'the rules of the style have no names'
      : `expected one of ${[...names].slice(0, MAX_LISTED_RULES).join(', ')}`;
  throw problem('ows-parameter-invalid', { parameter: 'rule', value: excerpt(rule), expected, field: 'rule' });
}

/** An empty image does not explain why it is empty. */
async function warnIfEmpty(
  { context, request, options }: LegendContext,
  parts: readonly SelectedPart[],
): Promise<void> {
  for (const { style, content, selection } of parts) {
    if (listVisibleRows(await loadStyleModel(context, content, style), selection).length > 0) return;
  }
  context.warn(`The legend is empty: ${explainEmptyLegend(request, options)}.`);
}

function explainEmptyLegend({ rule, scale }: GetLegendGraphicRequest, { hidesEmpty }: LegendOptions): string {
  const named = rule === undefined ? 'no rule' : `no rule '${excerpt(rule)}'`;
  const drawn = scale === undefined ? '' : ` at the scale 1:${scale}`;
  return `${named}${drawn}${hidesEmpty ? ' with features on the map' : ''} matches`;
}

/** The remote server draws it in every format, because only it knows its styles. */
async function createCascadedLegend(
  { services, signal }: WmsContext,
  { styles: [style], width, height, isTransparent }: GetLegendGraphicRequest,
  layer: CascadedLayer,
): Promise<ServiceReply> {
  const { legend } = await openCascade(services, layer, undefined, { style });
  const { pixels, ...size } = await legend({ width, height }, signal);
  const { encodePicture } = await import('../../../rendering/output/encode-picture.ts');
  const body = await encodePicture({ ...size, bytes: pixels }, 'png', { isOpaque: !isTransparent });
  return { contentType: 'image/png', body, isPacked: true };
}

async function createLegendPart(
  { context, request: { sentStyle } }: LegendContext,
  map: PublishedMap,
  { layer, style: reference }: StyledLayer,
  asked: string | undefined,
): Promise<LegendPart> {
  const { catalog } = context.services;
  if (sentStyle !== undefined) return { layer, ...(await loadSentContent(context, sentStyle)), folder: null };
  const style =
    map.kind === 'layer' && asked !== undefined
      ? await chooseMapStyle(catalog, layer, asked)
      : await findLayerStyle(catalog, layer, reference);
  if (style === undefined) {
    throw problem('wms-layer-not-drawable', { name: map.name, reason: 'it has no style', field: 'layer' });
  }
  return { layer, ...(await loadStyleContent(context, style)) };
}

async function loadStyleContent({ services }: WmsContext, style: MapStyle): Promise<Omit<LegendPart, 'layer'>> {
  const view = await loadMapStyleView(services.catalog, style);
  const { content } = getContentFile(view);
  return { style: await loadStoredStyle(services.styles.contents, view), content, folder: style.style.parent };
}

/** Returns the rows of a part, with feature counts if requested. */
async function resolveRowSelection(
  { context, request, options }: LegendContext,
  { layer, style, content }: LegendPart,
): Promise<RowSelection> {
  const { rule, scale } = request;
  const { tellsCounts, hidesEmpty } = options;
  const selection = {
    ...(rule === undefined ? {} : { rule }),
    ...(scale === undefined ? {} : { scaleDenominator: scale }),
  };
  if (layer === undefined || (!tellsCounts && !hidesEmpty)) return selection;
  const model = await loadStyleModel(context, content, style);
  const counted = await countRuleFeatures(context, request, layer, model);
  if (counted === undefined) return selection;
  const counts = listSelectedRows(model, selection).map((row) => counted.get(row.rule) ?? 0);
  return { ...selection, counts, tellsCounts, hidesEmpty };
}

function loadStyleModel({ services }: WmsContext, content: string, style: StoredStyle): Promise<StyledLayerDescriptor> {
  return services.styles.work.readModel(content, async () => style);
}

async function writeLegendDocument(context: WmsContext, parts: readonly SelectedPart[]): Promise<string> {
  const { buildLegendJson: legendOfRules } = await import('../../../styling/legend/legend-json.ts');
  const legends = [];
  for (const { layer, style, content, selection } of parts) {
    const rules = legendOfRules(await loadStyleModel(context, content, style), selection);
    const named = layer && { layerName: formatMapName(context, layer), title: layer.title };
    legends.push({ ...named, rules });
  }
  return JSON.stringify({ Legend: legends });
}

async function drawLegendPicture(
  { context, request, options }: LegendContext,
  parts: readonly SelectedPart[],
  { encoding }: LegendFormat,
): Promise<Uint8Array> {
  const { catalog, styles } = context.services;
  const { width, height, isTransparent } = request;
  const hasTitles = options.hasTitles ?? parts.length > 1;
  const pictures: LegendPicture[] = [];
  const fonts = await loadFontsToDraw(styles, catalog);
  for (const part of parts) {
    const look = { ...options.look, ...(hasTitles && part.layer !== undefined ? { title: part.layer.title } : {}) };
    const wishes = { ...part.selection, width, height, look, fonts };
    pictures.push(await styles.work.draw(part.style, wishes, createGraphicLoader(catalog, styles, part.folder)));
  }
  return joinLegends(pictures, {
    format: encoding === 'json' ? 'png' : encoding,
    isTransparent: isTransparent && encoding !== 'jpeg',
    isHorizontal: options.isGroupHorizontal,
    background: options.background,
    border: options.border,
  });
}

/** Returns undefined if the request describes no map (`bbox`, `srs` or `crs`, `srcwidth` and `srcheight`). */
async function countRuleFeatures(
  context: WmsContext,
  { map, version }: GetLegendGraphicRequest,
  layer: MapLayer,
  document: StyledLayerDescriptor,
): Promise<RuleCounts | undefined> {
  if (map === undefined) return undefined;
  const { services, settings, signal } = context;
  const named = await resolveMapLayers(context, map);
  const maps = named.map((each) => each.map);
  // Legend versions are independent of the service version: the name of the parameter determines the axis order.
  const isOlder = mapParameters.crs.aliases.some((name) => context.parameters.has(name));
  const frame = await resolveMapFrame(isOlder ? '1.1.1' : version, map, maps, settings);
  const drawn = createMapToDraw(context, map, named, frame);
  // Counts all styles of the document, because a legend shows all of them.
  const models = document.layers.flatMap(({ styles }) => styles).filter((each) => each.kind === 'userStyle');
  const layers = drawn.layers
    .filter((each) => each.layer.qualifiedName === layer.qualifiedName)
    .flatMap((each) => models.map((model) => ({ ...each, style: { ...each.style, model } })));
  return countPublished(services, { ...drawn, layers }, signal);
}
