/** GetLegendGraphic: what the rules of a style look like, as a picture. */
import { graphicLoader } from '../../catalog/styles/draw-style.ts';
import { storedStyle } from '../../catalog/styles/read-style.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { problem } from '../../lib/problem.ts';
import { chooseMapStyle, type MapStyle, referredStyle, viewOfStyle } from '../door/map-styles.ts';
import { layersOf, type PublishedMap } from '../door/published-map.ts';
import { findMap, type WmsContext } from './context.ts';
import { type LegendFormat, requestedLegendFormat } from './legend-formats.ts';
import type { GetLegendGraphicRequest } from './request.ts';

export async function getLegendGraphic(context: WmsContext, request: GetLegendGraphicRequest): Promise<ServiceReply> {
  const { catalog, styles } = context.services;
  const format = requestedLegendFormat(request.format);
  const map = await findMap(context, request.layer, 'description', 'layer');
  const style = await styleOf(context, map, request.style);
  const { width, height, rule, scale } = request;
  const picture = await styles.work.draw(
    await storedStyle(styles.contents, await viewOfStyle(catalog, style)),
    {
      width,
      height,
      ...(rule === undefined ? {} : { rule }),
      ...(scale === undefined ? {} : { scaleDenominator: scale }),
    },
    graphicLoader(catalog, styles, style.style.parent),
  );
  return { contentType: format.mediaType, body: await encoded(picture, format), isPacked: true };
}

/** Of a group the style of the layer that is drawn first. */
async function styleOf({ services }: WmsContext, map: PublishedMap, asked: string | undefined): Promise<MapStyle> {
  const [first] = layersOf(map, map.kind === 'group' ? (asked ?? null) : null);
  const style =
    first === undefined
      ? undefined
      : map.kind === 'layer' && asked !== undefined
        ? await chooseMapStyle(services.catalog, first.layer, asked)
        : await referredStyle(services.catalog, first.layer, first.style);
  if (style === undefined) {
    throw problem('wms-layer-not-drawable', { name: map.name, reason: 'it has no style', field: 'layer' });
  }
  return style;
}

async function encoded(picture: Uint8Array, { encoding }: LegendFormat): Promise<Uint8Array> {
  if (encoding === 'png') return picture;
  const { default: sharp } = await import('sharp');
  const opened = sharp(picture);
  return encoding === 'jpeg'
    ? opened.flatten({ background: '#ffffff' }).jpeg().toBuffer()
    : opened.toFormat(encoding).toBuffer();
}
