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
  const parts = parseAddress(address);
  if (parts === undefined) return undefined;
  const { bucket, path, endpoint, region } = parts;
  if (!prefixPattern.test(path) || path.length > MAX_PREFIX_CHARACTERS) return undefined;
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`;
  const shown = `s3://${bucket}/${prefix}${endpoint === undefined ? `?region=${region}` : `?endpoint=${endpoint}&region=${region}`}`;
  return { bucket, prefix, endpoint, region, shown };
}

/** One object, as clients name it. */
export interface ObjectAddress {
  readonly bucket: string;
  /** As it is written, possibly with percent escapes. */
  readonly key: string;
  readonly region: string;
  /** The address for requests. */
  readonly url: string;
}

/**
 * Parses `s3://bucket/key?endpoint=…&region=…`. Returns undefined for an invalid address. Dot segments and empty segments
 * are invalid, because the URL, or a server, could then name an object of another bucket.
 */
export function parseObjectAddress(address: string): ObjectAddress | undefined {
  const parts = parseAddress(address);
  if (parts === undefined) return undefined;
  const { bucket, path: key, endpoint, region } = parts;
  const url = `${formatBucketUrl({ bucket, endpoint, region })}/${key}`;
  const isPlain = key !== '' && !/^\/|\/\/|%2f/i.test(key) && URL.parse(url)?.href === url;
  return isPlain ? { bucket, key, region, url } : undefined;
}

interface AddressParts {
  readonly bucket: string;
  readonly path: string;
  readonly endpoint: string | undefined;
  readonly region: string;
}

function parseAddress(address: string): AddressParts | undefined {
  const [, bucket = '', path = '', query = ''] =
    /^s3:\/\/([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i.exec(address) ?? [];
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  const isKnown = names.every((name) => name === 'endpoint' || name === 'region');
  if (!isKnown || new Set(names).size < names.length) return undefined;
  const region = parameters.get('region') ?? DEFAULT_REGION;
  const endpoint = parseEndpoint(parameters.get('endpoint'));
  if (!bucketPattern.test(bucket) || !regionPattern.test(region) || endpoint === 'invalid') return undefined;
  return { bucket, path, endpoint, region };
}

function parseEndpoint(text: string | null): string | undefined {
  if (text === null) return undefined;
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  return isOrigin ? url.origin : 'invalid';
}

export function formatObjectUrl(location: ObjectStoreLocation, key: string): URL {
  return new URL(`${formatBucketUrl(location)}/${location.prefix}${key}`);
}

/**
 * Returns the address of a bucket. Other servers than Amazon's have no host name for each bucket, and a name with a dot
 * does not match the certificate of Amazon's.
 */
function formatBucketUrl({ bucket, endpoint, region }: Omit<AddressParts, 'path'>): string {
  const host = `s3.${region}.amazonaws.com`;
  if (endpoint !== undefined) return `${endpoint}/${bucket}`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}
