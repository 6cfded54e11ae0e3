/** The responses of a server to a list of reads, in a form that can be compared across versions. */
import type { HttpClient } from './http-client.ts';

export interface Read {
  readonly path: string;
  readonly accept?: string;
  /** The name of the credentials; the administrator by default, null for an anonymous request. */
  readonly as?: string | null;
  /** Compares only status and type, because the server computes the body and later versions may improve it. */
  readonly isMade?: true;
}

export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly etag?: string;
  /** JSON unchanged, other texts by lines. Omitted for errors, whose messages may change, and for archives. */
  readonly body?: unknown;
}

export type RecordedRead = Read & Answer;

/** The file beside the data directory. */
export interface Recording {
  readonly version: string;
  readonly commit: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** The encrypted values of the server, in clear. */
  readonly secrets: {
    readonly keystore: string;
    readonly postgis: string;
    readonly ldap: string;
    /** Since version 0.2.0. */
    readonly mapServer?: string;
    readonly webhook?: string;
  };
  readonly reads: readonly RecordedRead[];
}

/** A placeholder for the address of the server. */
const SOMEWHERE = 'http://server/rest';

export async function answerTo(
  client: HttpClient,
  url: string,
  { path, accept, as, isMade }: Read,
  credentials: Recording['credentials'],
): Promise<Answer> {
  const { status, headers, text } = await client.request('GET', path, {
    ...(accept === undefined ? {} : { headers: { accept } }),
    ...(as === undefined ? {} : { as: as === null ? null : `${as}:${credentials[as]}` }),
  });
  const type = headers['content-type'] ?? null;
  const body = status === 200 && !isMade ? readable(type ?? '', text.replaceAll(url, SOMEWHERE)) : undefined;
  return {
    status,
    type,
    ...(headers['etag'] === undefined ? {} : { etag: headers['etag'] }),
    ...(body === undefined ? {} : { body }),
  };
}

function readable(type: string, text: string): unknown {
  if (/json/.test(type)) return JSON.parse(text) as unknown;
  return /xml|css|text/.test(type) ? text.split('\n') : undefined;
}

/** The location of uploaded files below the folder of their store is an internal detail. */
export function withoutUploadFolders<T>(answers: T): T {
  const text = JSON.stringify(answers).replace(/(file:data\/[^/"<]+\/[^/"<]+\/)[^"<]*/g, '$1');
  return JSON.parse(text) as T;
}

/** Layers include their WMS path even if it is unset, which the first version did not. */
export function withoutUnsetPaths<T>(answers: T): T {
  const text = JSON.stringify(answers).replaceAll('"path":"/",', '').replaceAll('"  <path>/</path>",', '');
  return JSON.parse(text) as T;
}

/** Settings of WMTS that the first versions did not have, with their default. */
const tileDefaults: readonly (readonly [name: string, value: string | number | boolean])[] = [
  ['cacheLayersByDefault', true],
  ['directWMSIntegrationEnabled', false],
  ['expireCache', 0],
  ['expireClients', 0],
  ['gutter', 0],
  ['metaTilingX', 4],
  ['metaTilingY', 4],
];

/** The settings of WMTS include the defaults of tiles since version 0.3.0. */
export function withoutTileDefaults<T>(answers: T): T {
  let text = JSON.stringify(answers);
  for (const [name, value] of tileDefaults) {
    for (const member of [`,"${name}":${value}`, `"${name}":${value},`]) text = text.replaceAll(member, '');
    text = text.replaceAll(`"  <${name}>${value}</${name}>",`, '');
  }
  return JSON.parse(text) as T;
}
