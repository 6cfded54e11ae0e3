/** DescribeLayer: returns the services that provide the data of layers. */
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { problem } from '../../lib/problems/problem.ts';
import { escapeAttribute } from '../../lib/xml/escape.ts';
import { listStyledLayers, type MapLayer } from '../access/published-map.ts';
import { isAmong } from '../ows/format-names.ts';
import { getPublishedMap, type WmsContext } from './context/context.ts';
import type { DescribeLayerRequest } from './request/request.ts';

interface LayerDescription {
  readonly layerName: string;
  readonly owsURL: string;
  readonly owsType: 'WFS' | 'WCS' | '';
  readonly typeName: string;
}

const XML = 'application/vnd.ogc.wms_xml';
const JSON_TYPE = 'application/json';

export async function describeLayer(context: WmsContext, request: DescribeLayerRequest): Promise<ServiceReply> {
  const { version, outputFormat = XML } = request;
  const descriptions: LayerDescription[] = [];
  for (const name of request.layers) {
    const map = await getPublishedMap(context, name, 'description');
    descriptions.push(...listStyledLayers(map, null).map(({ layer }) => createLayerDescription(context, layer)));
  }
  if (isAmong([JSON_TYPE, 'json'], outputFormat)) {
    const body = JSON.stringify({ version, layerDescriptions: descriptions });
    return { contentType: `${JSON_TYPE};charset=utf-8`, body };
  }
  if (!isAmong([XML, 'text/xml'], outputFormat)) {
    throw problem('wms-format-unknown', { format: outputFormat, formats: [XML, JSON_TYPE], field: 'output_format' });
  }
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE WMS_DescribeLayerResponse SYSTEM "http://schemas.opengis.net/wms/1.1.1/WMS_DescribeLayerResponse.dtd">
<WMS_DescribeLayerResponse version="${version}">
${descriptions.map(writeLayerDescription).join('')}</WMS_DescribeLayerResponse>
`;
  return { contentType: XML, body };
}

/** Uses the address of the same scope: types of an isolated workspace are available only there. */
function createLayerDescription(
  { root, mapAccess }: WmsContext,
  { qualifiedName, resource, type }: MapLayer,
): LayerDescription {
  const owsType = type !== undefined ? 'WFS' : resource.kind === 'coverage' ? 'WCS' : '';
  const place = mapAccess.workspace === undefined ? root : `${root}/${encodeURIComponent(mapAccess.workspace.name)}`;
  const owsURL = owsType === '' ? '' : `${place}/${owsType.toLowerCase()}?`;
  return { layerName: qualifiedName, owsURL, owsType, typeName: qualifiedName };
}

function writeLayerDescription({ layerName, owsURL, owsType, typeName }: LayerDescription): string {
  const url = escapeAttribute(owsURL);
  const name = escapeAttribute(layerName);
  if (owsType === '') return `<LayerDescription name="${name}"/>\n`;
  const wfs = owsType === 'WFS' ? ` wfs="${url}"` : '';
  return `<LayerDescription name="${name}"${wfs} owsURL="${url}" owsType="${owsType}"><Query typeName="${escapeAttribute(typeName)}"/></LayerDescription>
`;
}
