/** GetStyles: returns all styles of layers as one SLD document. */
import { getContentFile, loadStoredStyle } from '../../catalog/styles/read-style.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { NamedLayer, StyledLayerDescriptor, UserStyle } from '../../styling/model/model.ts';
import { listMapStyles, loadMapStyleView } from '../access/map-styles.ts';
import { listStyledLayers, type MapLayer } from '../access/published-map.ts';
import { findStyleForLayer } from '../maps/style-models.ts';
import { formatMapName, getPublishedMap, type WmsContext } from './context/context.ts';
import type { GetStylesRequest, SldVersion } from './request/request.ts';

export async function getStyles(context: WmsContext, request: GetStylesRequest): Promise<ServiceReply> {
  const layers: NamedLayer[] = [];
  for (const name of request.layers) {
    const map = await getPublishedMap(context, name, 'description');
    for (const { layer } of listStyledLayers(map, null)) layers.push(await createStyledLayer(context, layer));
  }
  return {
    contentType: 'application/vnd.ogc.sld+xml',
    body: await writeStyles({ kind: 'styledLayerDescriptor', layers }, request.sldVersion),
    headers: { 'content-disposition': 'inline; filename=styles.sld' },
  };
}

async function createStyledLayer(context: WmsContext, layer: MapLayer): Promise<NamedLayer> {
  const { catalog, styles: work } = context.services;
  const styles: UserStyle[] = [];
  for (const [index, style] of (await listMapStyles(catalog, layer)).entries()) {
    const view = await loadMapStyleView(catalog, style);
    const file = view.file === null ? undefined : getContentFile(view);
    const document = file && (await work.work.readModel(file.content, () => loadStoredStyle(work.contents, view)));
    const model = document && findStyleForLayer(document, layer);
    if (model !== undefined) styles.push({ ...model, name: style.style.name, isDefault: index === 0 });
  }
  return { kind: 'namedLayer', name: formatMapName(context, layer), styles };
}

/** Uses the older version unless it cannot express the styles or the newer one is requested. */
async function writeStyles(model: StyledLayerDescriptor, version: SldVersion | undefined): Promise<string> {
  const { writeSld } = await import('../../styling/sld/writer.ts');
  if (version !== undefined) return writeSld(model, version);
  try {
    return writeSld(model, '1.0.0');
  } catch (error) {
    if (error instanceof Problem && error.code === 'style-not-convertible') return writeSld(model, '1.1.0');
    throw error;
  }
}
