/** Reads a list of remote granules: URLs, one per line, or a STAC item or item collection. */
import { readFile } from 'node:fs/promises';
import { getRemoteFileName, isRemoteUrl } from '../../remote/remote-url.ts';
import type { Task } from '../../workers/task.ts';

export interface RemoteListRequest {
  /** The file with the list. */
  readonly path: string;
  /** The URL of the list, which completes relative URLs; undefined if a client sent it. */
  readonly base: string | undefined;
  /** The asset of each item; by default the only GeoTIFF asset, or the only one with the role `data`. */
  readonly asset: string | undefined;
}

export interface RemoteGranule {
  readonly url: string;
  /** The name of the file, or else the id of the item. */
  readonly name: string;
  /** In ISO 8601; both are the same for a moment. */
  readonly time?: readonly [start: string, end: string];
  /** The texts and numbers of its properties. */
  readonly values: Readonly<Record<string, string | number>>;
}

export interface RemoteList {
  readonly granules: readonly RemoteGranule[];
  /** Items without a usable asset; the reason completes a sentence. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  readonly warnings: readonly string[];
  /** Why the list is invalid; it is empty then. */
  readonly fault?: string;
}

export const readRemoteListTask: Task<RemoteListRequest, RemoteList> = {
  module: import.meta.url,
  name: 'readRemoteList',
  work: readRemoteList,
};

/** A larger collection can be harvested in parts. */
export const MAX_REMOTE_GRANULES = 20_000;

export async function readRemoteList({ path, base, asset }: RemoteListRequest): Promise<RemoteList> {
  const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '').trim();
  const list = /^[[{]/.test(text) ? readItems(text, base, asset) : readUrls(text);
  return list.granules.length + list.skipped.length > MAX_REMOTE_GRANULES
    ? createFault(`it has more than ${MAX_REMOTE_GRANULES} entries`)
    : list;
}

function createFault(fault: string): RemoteList {
  return { granules: [], skipped: [], warnings: [], fault };
}

function readUrls(text: string): RemoteList {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const urls = [...new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))];
  const wrong = urls.find((url) => !isRemoteUrl(url));
  if (wrong !== undefined) return createFault(`'${wrong.slice(0, 100)}' is not an http, https or s3 URL`);
  const granules = urls.map((url) => ({ url, name: getRemoteFileName(url), values: {} }));
  return granules.length === 0 ? createFault('it contains no URL') : { granules, skipped: [], warnings: [] };
}

function readItems(text: string, base: string | undefined, asset: string | undefined): RemoteList {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return createFault('it is not valid JSON');
  }
  if (!isRecord(document)) return createFault('it is not a STAC item or item collection');
  const items = document['type'] === 'Feature' ? [document] : document['features'];
  if (!Array.isArray(items) || !items.every(isItem)) return createFault('it is not a STAC item or item collection');
  const granules: RemoteGranule[] = [];
  const skipped: { readonly name: string; readonly reason: string }[] = [];
  for (const [index, item] of items.entries()) {
    const name = typeof item['id'] === 'string' ? item['id'] : `item ${index + 1}`;
    const found = readItem(name, item, base, asset);
    if ('reason' in found) skipped.push({ name, reason: found.reason });
    else granules.push(found);
  }
  const hasMore =
    Array.isArray(document['links']) && document['links'].some((link) => isRecord(link) && link['rel'] === 'next');
  const warnings = hasMore ? ['The item collection has further pages, which were not read. Harvest each page.'] : [];
  return { granules, skipped, warnings };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Item = Readonly<Record<string, unknown>> & { readonly assets: Readonly<Record<string, unknown>> };

function isItem(value: unknown): value is Item {
  return isRecord(value) && isRecord(value['assets']);
}

function readItem(
  id: string,
  item: Item,
  base: string | undefined,
  wanted: string | undefined,
): RemoteGranule | { readonly reason: string } {
  const chosen = chooseAsset(item.assets, wanted);
  if ('reason' in chosen) return chosen;
  const url = URL.parse(chosen.href, base)?.href;
  if (url === undefined) return { reason: 'the URL of its asset is relative, and the URL of the list is unknown' };
  if (!isRemoteUrl(url))
    return { reason: `the URL of its asset has the scheme '${url.split(':', 1)[0]}'; use https or s3` };
  const properties = isRecord(item['properties']) ? item['properties'] : {};
  const time = readTime(properties);
  if (typeof time === 'string') return { reason: time };
  const values = Object.entries(properties).filter(
    (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  const name = getRemoteFileName(url);
  return {
    url,
    name: name === '' ? id : name,
    ...(time === undefined ? {} : { time }),
    values: Object.fromEntries(values),
  };
}

function chooseAsset(
  assets: Item['assets'],
  wanted: string | undefined,
): { readonly href: string } | { readonly reason: string } {
  const rasters = Object.entries(assets).flatMap(([name, asset]) =>
    isRecord(asset) && typeof asset['href'] === 'string' && (name === wanted || isGeotiff(asset))
      ? [{ name, href: asset['href'], isData: Array.isArray(asset['roles']) && asset['roles'].includes('data') }]
      : [],
  );
  const names = rasters.map(({ name }) => `'${name}'`).join(', ');
  if (wanted !== undefined) {
    return (
      rasters.find(({ name }) => name === wanted) ?? {
        reason: `it has no asset '${wanted}'${names === '' ? '' : `; its GeoTIFF assets are ${names}`}`,
      }
    );
  }
  const data = rasters.filter(({ isData }) => isData);
  const [only, ...others] = rasters.length > 1 ? data : rasters;
  if (only !== undefined && others.length === 0) return only;
  return rasters.length === 0
    ? { reason: 'it has no GeoTIFF asset' }
    : { reason: `it has several GeoTIFF assets (${names}); select one with the parameter asset` };
}

function isGeotiff({ href, type }: Readonly<Record<string, unknown>>): boolean {
  return typeof type === 'string'
    ? /^image\/(?:vnd\.stac\.)?(?:geo)?tiff\b/i.test(type)
    : /\.tiff?(?:[?#]|$)/i.test(String(href));
}

/** Returns a text if a time is invalid. */
function readTime({
  datetime,
  start_datetime: start = datetime,
  end_datetime: end = datetime,
}: Readonly<Record<string, unknown>>): readonly [string, string] | string | undefined {
  const [first, last] = datetime === null || datetime === undefined ? [start, end] : [datetime, end ?? datetime];
  if (first === null || first === undefined) return undefined;
  const moments = [start ?? first, last ?? first].map((text) =>
    typeof text === 'string' ? new Date(text) : undefined,
  );
  const [from, to] = moments.map((moment) =>
    moment === undefined || Number.isNaN(moment.getTime()) ? undefined : moment.toISOString(),
  );
  return from === undefined || to === undefined ? 'its time is not in ISO 8601' : [from, to];
}
