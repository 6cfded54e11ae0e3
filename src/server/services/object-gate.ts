/**
 * Opens `s3://bucket/key` through the URL gate, with the credentials of the server. Two checks are necessary: one matches
 * the location, because a check of ordinary URLs must not give access to private buckets; the other matches the URL of the
 * request, as for every URL.
 */
import type { UrlDecision, UrlGate } from '../../gates/url-gate.ts';
import { problem } from '../../lib/problems/problem.ts';
import {
  isObjectStoreAddress,
  type ObjectAddress,
  type ObjectStoreLocation,
  parseObjectAddress,
} from '../../storage/objects/location.ts';
import { getCredentials } from '../settings/file-storage.ts';
import type { Settings } from '../settings/settings.ts';

type ObjectGateSettings = Pick<
  Settings,
  'blobs' | 'tiles' | 'awsAccessKeyId' | 'awsSecretAccessKey' | 'awsSessionToken'
>;

/** The maximum length of a location in messages. */
const MAX_SHOWN = 200;

type Refusal = Extract<UrlDecision, { kind: 'refused' }>;

/** Other URLs are opened as before. */
export function createObjectGate(gate: UrlGate, settings: ObjectGateSettings): UrlGate {
  const own = [settings.blobs, settings.tiles].flatMap((place) => (place?.kind === 'objects' ? [place.location] : []));
  return {
    ...gate,
    async check(url) {
      if (!isObjectStoreAddress(url)) return gate.check(url);
      const found = await findObject(gate, own, url);
      return 'kind' in found ? found : gate.check(found.url);
    },
    async open(url, options) {
      if (!isObjectStoreAddress(url)) return gate.open(url, options);
      const found = await findObject(gate, own, url);
      if ('kind' in found) throw problem('url-refused', { url: found.shown, reason: found.reason });
      return gate.open(found.url, { ...options, ...(await sign(found, settings)) });
    },
  };
}

async function findObject(
  gate: UrlGate,
  own: readonly ObjectStoreLocation[],
  text: string,
): Promise<ObjectAddress | Refusal> {
  const object = parseObjectAddress(text);
  const shown = (text.split(/[?#]/, 1)[0] ?? '').slice(0, MAX_SHOWN);
  if (object === undefined) {
    const reason = 'it is not an address such as s3://bucket/key?endpoint=https://s3.example.org&region=eu-central-1';
    return { kind: 'refused', shown: shown.replace(/\/\/[^/]*@/, '//'), reason, isInvalid: true };
  }
  if (own.some((place) => isInside(object, place))) {
    return { kind: 'refused', shown, reason: 'it is in the place of --blobs or --tiles, which only the server reads' };
  }
  const check = await gate.findCheck(`s3://${object.bucket}/${object.key}`);
  if (check !== undefined) return object;
  const reason = `no enabled URL check matches it; an administrator can allow it with a check at /urlchecks, such as ^s3://${object.bucket}/.*$`;
  return { kind: 'refused', shown, reason };
}

/**
 * A key can be written with escapes. Without a prefix, the whole bucket belongs to the server. A server can also take the
 * bucket from the host name, and the whole path is then the key.
 */
function isInside({ bucket, key, url }: ObjectAddress, place: ObjectStoreLocation): boolean {
  const { hostname, pathname } = new URL(url);
  const isInKeys = (path: string) => path.startsWith(place.prefix) || decodePath(path).startsWith(place.prefix);
  return (
    (bucket === place.bucket && isInKeys(key)) ||
    (hostname.startsWith(`${place.bucket}.`) && isInKeys(pathname.slice('/'.length)))
  );
}

/** The URL gate rejects invalid escapes. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Without credentials, the request is not signed: public buckets accept it. */
async function sign({ url, region }: ObjectAddress, settings: ObjectGateSettings) {
  if (settings.awsAccessKeyId === undefined || settings.awsSecretAccessKey === undefined) return {};
  const { signRequest } = await import('../../storage/objects/sign-request.ts');
  const signed = await signRequest({ method: 'GET', url, region }, getCredentials(settings));
  return { signature: signed.headers };
}
