/** GetStyles: returns all styles of layers as one SLD document. */
import { loadStoredStyle } from '../../catalog/styles/read-style.ts';
import type { ServiceReply } from '../../http/session/service-reply.ts';
import type { JoinedLayer } from '../../styling/style-tasks.ts';
import { listMapStyles, loadMapStyleView } from '../access/map-styles.ts';
import { listStyledLayers, type MapLayer } from '../access/published-map.ts';
import { listLayerNames } from '../maps/style-models.ts';
import { formatMapName, getPublishedMap, type WmsContext } from './context/context.ts';
import type { GetStylesRequest } from './request/request.ts';

export async function getStyles(context: WmsContext, request: GetStylesRequest): Promise<ServiceReply> {
  const layers: JoinedLayer[] = [];
  for (const name of request.layers) {
    const map = await getPublishedMap(context, name, 'description');
    for (const { layer } of listStyledLayers(map, null)) layers.push(await loadLayerStyles(context, layer));
  }
  return {
    contentType: 'application/vnd.ogc.sld+xml',
    body: await context.services.styles.work.join({ layers, version: request.sldVersion }),
    headers: { 'content-disposition': 'inline; filename=styles.sld' },
  };
}

async function loadLayerStyles(context: WmsContext, layer: MapLayer): Promise<JoinedLayer> {
  const { catalog, styles: work } = context.services;
  const styles: JoinedLayer['styles'][number][] = [];
  for (const [index, style] of (await listMapStyles(catalog, layer)).entries()) {
    const view = await loadMapStyleView(catalog, style);
    if (view.file === null) continue;
    styles.push({ style: await loadStoredStyle(work.contents, view), isDefault: index === 0 });
  }
  return { name: formatMapName(context, layer), layerNames: listLayerNames(layer), styles };
}
