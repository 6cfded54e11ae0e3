/** Verifies signatures of requests as Amazon S3 does, written after its documentation. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const headerPattern =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

export type SignatureProblem =
  | 'AccessDenied'
  | 'InvalidAccessKeyId'
  | 'SignatureDoesNotMatch'
  | 'XAmzContentSHA256Mismatch';

interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export function findSignatureProblem(
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
  keys: Keys,
): SignatureProblem | undefined {
  const [, keyId, date = '', region = '', names = '', signature] =
    headerPattern.exec(headers.authorization ?? '') ?? [];
  if (signature === undefined) return 'AccessDenied';
  if (keyId !== keys.accessKeyId) return 'InvalidAccessKeyId';
  const bodyHash = String(headers['x-amz-content-sha256']);
  const [path = '', query = ''] = url.split('?');
  const canonicalQuery = query
    .split('&')
    .filter((each) => each !== '')
    .map((each) => (each.includes('=') ? each : `${each}=`))
    .toSorted()
    .join('&');
  const canonicalHeaders = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, path, canonicalQuery, canonicalHeaders.join(''), names, bodyHash].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const signed = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`);
  if (hmac(key, signed).toString('hex') !== signature) return 'SignatureDoesNotMatch';
  return sha256(body) === bodyHash ? undefined : 'XAmzContentSHA256Mismatch';
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
