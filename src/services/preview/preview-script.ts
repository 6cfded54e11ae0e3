/** The browser script of the layer page. */
import { fitBoxFunction } from './fit-box.ts';

/** OpenLayers is available as `ol`. The WMS draws the map in Web Mercator; a click sends GetFeatureInfo. */
export const previewScript = `(() => {
  const target = document.getElementById('map');
  if (!target || !window.ol) return;
  const { wms, layer, box, queryable } = target.dataset;
  const source = new ol.source.ImageWMS({ url: wms, params: { LAYERS: layer, FORMAT: 'image/png' }, ratio: 1, serverType: 'geoserver' });
  const map = new ol.Map({
    target,
    controls: ol.control.defaults.defaults({ rotate: false, attribution: false }).extend([new ol.control.ScaleLine()]),
    layers: [new ol.layer.Image({ source })],
    // Several worlds: otherwise a wide map crops a layer of the whole Earth.
    view: new ol.View({ center: [0, 0], zoom: 1, maxZoom: 22, multiWorld: true }),
  });
  ${fitBoxFunction}
  if (box) fitBox(map, box, 17);
  source.on('imageloadend', () => { target.dataset.drawn = 'yes'; });
  source.on('imageloaderror', () => target.classList.add('failed'));

  const style = document.getElementById('style');
  const legend = document.getElementById('legend');
  style?.addEventListener('change', () => {
    delete target.dataset.drawn;
    source.updateParams({ STYLES: style.value });
    if (legend) {
      const address = new URL(legend.src);
      address.searchParams.set('style', style.value);
      legend.src = address.href;
    }
  });

  const found = document.getElementById('found');
  const showMessage = (words) => {
    const line = document.createElement('p');
    line.className = 'empty';
    line.textContent = words;
    found.replaceChildren(line);
  };
  const cell = (name, content) => {
    const made = document.createElement(name);
    made.textContent = content;
    return made;
  };
  const tableOf = ({ id, properties }) => {
    const table = document.createElement('table');
    table.append(cell('caption', id ?? ''));
    for (const [name, value] of Object.entries(properties ?? {})) {
      const row = document.createElement('tr');
      row.append(cell('th', name), cell('td', value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)));
      table.append(row);
    }
    return table;
  };
  if (queryable === 'true') {
    map.on('singleclick', ({ coordinate }) => {
      const view = map.getView();
      const address = source.getFeatureInfoUrl(coordinate, view.getResolution(), view.getProjection(), {
        INFO_FORMAT: 'application/json',
        FEATURE_COUNT: 10,
      });
      fetch(address)
        .then((reply) => (reply.ok ? reply.json() : Promise.reject(new Error(String(reply.status)))))
        .then(({ features = [] }) =>
          features.length === 0 ? showMessage('No features found at this position.') : found.replaceChildren(...features.map(tableOf)),
        )
        .catch(() => showMessage('The request for feature information failed.'));
    });
  }
})();
`;

export const previewStyles = `
/* The colours of styles are made for a white background. */
#map[data-wms] { background: #fff; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: 1rem; padding: 0; list-style: none; }
.cards li { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem; overflow: hidden; }
.cards img { display: block; width: 100%; height: 9rem; object-fit: contain; background: #fff; border-radius: .3rem; margin-bottom: .4rem; }
p > .note:first-child { margin-left: 0; }
.cards b { display: block; overflow-wrap: anywhere; }
.cards small { display: block; color: var(--soft); overflow-wrap: anywhere; }
th small { color: var(--soft); font-weight: normal; display: block; }
td code { overflow-wrap: anywhere; font: .85rem/1.4 ui-monospace, monospace; }
.still { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: .5rem; }
#legend { background: #fff; border: 1px solid var(--line); border-radius: .5rem; padding: .4rem; max-width: 100%; box-sizing: border-box; }
#found table { margin: 0 0 1rem; }
#found caption { text-align: left; font-weight: 600; padding: .3rem 0; }
form[role=search] input { font: inherit; padding: .2rem .5rem; max-width: 100%; box-sizing: border-box; }
form[role=search] button, #style { font: inherit; padding: .2rem .6rem; }
`;
