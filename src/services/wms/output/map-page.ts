/** A page with an interactive map drawn by this service; all resources come from this server. */
import { contentSecurityPolicy, html, text } from '../../../http/serialization/html-page.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { findSentText } from '../../ows/service-parameters.ts';
import { formatMapName, type WmsContext } from '../context/context.ts';
import type { MapFrame } from '../map/map-frame.ts';
import type { NamedMap } from '../map/map-layers.ts';
import { mapParameters } from '../request/parameters.ts';

const policy = contentSecurityPolicy
  .replace("style-src '", "style-src 'self' '")
  .replace("img-src 'self'", "img-src 'self' data:")
  .concat("; script-src 'self'; connect-src 'self'");

/** The parameters that are passed on to every map of the page. */
const forwardedParameters = [
  mapParameters.styles,
  mapParameters.cqlFilter,
  mapParameters.filter,
  mapParameters.featureId,
  mapParameters.time,
  mapParameters.elevation,
  mapParameters.env,
  mapParameters.language,
  mapParameters.viewParams,
  mapParameters.sld,
  mapParameters.sldBody,
];

export function createMapPage(
  context: WmsContext,
  named: readonly NamedMap[],
  frame: MapFrame,
): Omit<ServiceReply, 'contentType'> {
  const { root, address, parameters } = context;
  const names = named.map(({ map }) => formatMapName(context, map));
  const { minX, minY, maxX, maxY } = frame.box;
  const wishes = forwardedParameters.flatMap((declared) => {
    const value = findSentText(parameters, declared);
    return value === undefined ? [] : [[declared.name.toLowerCase(), value] as const];
  });
  const asked = { ...Object.fromEntries(wishes), layers: names.join(',') };
  const body = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text(names.join(', '))}</title>
<link rel="stylesheet" href="${text(`${root}/ogc/assets/map.css`)}"></head>
<body>
<div id="map" data-service="${text(address)}" data-parameters="${text(JSON.stringify(asked))}" data-crs="${text(frame.crs)}" data-box="${text([minX, minY, maxX, maxY].join(','))}" role="img" aria-label="${text(`A map of ${names.join(', ')}`)}"></div>
<script src="${text(`${root}/ogc/assets/ol.js`)}" defer></script>
<script src="${text(`${root}/ogc/assets/wms.js`)}" defer></script>
</body>
</html>
`;
  return { body, headers: { 'content-security-policy': policy } };
}

/** OpenLayers is available as `ol`. CRSs that it does not know are displayed without reprojection. */
export const wmsScript = `(() => {
  const target = document.getElementById('map');
  if (!target || !window.ol) return;
  const { service, crs } = target.dataset;
  const box = target.dataset.box.split(',').map(Number);
  const projection = ol.proj.get(crs) || new ol.proj.Projection({ code: crs, units: 'm', extent: box });
  const source = new ol.source.ImageWMS({
    url: service,
    params: { ...JSON.parse(target.dataset.parameters), VERSION: '1.1.1' },
    projection,
    ratio: 1,
    serverType: 'geoserver',
  });
  source.on('imageloadend', () => {
    target.dataset.drawn = 'true';
  });
  source.on('imageloaderror', () => target.classList.add('failed'));
  const map = new ol.Map({
    target,
    layers: [new ol.layer.Image({ source })],
    view: new ol.View({ projection, center: ol.extent.getCenter(box), zoom: 1 }),
  });
  map.getView().fit(box);
})();
`;
