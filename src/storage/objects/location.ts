/** The location of an object store: a bucket, a prefix of its keys, and the server. */

export interface ObjectStoreLocation {
  readonly bucket: string;
  /** Precedes every key: empty, or with a slash at the end. */
  readonly prefix: string;
  /** The origin of the server; undefined for Amazon S3. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** The normalized address. It contains no secrets. */
  readonly shown: string;
}

export interface ObjectStoreCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials. */
  readonly sessionToken?: string | undefined;
}

const DEFAULT_REGION = 'us-east-1';

const bucketPattern = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/;

/** Characters that need no encoding in any store. Dot segments would be removed from the path of a request. */
const prefixPattern = /^(?:(?!\.{1,2}(?:\/|$))[\w.-]+(?:\/|$))*$/;
/** Keys have at most 1,024 bytes. */
const MAX_PREFIX_CHARACTERS = 512;

const regionPattern = /^[a-z0-9-]{1,64}$/;

export function isObjectStoreAddress(text: string): boolean {
  return /^s3:/i.test(text);
}

/** Parses `s3://bucket/prefix?endpoint=…&region=…`. Returns undefined for an invalid address. */
export function parseObjectStoreLocation(address: string): ObjectStoreLocation | undefined {
  const [, bucket = '', path = '', query = ''] =
    /^s3:\/\/([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i.exec(address) ?? [];
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  const isKnown = names.every((name) => name === 'endpoint' || name === 'region');
  if (!isKnown || new Set(names).size < names.length) return undefined;
  const region = parameters.get('region') ?? DEFAULT_REGION;
  const endpoint = parseEndpoint(parameters.get('endpoint'));
  const isValid =
    bucketPattern.test(bucket) &&
    prefixPattern.test(path) &&
    path.length <= MAX_PREFIX_CHARACTERS &&
    regionPattern.test(region);
  if (!isValid || endpoint === 'invalid') return undefined;
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`;
  const shown = `s3://${bucket}/${prefix}${endpoint === undefined ? `?region=${region}` : `?endpoint=${endpoint}&region=${region}`}`;
  return { bucket, prefix, endpoint, region, shown };
}

function parseEndpoint(text: string | null): string | undefined {
  if (text === null) return undefined;
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  return isOrigin ? url.origin : 'invalid';
}

/**
 * Returns the address of an object. Other servers than Amazon's have no host name for each bucket, and a name with a dot
 * does not match the certificate of Amazon's.
 */
export function formatObjectUrl({ bucket, prefix, endpoint, region }: ObjectStoreLocation, key: string): URL {
  const host = `s3.${region}.amazonaws.com`;
  if (endpoint !== undefined) return new URL(`${endpoint}/${bucket}/${prefix}${key}`);
  return new URL(
    bucket.includes('.') ? `https://${host}/${bucket}/${prefix}${key}` : `https://${bucket}.${host}/${prefix}${key}`,
  );
}
