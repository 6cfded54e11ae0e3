/** The assets of the HTML pages, read from their packages on the first request. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ServiceReply } from '../../../../http/session/service-reply.ts';
import { problem } from '../../../../lib/problems/problem.ts';
import { previewScript, previewStyles } from '../../../preview/preview-script.ts';
import { mapScript, mapStyles } from './map-script.ts';

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLES = 'text/css; charset=utf-8';

/** Browsers revalidate after a day, with a 304 response. */
const MAX_AGE_SECONDS = 86_400;

interface Asset {
  readonly contentType: string;
  read(): Promise<string>;
}

/** An allow list: other names return 404. */
const assets: ReadonlyMap<string, Asset> = new Map([
  ['preview.js', { contentType: SCRIPT, read: async () => previewScript }],
  ['preview.css', { contentType: STYLES, read: async () => previewStyles }],
  ['map.js', { contentType: SCRIPT, read: async () => mapScript }],
  ['wms.js', { contentType: SCRIPT, read: async () => (await import('../../../wms/output/map-page.ts')).wmsScript }],
  ['ol.js', { contentType: SCRIPT, read: () => readOpenLayersFile('dist', 'ol.js') }],
  ['map.css', { contentType: STYLES, read: async () => `${await readOpenLayersFile('ol.css')}${mapStyles}` }],
]);

const files = new Map<string, Promise<string>>();

export async function createAssetReply(name: string): Promise<ServiceReply> {
  const asset = assets.get(name);
  if (asset === undefined) {
    throw problem('service-path-unknown', {});
  }
  const file = files.get(name) ?? asset.read();
  files.set(name, file);
  return { contentType: asset.contentType, body: await file, maxAgeSeconds: MAX_AGE_SECONDS };
}

function readOpenLayersFile(...path: readonly string[]): Promise<string> {
  const folder = dirname(createRequire(import.meta.url).resolve('ol/package.json'));
  return readFile(join(folder, ...path), 'utf8');
}
