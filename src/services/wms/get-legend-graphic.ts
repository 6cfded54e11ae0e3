/** GetLegendGraphic: what the rules of a style look like, as a picture or as a document. */
import { graphicLoader } from '../../catalog/styles/draw-style.ts';
import { contentFileOf, storedStyle } from '../../catalog/styles/read-style.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { problem } from '../../lib/problem.ts';
import type { LegendLook } from '../../styling/legend/legend-look.ts';
import type { StoredStyle } from '../../styling/style-tasks.ts';
import { chooseMapStyle, referredStyle, viewOfStyle } from '../door/map-styles.ts';
import { layersOf, type MapLayer, type PublishedMap, type StyledLayer } from '../door/published-map.ts';
import { findMap, shownName, type WmsContext } from './context.ts';
import { type LegendFormat, requestedLegendFormat } from './legend-formats.ts';
import type { GetLegendGraphicRequest } from './request.ts';
import { sentContent } from './sent-style.ts';

/** What one part of a legend is made of. */
interface LegendPart {
  readonly layer: MapLayer;
  readonly style: StoredStyle;
  /** Names the bytes of the style. */
  readonly content: string;
  /** Where its pictures are. */
  readonly folder: string | null;
}

export async function getLegendGraphic(context: WmsContext, request: GetLegendGraphicRequest): Promise<ServiceReply> {
  const format = requestedLegendFormat(request.format);
  const map = await findMap(context, request.layer, 'description', 'layer');
  const parts: LegendPart[] = [];
  for (const styled of layersOf(map, map.kind === 'group' ? (request.style ?? null) : null)) {
    parts.push(await partOf(context, request, map, styled));
  }
  return format.encoding === 'json'
    ? { contentType: format.mediaType, body: await asDocument(context, request, parts) }
    : { contentType: format.mediaType, body: await asPicture(context, request, parts, format), isPacked: true };
}

async function partOf(
  context: WmsContext,
  { style: asked, sentStyle }: GetLegendGraphicRequest,
  map: PublishedMap,
  { layer, style: reference }: StyledLayer,
): Promise<LegendPart> {
  const { catalog, styles } = context.services;
  if (sentStyle !== undefined) return { layer, ...(await sentContent(context, sentStyle)), folder: null };
  const style =
    map.kind === 'layer' && asked !== undefined
      ? await chooseMapStyle(catalog, layer, asked)
      : await referredStyle(catalog, layer, reference);
  if (style === undefined) {
    throw problem('wms-layer-not-drawable', { name: map.name, reason: 'it has no style', field: 'layer' });
  }
  const view = await viewOfStyle(catalog, style);
  const { content } = contentFileOf(view);
  return { layer, style: await storedStyle(styles.contents, view), content, folder: style.style.parent };
}

function selectionOf({ rule, scale }: GetLegendGraphicRequest) {
  return { ...(rule === undefined ? {} : { rule }), ...(scale === undefined ? {} : { scaleDenominator: scale }) };
}

async function asDocument(
  context: WmsContext,
  request: GetLegendGraphicRequest,
  parts: readonly LegendPart[],
): Promise<string> {
  const { legendOfRules } = await import('../../styling/legend/legend-json.ts');
  const legends = [];
  for (const { layer, style, content } of parts) {
    const model = await context.services.styles.work.model(content, async () => style);
    const rules = legendOfRules(model, selectionOf(request));
    legends.push({ layerName: shownName(context, layer), title: layer.title, rules });
  }
  return JSON.stringify({ Legend: legends });
}

/** Of a group the legends of its layers, one below the other. */
async function asPicture(
  { services }: WmsContext,
  request: GetLegendGraphicRequest,
  parts: readonly LegendPart[],
  { encoding }: LegendFormat,
): Promise<Uint8Array> {
  const { catalog, styles } = services;
  const { width, height } = request;
  const wishes = { ...selectionOf(request), width, height, look: lookOf(request) };
  const pictures: Uint8Array[] = [];
  for (const { style, folder } of parts) {
    pictures.push(await styles.work.draw(style, wishes, graphicLoader(catalog, styles, folder)));
  }
  const [first] = pictures;
  const background = colourNamed(request.options.get('bgcolor')) ?? '#ffffff';
  if (first !== undefined && pictures.length === 1 && encoding === 'png' && request.isTransparent) return first;
  const { default: sharp } = await import('sharp');
  const joined = pictures.length === 1 ? sharp(first) : sharp(await stacked(pictures));
  const picture = request.isTransparent && encoding !== 'jpeg' ? joined : joined.flatten({ background });
  return picture.toFormat(encoding === 'json' ? 'png' : encoding).toBuffer();
}

const GAP_PIXELS = 4;

async function stacked(pictures: readonly Uint8Array[]): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const placed: { input: Buffer; left: number; top: number }[] = [];
  let [width, top] = [1, 0];
  for (const input of pictures) {
    const { width: wide, height: high } = await sharp(input).metadata();
    placed.push({ input: Buffer.from(input), left: 0, top });
    width = Math.max(width, wide);
    top += high + GAP_PIXELS;
  }
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const height = Math.max(1, top - GAP_PIXELS);
  return sharp({ create: { width, height, channels: 4, background } })
    .composite(placed)
    .png()
    .toBuffer();
}

/** What LEGEND_OPTIONS says of it; what cannot be read says nothing. */
function lookOf({ options }: GetLegendGraphicRequest): LegendLook {
  const [name, style, layout] = ['fontname', 'fontstyle', 'layout'].map((each) => options.get(each)?.toLowerCase());
  const size = Number(options.get('fontsize'));
  const dpi = Number(options.get('dpi'));
  const factor = dpi >= MIN_DPI && dpi <= MAX_DPI ? dpi / STANDARD_DPI : 1;
  const labels = options.get('forcelabels')?.toLowerCase();
  const fontColor = colourNamed(options.get('fontcolor'));
  return {
    ...(name === undefined ? {} : { fontName: name }),
    ...(size > 0 ? { fontSize: size * factor } : {}),
    ...(fontColor === undefined ? {} : { fontColor }),
    isBold: style === 'bold' || style === 'bold-italic',
    isItalic: style === 'italic' || style === 'bold-italic',
    ...(labels === 'on' || labels === 'off' ? { hasLabels: labels === 'on' } : {}),
    isHorizontal: layout === 'horizontal',
  };
}

const STANDARD_DPI = 25.4 / 0.28;
const MIN_DPI = 10;
const MAX_DPI = 1_200;

/** `0xRRGGBB` or `#RRGGBB`. */
function colourNamed(text: string | undefined): string | undefined {
  const [, digits] = /^(?:0x|#)?([0-9a-f]{6})$/i.exec(text?.trim() ?? '') ?? [];
  return digits === undefined ? undefined : `#${digits.toLowerCase()}`;
}
