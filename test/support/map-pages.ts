/** Serves pages with web map libraries from another origin than the maps, as in real applications. */
import { readFile } from 'node:fs/promises';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import sharp from 'sharp';

/** The folder of each library, relative to `test/clients`. */
const folders = {
  ol: '../../node_modules/ol/',
  proj4: '../../node_modules/proj4/dist/',
  leaflet: 'node_modules/leaflet/dist/',
  maplibre: 'node_modules/maplibre-gl/dist/',
  pmtiles: '../../node_modules/pmtiles/dist/',
} as const;

const clients = new URL('../clients/', import.meta.url);

const olHead = '<link rel="stylesheet" href="/ol/ol.css"><script src="/ol/dist/ol.js"></script>';
const pmtilesHead = '<script src="/pmtiles/pmtiles.js"></script>';
const maplibreHead = `<link rel="stylesheet" href="/maplibre/maplibre-gl.css"><script type="module">
    import * as maplibregl from '/maplibre/maplibre-gl.mjs';`;

/** The libraries of a page. The build of `ol-pmtiles` for pages does not work with the build of OpenLayers for pages. */
const heads = {
  ol: `${olHead}<script>`,
  proj4: `${olHead}<script src="/proj4/proj4.js"></script><script>`,
  leaflet: '<link rel="stylesheet" href="/leaflet/leaflet.css"><script src="/leaflet/leaflet.js"></script><script>',
  maplibre: maplibreHead,
  'ol with pmtiles': `${olHead}${pmtilesHead}<script>`,
  'maplibre with pmtiles': `${pmtilesHead}${maplibreHead}`,
} as const;

export interface MapPage {
  readonly library: keyof typeof heads;
  /** Draws into the element `map`, and sets `window.isDrawn` at the end. */
  readonly script: string;
}

export interface MapSite {
  readonly port: number;
  close(): void;
}

/** Page of a map of 400 by 400 pixels; the map element must exist before its script runs. */
const writePage = (name: string, { library, script }: MapPage) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,">
<style>body { margin: 0; background: #fff } #map { width: 400px; height: 400px; background: #fff !important }</style>
<div id="map"></div>${heads[library]}${script}</script></html>`;

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
};

/** Serves pages by their name, the libraries, and the server at `proxiedPort` below `/geoserver`, as a proxy does. */
export async function startMapSite(
  findPage: (name: string) => MapPage | undefined,
  proxiedPort?: number,
): Promise<MapSite> {
  const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const { url = '' } = request;
    if (proxiedPort !== undefined && url.startsWith('/geoserver/')) return passOn(request, reply, proxiedPort);
    const [, library = '', file = ''] = /^\/(\w+)\/([\w./-]+)/.exec(url) ?? [];
    const folder = Object.hasOwn(folders, library) ? folders[library as keyof typeof folders] : undefined;
    const name = decodeURIComponent(url.slice(1));
    const page = findPage(name);
    reply.setHeader('content-type', folder === undefined ? 'text/html' : (mediaTypes[extname(file)] ?? 'text/plain'));
    reply.statusCode = page === undefined && folder === undefined ? 404 : 200;
    reply.end(folder === undefined ? page && writePage(name, page) : await readFile(new URL(folder + file, clients)));
  };
  const site = createServer((request, reply) => void answer(request, reply));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return { port: (site.address() as AddressInfo).port, close: () => site.close() };
}

function passOn(request: IncomingMessage, reply: ServerResponse, port: number): void {
  const { url: path, method, headers } = request;
  const passed = forward({ host: '127.0.0.1', port, path, method, headers }, (response) => {
    reply.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(reply);
  });
  passed.on('error', () => reply.destroy());
  passed.end();
}

/**
 * Colors of a map of 400 by 400 pixels around 5, 5 degrees with the squares of `publishSquares` in its center: two
 * degrees from the center, away from the border between squares, and just outside of the squares.
 */
export async function readSquares(screenshot: Buffer | undefined) {
  const { data, info } = await sharp(screenshot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const colourAt = (x: number, y: number) =>
    data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3).toString('hex');
  return {
    west: [colourAt(154, 180), colourAt(154, 154), colourAt(95, 230)],
    east: [colourAt(246, 180), colourAt(246, 246), colourAt(305, 230)],
    outside: [colourAt(78, 200), colourAt(322, 200), colourAt(200, 78), colourAt(200, 322)],
  };
}

export const drawnSquares = {
  west: ['ff0000', 'ff0000', 'ff0000'],
  east: ['0000ff', '0000ff', '0000ff'],
  outside: ['ffffff', 'ffffff', 'ffffff', 'ffffff'],
};

/** A map of OpenLayers with these layers, which is drawn once all sources are ready. */
export const drawOpenLayers = (layers: string, view = '{ center: ol.proj.fromLonLat([5, 5]), zoom: 5 }') => `
  const fill = (color) => new ol.style.Style({ fill: new ol.style.Fill({ color }) });
  const view = new ol.View(${view});
  (async () => {
    const layers = await (${layers})();
    const map = new ol.Map({ target: 'map', view, controls: [], layers });
    const isReady = () => layers.every((each) => each.getSource().getState() === 'ready');
    // Sources that ask what there is are not waited for.
    map.on('rendercomplete', () => { if (isReady()) window.isDrawn = true; else setTimeout(() => map.render(), 50); });
  })();`;

/** A map of MapLibre with these sources: `west` has features, and `east` images. */
export const drawMapLibre = (sources: string) => `
  const map = new maplibregl.Map({ container: 'map', center: [5, 5], zoom: 4, fadeDuration: 0, attributionControl: false, style: {
    version: 8,
    sources: ${sources},
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': '#ffffff' } },
      { id: 'west', type: 'fill', source: 'west', 'source-layer': 'west', paint: { 'fill-color': '#ff0000', 'fill-antialias': false } },
      { id: 'east', type: 'raster', source: 'east' },
    ],
  } });
  map.once('idle', () => { window.isDrawn = true; });`;
