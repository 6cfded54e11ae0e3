/** Receives lists of remote granules: URLs, or STAC item collections, in a body or by their URL. */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { problem } from '../../lib/problems/problem.ts';
import type { HarvestFile } from '../../raster/mosaic/harvested-files.ts';
import { type RemoteList, readRemoteListTask } from '../../raster/mosaic/remote-list.ts';
import type { UploadBody } from '../uploads/uploaded-format.ts';
import type { MosaicServices } from './upload-mosaic.ts';

/** A collection of 20,000 items with a dozen assets each. */
const MAX_LIST_BYTES = 67_108_864;

/** Longer bodies are lists. */
const MAX_URL_BYTES = 4_096;

/** The granules of a list, or the URL of an archive to download. */
export type RemoteSource = { readonly list: RemoteList } | { readonly archive: string };

export async function receiveRemoteSource(
  services: MosaicServices,
  staging: string,
  { body, asset, signal }: { readonly body: UploadBody; readonly asset: string | null; readonly signal: AbortSignal },
): Promise<RemoteSource> {
  const sent = join(staging, 'list');
  const bytes = await body.saveTo(sent, { maxBytes: MAX_LIST_BYTES });
  if (bytes === 0) throw problem('upload-empty', { expected: 'URLs, one per line, or a STAC item collection' });
  const read = async (path: string, base: string | undefined): Promise<RemoteSource> => {
    const request = { path, base, asset: asset ?? undefined };
    const list = await services.harvestWorkers.run(readRemoteListTask, request, { signal });
    if (list.fault !== undefined) throw problem('mosaic-list-invalid', { reason: list.fault });
    return { list };
  };
  const url = bytes <= MAX_URL_BYTES ? findSingleUrl(await readFile(sent, 'utf8')) : undefined;
  const ending =
    url === undefined ? undefined : /\.(zip|tiff?)$/i.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase();
  if (url !== undefined && ending === 'zip') return { archive: url };
  if (url === undefined || ending !== undefined) return read(sent, undefined);
  const fetched = join(staging, 'fetched');
  return (await fetchCollection(services, url, fetched, signal)) ? read(fetched, url) : read(sent, undefined);
}

function findSingleUrl(text: string): string | undefined {
  const trimmed = text.trim();
  return /^https?:\/\/\S+$/i.test(trimmed) ? trimmed : undefined;
}

/** Returns false if the URL is not JSON, but probably a granule without the usual extension. */
async function fetchCollection(
  { urlGate }: MosaicServices,
  url: string,
  file: string,
  signal: AbortSignal,
): Promise<boolean> {
  const opened = await urlGate.open(url, { signal, maxBytes: MAX_LIST_BYTES, accept: 'application/geo+json, */*' });
  const isJson =
    /[/+]json\b/i.test(opened.contentType ?? '') || /\.(?:geo)?json$/i.test(URL.parse(url)?.pathname ?? '');
  if (!isJson) {
    opened.body.destroy();
    return false;
  }
  await pipeline(opened.body, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  return true;
}

/** The index stores URLs as locations. */
export function listRemoteGranules({ granules }: RemoteList): readonly HarvestFile[] {
  return granules.map(({ url, name, time, values }) => ({
    path: url,
    name,
    location: url,
    item: { values, ...(time === undefined ? {} : { time }) },
  }));
}
