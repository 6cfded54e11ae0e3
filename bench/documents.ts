/** A labelled map as PDF, compared with the same map as PNG. */
import { byTurns, startAsking } from './asking.ts';
import type { Bench } from './sections/section.ts';
import { thousands } from './sections/section.ts';
import { authorization, type ServerChild, startServerChild } from './server-child.ts';

const POLYGONS = 3_600;
const COLUMNS = 60;
const CORNERS = 40;
const MAX_RATIO = 2;

const style = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
<NamedLayer><Name>labelled</Name><UserStyle><FeatureTypeStyle><Rule>
<PolygonSymbolizer><Fill><CssParameter name="fill">#ccddee</CssParameter></Fill><Stroke/></PolygonSymbolizer>
<TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName></Label>
<Font><CssParameter name="font-family">DejaVu Sans</CssParameter><CssParameter name="font-size">8</CssParameter></Font>
<Halo><Radius>1</Radius></Halo></TextSymbolizer>
</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

export async function benchDocuments({ report, directory }: Pick<Bench, 'report' | 'directory'>): Promise<void> {
  const server = await startServerChild(await directory());
  const { ask, close } = startAsking(({ type }) => !type.includes('xml'));
  try {
    await send(server, 'POST', 'workspaces', JSON.stringify({ workspace: { name: 'documents' } }));
    await send(server, 'POST', 'styles?name=labelled', style);
    await send(server, 'PUT', 'workspaces/documents/datastores/ellipses/file.geojson', createEllipses());
    const getMap = (format: string): string =>
      `${server.origin}/geoserver/wms?service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&width=1600&height=800` +
      `&layers=documents:ellipses&styles=labelled&bbox=-62,-31,62,31&format=${format}`;
    const { pdf, png } = await byTurns(ask, { pdf: getMap('application/pdf'), png: getMap('image/png') });
    report.add({
      what: `a PDF of ${thousands(POLYGONS)} labelled polygons, p50`,
      measured: `${pdf.toFixed(0)} ms`,
      baseline: `${png.toFixed(0)} ms (the same map as PNG)`,
      ratio: (pdf / png).toFixed(2),
      aim: `ratio at most ${MAX_RATIO.toFixed(1)}`,
      met: pdf / png <= MAX_RATIO,
    });
  } finally {
    close();
    await server.stop();
  }
}

function createEllipses(): string {
  const features = Array.from({ length: POLYGONS }, (_, index) => {
    const [x, y] = [(index % COLUMNS) * 2 - COLUMNS, Math.floor(index / COLUMNS) - COLUMNS / 2];
    const ring = Array.from({ length: CORNERS + 1 }, (__, corner) => {
      const angle = ((corner % CORNERS) / CORNERS) * 2 * Math.PI;
      return [x + 0.9 * Math.cos(angle), y + 0.45 * Math.sin(angle)];
    });
    const geometry = { type: 'Polygon', coordinates: [ring] };
    return { type: 'Feature', properties: { name: `Parcel ${index}` }, geometry };
  });
  return JSON.stringify({ type: 'FeatureCollection', features });
}

async function send(server: ServerChild, method: 'POST' | 'PUT', path: string, body: string): Promise<void> {
  const type = body.startsWith('<') ? 'application/vnd.ogc.sld+xml' : 'application/json';
  const headers = { authorization, 'content-type': type };
  const reply = await fetch(`${server.restUrl}/${path}`, { method, headers, body });
  if (reply.status !== 201) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
  await reply.arrayBuffer();
}
