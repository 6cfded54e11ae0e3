/** What a server answered to a list of reads, in a form that answers of other versions can be held against. */
import type { HttpClient } from './http-client.ts';

export interface Read {
  readonly path: string;
  readonly accept?: string;
  /** One of the credentials; the administrator without it, null for nobody. */
  readonly as?: string | null;
  /** Whether only its status and type count, since the server works the body out, and may learn to do that better. */
  readonly isMade?: true;
}

export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly etag?: string;
  /** JSON as it is, other texts by lines. Errors have none, since their words may get better, nor have archives. */
  readonly body?: unknown;
}

export type RecordedRead = Read & Answer;

/** The file beside the data directory. */
export interface Recording {
  readonly version: string;
  readonly commit: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** What the server keeps sealed, in the clear. */
  readonly secrets: { readonly keystore: string; readonly postgis: string; readonly ldap: string };
  readonly reads: readonly RecordedRead[];
}

/** Stands for the address of the server. */
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

/** Where uploaded files are kept below the folder of their store is the server's own business. */
export function withoutUploadFolders<T>(answers: T): T {
  const text = JSON.stringify(answers).replace(/(file:data\/[^/"<]+\/[^/"<]+\/)[^"<]*/g, '$1');
  return JSON.parse(text) as T;
}

/** Layers tell where map clients show them also when nobody has said so, which the first version did not. */
export function withoutUnsetPaths<T>(answers: T): T {
  const text = JSON.stringify(answers).replaceAll('"path":"/",', '').replaceAll('"  <path>/</path>",', '');
  return JSON.parse(text) as T;
}
