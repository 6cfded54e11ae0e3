/** A map request that its client cancels: the server stops computing it for any style, and shuts down without delay. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { noiseSvg } from '../support/svg-graphics.ts';
import { pointShapefile, zipOf } from '../support/vector-samples.ts';
import { type StartedServer, startServer } from './started-server.ts';

/** The most expensive SVG that is allowed, rendered at a different size for each point. */
const gradients = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><radialGradient id="g"><stop stop-color="red" stop-opacity=".5"/><stop offset="1"/></radialGradient>${'<rect width="100" height="100" fill="url(#g)"/>'.repeat(900)}</svg>`;

function mapQuery(svg: string, size: string): string {
  const content = Buffer.from(svg).toString('base64');
  const sld = `<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><se:Name>acme:places</se:Name><UserStyle><se:FeatureTypeStyle><se:Rule><se:PointSymbolizer><se:Graphic><se:ExternalGraphic><se:InlineContent encoding="base64">${content}</se:InlineContent><se:Format>image/svg+xml</se:Format></se:ExternalGraphic><se:Size>${size}</se:Size></se:Graphic></se:PointSymbolizer></se:Rule></se:FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
  return new URLSearchParams({
    ...{ service: 'WMS', version: '1.1.1', request: 'GetMap', srs: 'EPSG:4326', bbox: '0,40,90,130', styles: '' },
    ...{ width: '500', height: '500', format: 'image/png', sld_body: sld },
  }).toString();
}

async function startWithPlaces(): Promise<StartedServer> {
  const server = await startServer();
  await server.request('POST', '/workspaces', { body: '{"workspace":{"name":"acme"}}' });
  const uploaded = await server.request('PUT', '/workspaces/acme/datastores/places/file.shp', {
    headers: { 'content-type': 'application/zip' },
    body: zipOf({ places: pointShapefile(60, [10, 50]) }),
  });
  expect(uploaded.status).toBe(201);
  return server;
}

/** Requests a map and cancels the request after a delay. */
async function giveUp(server: StartedServer, query: string, afterMs: number): Promise<void> {
  const asked = fetch(`${server.url.replace(/rest$/, 'wms')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: query,
    signal: AbortSignal.timeout(afterMs),
  });
  await asked.then((reply) => reply.arrayBuffer()).catch(() => undefined);
}

/** The processor time in seconds that all threads of a process have used. */
async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function usedWithin(pid: number, milliseconds: number): Promise<number> {
  const before = await cpuSeconds(pid);
  await delay(milliseconds);
  return (await cpuSeconds(pid)) - before;
}

describe.skipIf(process.platform !== 'linux')('a cancelled map request', () => {
  test.each([
    ['with a filter that would take minutes', mapQuery(noiseSvg, '2000')],
    [
      'with many costly graphics',
      mapQuery(gradients, '<ogc:Add><ogc:Literal>300</ogc:Literal><ogc:PropertyName>rank</ogc:PropertyName></ogc:Add>'),
    ],
  ])('%s uses no more processor time, and does not delay the shutdown', async (_what, query) => {
    const server = await startWithPlaces();
    await giveUp(server, query, 3_000);

    await expect.poll(() => usedWithin(server.process.pid, 2_000), { timeout: 30_000 }).toBeLessThan(0.2);
    const began = performance.now();
    await server.stop();
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});
