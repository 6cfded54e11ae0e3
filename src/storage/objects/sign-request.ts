/** Signs requests to object stores. */
import { AwsV4Signer } from 'aws4fetch';
import { type Hash, hashBytes } from '../blobs/port.ts';
import type { ObjectStoreCredentials } from './location.ts';

export interface UnsignedRequest {
  readonly method: string;
  readonly url: string;
  readonly region: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The hash of the body; by default of an empty one. */
  readonly bodyHash?: Hash | undefined;
  /** Derived keys of the signature, which change daily. */
  readonly keys?: Map<string, ArrayBuffer>;
}

export interface SignedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

const emptyHash = hashBytes(new Uint8Array());

export async function signRequest(
  { method, url, region, headers, bodyHash = emptyHash, keys }: UnsignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: ObjectStoreCredentials,
): Promise<SignedRequest> {
  const signed = await new AwsV4Signer({
    ...{ method, url, accessKeyId, secretAccessKey, region, service: 's3' },
    headers: { ...headers, 'x-amz-content-sha256': bodyHash },
    ...(keys === undefined ? {} : { cache: keys }),
    ...(sessionToken === undefined ? {} : { sessionToken }),
  }).sign();
  return { url: signed.url, headers: Object.fromEntries(signed.headers) };
}
