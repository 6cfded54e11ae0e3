/** Maps of a test server: layers with known squares, and the pixels of responses. */

import { column, geometryColumn, wkt } from './feature-collections.ts';
import { publishTables } from './published-features.ts';
import type { Reply, TestServer } from './test-server.ts';

/** `west` covers the left half of the box 0, 0, 10, 10 and `east` the right half; each row has a kind. */
export async function publishSquares(server: TestServer, workspace = 'topo'): Promise<void> {
  const attributes = [geometryColumn('Polygon'), column('kind', 'string'), column('rank', 'integer')];
  await publishTables(server, workspace, [
    {
      name: 'west',
      attributes,
      rows: [
        [wkt('POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0))'), 'low', 1],
        [wkt('POLYGON ((0 5, 5 5, 5 10, 0 10, 0 5))'), 'high', 2],
      ],
    },
    { name: 'east', attributes, rows: [[wkt('POLYGON ((5 0, 10 0, 10 10, 5 10, 5 0))'), 'whole', 3]] },
  ]);
  await setFill(server, workspace, 'west', 'red', '#ff0000');
  await setFill(server, workspace, 'east', 'blue', '#0000ff');
}

/** Creates a plain-color style in a workspace and makes it the default of a layer. */
export async function setFill(
  server: TestServer,
  workspace: string,
  layer: string,
  style: string,
  colour: string,
): Promise<void> {
  const made = await server.post(`/workspaces/${workspace}/styles?name=${style}`, fillSld(colour), {
    type: 'application/vnd.ogc.sld+xml',
  });
  const body = `<layer><defaultStyle><name>${style}</name><workspace>${workspace}</workspace></defaultStyle></layer>`;
  const set = await server.put(`/layers/${workspace}:${layer}`, body, { type: 'xml' });
  if (made.status !== 201 || set.status !== 200) throw new Error(`${made.text} ${set.text}`);
}

/** An SLD for one layer or any layer that fills the matching features in one color. */
export function fillSld(colour: string, { layer = 'any', rule = '', title = '' } = {}): string {
  return `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink"><NamedLayer><Name>${layer}</Name><UserStyle>${title === '' ? '' : `<Title>${title}</Title>`}<FeatureTypeStyle><Rule><Name>fill</Name><Title>Filled</Title>${rule}<PolygonSymbolizer><Fill><CssParameter name="fill">${colour}</CssParameter></Fill></PolygonSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
}

/** The box 0, 0, 10, 10 as an image of 20 by 20 pixels. */
export const SMALL_MAP =
  'service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&bbox=0,0,10,10&width=20&height=20&format=image/png&styles=';

export function askMap(server: TestServer, query: string, as: string | null = null): Promise<Reply> {
  return server.get(`//geoserver/wms?${query}`, { as });
}

/** The color of a pixel as `#rrggbb`, followed by the opacity if it is not opaque. */
export async function colourAt({ bytes, text }: Reply, x: number, y: number): Promise<string> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw new Error(`Expected a picture, got: ${text.slice(0, 500)}`);
    });
  const at = (y * info.width + x) * 4;
  const hex = data.subarray(at, at + 4).toString('hex');
  return hex.endsWith('ff') ? `#${hex.slice(0, 6)}` : `#${hex}`;
}
