/** The browser script of pages with a map: draws the features of one address. */
import { fitBoxFunction } from '../../../preview/fit-box.ts';

/** OpenLayers is available as `ol`. Features have longitude first and are drawn in Web Mercator. */
export const mapScript = `(() => {
  const target = document.getElementById('map');
  if (!target || !window.ol) return;
  const styles = getComputedStyle(document.documentElement);
  const [color, soft, ink, paper] = ['accent', 'line', 'soft', 'paper'].map((name) =>
    styles.getPropertyValue('--' + name).trim(),
  );
  const stroke = new ol.style.Stroke({ color, width: 1.5 });
  const fill = new ol.style.Fill({ color: color + '33' });
  const label = (textBaseline, textAlign = 'center') =>
    new ol.style.Text({
      font: '11px system-ui, sans-serif',
      textBaseline,
      textAlign,
      fill: new ol.style.Fill({ color: ink }),
      stroke: new ol.style.Stroke({ color: paper, width: 3 }),
    });
  const source = new ol.source.Vector();
  const map = new ol.Map({
    target,
    controls: ol.control.defaults.defaults({ rotate: false, attribution: false }).extend([
      new ol.control.ScaleLine(),
      new ol.control.MousePosition({
        projection: 'EPSG:4326',
        coordinateFormat: ol.coordinate.createStringXY(4),
        className: 'position',
        placeholder: '',
      }),
    ]),
    layers: [
      new ol.layer.Graticule({
        strokeStyle: new ol.style.Stroke({ color: soft, width: 1 }),
        showLabels: true,
        lonLabelPosition: 0.02,
        latLabelPosition: 0.99,
        lonLabelStyle: label('bottom'),
        latLabelStyle: label('middle', 'end'),
        wrapX: true,
      }),
      new ol.layer.Vector({
        source,
        style: new ol.style.Style({
          stroke,
          fill,
          image: new ol.style.Circle({ radius: 5, stroke, fill }),
        }),
      }),
    ],
    // Several worlds: otherwise a wide map crops a collection of the whole Earth.
    view: new ol.View({ center: [0, 0], zoom: 1, maxZoom: 20, multiWorld: true }),
  });
  map.on('singleclick', ({ pixel }) => {
    const feature = map.forEachFeatureAtPixel(pixel, (each) => each, { hitTolerance: 4 });
    const row = feature && document.querySelector('[data-id="' + CSS.escape(String(feature.getId())) + '"]');
    document.querySelectorAll('tr.chosen').forEach((each) => each.classList.remove('chosen'));
    if (row) {
      row.classList.add('chosen');
      row.scrollIntoView({ block: 'center', behavior: 'smooth' });
    }
  });
  ${fitBoxFunction}
  const { box } = target.dataset;
  if (box) fitBox(map, box, 15);
  fetch(target.dataset.features, { headers: { accept: 'application/geo+json' } })
    .then((reply) => (reply.ok ? reply.json() : Promise.reject(new Error(String(reply.status)))))
    .then((found) => {
      const features = new ol.format.GeoJSON().readFeatures(found, { featureProjection: 'EPSG:3857' });
      source.addFeatures(features);
      if (!box) fitBox(map, ol.proj.transformExtent(source.getExtent(), 'EPSG:3857', 'EPSG:4326').join(','), 15);
      target.dataset.drawn = String(features.length);
    })
    .catch(() => target.classList.add('failed'));
})();
`;

/** The styles of the map, which override those of the OpenLayers controls. */
export const mapStyles = `
#map { position: relative; height: clamp(18rem, 50vh, 34rem); margin: 1rem 0; border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; background: var(--paper); }
#map.failed { display: none; }
#map .position { position: absolute; right: .5rem; bottom: .5rem; font: .8rem/1 ui-monospace, monospace; color: var(--soft); pointer-events: none; }
tr.chosen { background: color-mix(in srgb, var(--accent) 15%, transparent); }
`;
