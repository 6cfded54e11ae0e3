/** Archives of tiles that a test server exports. */
import { setTimeout as delay } from 'node:timers/promises';
import type { TestServer } from './test-server.ts';

/** Exports the zooms 0 to 6 of a layer with a job; returns its path below the REST root, and its bytes. */
export async function exportTiles(server: TestServer, fields: Readonly<Record<string, unknown>>) {
  const order = { tileExport: { zoomStart: 0, zoomStop: 6, ...fields } };
  const started = await server.post('/tileexports', JSON.stringify(order), { accept: 'application/json' });
  const { id } = (started.json() as { readonly tileExport: { readonly id: string } }).tileExport;
  for (;;) {
    const { tileExport } = (await server.get(`/tileexports/${id}.json`)).json() as {
      readonly tileExport: { readonly state: string };
    };
    if (tileExport.state === 'finished') break;
    if (!['pending', 'running'].includes(tileExport.state)) throw new Error(`The export is ${tileExport.state}.`);
    await delay(20);
  }
  const path = `/tileexports/${id}/file`;
  return { path, bytes: (await server.get(path)).bytes };
}
