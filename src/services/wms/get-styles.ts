/** GetStyles: all the styles of layers, as one SLD document. */
import { getContentFile, loadStoredStyle } from '../../catalog/styles/read-style.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { Problem } from '../../lib/problem.ts';
import type { NamedLayer, StyledLayerDescriptor, UserStyle } from '../../styling/model.ts';
import { stylesOfMap, viewOfStyle } from '../door/map-styles.ts';
import { layersOf, type MapLayer } from '../door/published-map.ts';
import { styleFor } from '../maps/style-models.ts';
import { findMap, shownName, type WmsContext } from './context.ts';
import type { GetStylesRequest, SldVersion } from './request.ts';

export async function getStyles(context: WmsContext, request: GetStylesRequest): Promise<ServiceReply> {
  const layers: NamedLayer[] = [];
  for (const name of request.layers) {
    const map = await findMap(context, name, 'description');
    for (const { layer } of layersOf(map, null)) layers.push(await styledLayer(context, layer));
  }
  return {
    contentType: 'application/vnd.ogc.sld+xml',
    body: await written({ kind: 'styledLayerDescriptor', layers }, request.sldVersion),
    headers: { 'content-disposition': 'inline; filename=styles.sld' },
  };
}

async function styledLayer(context: WmsContext, layer: MapLayer): Promise<NamedLayer> {
  const { catalog, styles: work } = context.services;
  const styles: UserStyle[] = [];
  for (const [index, style] of (await stylesOfMap(catalog, layer)).entries()) {
    const view = await viewOfStyle(catalog, style);
    const file = view.file === null ? undefined : getContentFile(view);
    const document = file && (await work.work.readModel(file.content, () => loadStoredStyle(work.contents, view)));
    const model = document && styleFor(document, layer);
    if (model !== undefined) styles.push({ ...model, name: style.style.name, isDefault: index === 0 });
  }
  return { kind: 'namedLayer', name: shownName(context, layer), styles };
}

/** In the older version, unless that cannot say it all or another is asked for. */
async function written(model: StyledLayerDescriptor, version: SldVersion | undefined): Promise<string> {
  const { writeSld } = await import('../../styling/sld/writer.ts');
  if (version !== undefined) return writeSld(model, version);
  try {
    return writeSld(model, '1.0.0');
  } catch (error) {
    if (error instanceof Problem && error.code === 'style-not-convertible') return writeSld(model, '1.1.0');
    throw error;
  }
}
