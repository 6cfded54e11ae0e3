/** Sample data: the countries of the world from the outlines that belong to the console, published as one change. */
import type { Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import countries from 'world-atlas/countries-110m.json';
import { writeRest } from '../../rest/cache.ts';
import { callRest, rest } from '../../rest/client.ts';
import { hashSha256 } from '../../rest/sha256.ts';

export const SAMPLE_WORKSPACE = 'sample';
export const SAMPLE_LAYER = 'countries';

const workspace = rest`/workspaces/${SAMPLE_WORKSPACE}`;

const css = `* {
  fill: #dbe7f3;
  stroke: #5b83ad;
  stroke-width: 0.6;
}

[@scale < 80000000] {
  label: [name];
  font-family: 'DejaVu Sans';
  font-size: 11;
  font-fill: #24405c;
  halo-radius: 1.2;
  halo-color: #ffffff;
}
`;

/** Publishes the sample, or restores it; returns the number of the change. */
export async function publishSample(signal: AbortSignal): Promise<number | null> {
  const bytes = new Blob([formatCountries()]);
  const sha256 = toHex(hashSha256(await bytes.text()));
  const request = { body: bytes, contentType: 'application/octet-stream', signal };
  await callRest(rest`/configuration/files/${sha256}`, { method: 'PUT', ...request });
  const file = { path: `${SAMPLE_LAYER}.properties`, bytes: bytes.size, sha256 };
  const { change } = await writeRest('/configuration/apply', { method: 'POST', body: createDocument(file), signal });
  return change;
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function createDocument(file: object): object {
  const store = `${workspace}/datastores/${SAMPLE_LAYER}`;
  const style = `${SAMPLE_WORKSPACE}:${SAMPLE_LAYER}`;
  const directory = `file:data/${SAMPLE_WORKSPACE}/${SAMPLE_LAYER}/1/`;
  const resources = [
    { kind: 'workspace', path: workspace, fields: {} },
    {
      kind: 'style',
      path: `${workspace}/styles/${SAMPLE_LAYER}`,
      fields: { content: css, format: 'css', filename: `${SAMPLE_LAYER}.css` },
    },
    { kind: 'dataStore', path: store, fields: { connectionParameters: { directory }, files: [file] } },
    { kind: 'featureType', path: `${store}/featuretypes/${SAMPLE_LAYER}`, fields: {} },
    {
      kind: 'layer',
      path: `${workspace}/layers/${SAMPLE_LAYER}`,
      fields: { defaultStyle: { name: style, workspace: SAMPLE_WORKSPACE } },
    },
  ];
  return { format: 'graticule-configuration/1', message: 'publish the sample data', resources };
}

/** As a property file, a text that the server reads as it is. */
function formatCountries(): string {
  const found = feature(countries, countries.objects['countries'] ?? { type: 'GeometryCollection', geometries: [] });
  const features = found.type === 'FeatureCollection' ? found.features : [found];
  const lines = features.flatMap(({ geometry, properties }, index) => {
    const { name = '' } = (properties ?? {}) as { readonly name?: string };
    const polygons =
      geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : geometry.type === 'Polygon'
          ? [geometry.coordinates]
          : [];
    return polygons.length === 0 ? [] : [`${index + 1}=${name}|MULTIPOLYGON(${polygons.map(formatPolygon).join(',')})`];
  });
  return ['_=name:String,*geom:MultiPolygon:srid=4326', ...lines, ''].join('\n');
}

function formatPolygon(rings: Polygon['coordinates']): string {
  const formatPosition = ([x = 0, y = 0]: Position) => `${x.toFixed(4)} ${y.toFixed(4)}`;
  return `(${rings.map((ring) => `(${ring.map(formatPosition).join(',')})`).join(',')})`;
}
