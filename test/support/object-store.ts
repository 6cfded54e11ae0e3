/**
 * An S3-compatible server (s3rver) behind a relay that can fail in the middle of requests and responses. s3rver verifies
 * neither signatures nor hashes of bodies and ignores conditions of writes; the relay does this for it. s3rver returns
 * 500 if an upload is completed twice.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { type ObjectStoreLocation, parseObjectStoreLocation } from '../../src/storage/objects/location.ts';
import type { ObjectStoreOptions } from '../../src/storage/objects/send-request.ts';
import { findSignatureProblem } from './aws-signature.ts';

export const BUCKET = 'maps';

export const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export const credentialVariables = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/**
 * What happens to one request: `lost` closes the connection before the store sees it, `unanswered` after the store has
 * executed it, `cut` in the middle of the response; `shortened` stores half of the body; a number is the status of the
 * response without execution.
 */
export type Fault = 'lost' | 'unanswered' | 'cut' | 'shortened' | 'silent' | number;

export interface StoreRequest {
  readonly method: string;
  /** The key and the query. */
  readonly path: string;
}

export type DecideFault = (request: StoreRequest) => Fault | undefined | Promise<Fault | undefined>;

export interface TestObjectStore {
  readonly address: string;
  /** The address with a prefix of the keys. */
  addressOf(prefix: string): string;
  options(prefix: string): ObjectStoreOptions;
  /** All requests so far. */
  readonly requests: readonly StoreRequest[];
  /** Decides about each request; undefined lets it pass. */
  fail(decide: DecideFault): void;
  /** The keys of complete objects below a prefix. */
  listKeys(prefix: string): Promise<readonly string[]>;
  /** The file in which the server stores an object. */
  fileOf(key: string): string;
  close(): Promise<void>;
}

/** s3rver stores the bytes of an object in a file with this ending. */
const OBJECT_SUFFIX = '._S3rver_object';

const quick = { idleMs: 2_000, attempts: 4, firstPauseMs: 5 };

export async function startObjectStore(): Promise<TestObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'graticule-objects-'));
  const store = new S3rver({
    // A host name is that of the server and not of a bucket.
    ...{ port: 0, address: '127.0.0.1', silent: true, directory, vhostBuckets: false },
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await store.run();
  const requests: StoreRequest[] = [];
  let decide: DecideFault = () => undefined;
  async function listKeys(prefix: string): Promise<readonly string[]> {
    const files = await readdir(join(directory, BUCKET), { recursive: true }).catch(() => []);
    return files
      .filter((file) => file.endsWith(OBJECT_SUFFIX) && !file.includes('uploads'))
      .map((file) => file.slice(0, -OBJECT_SUFFIX.length))
      .filter((key) => key.startsWith(prefix))
      .toSorted();
  }
  const relay = createServer((incoming, response) => {
    const seen = { method: incoming.method ?? '', path: (incoming.url ?? '').replace(`/${BUCKET}/`, '') };
    requests.push(seen);
    const exists = async () => (await listKeys('')).includes(seen.path);
    passOn(incoming, response, { port, decide: () => decide(seen), exists }).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const addressOf = (prefix: string) => `s3://${BUCKET}/${prefix}?endpoint=${endpoint}&region=us-east-1`;
  return {
    address: addressOf(''),
    addressOf,
    options: (prefix) => ({
      location: parseObjectStoreLocation(addressOf(prefix)) as ObjectStoreLocation,
      credentials,
      times: quick,
      partBytes: 200_000,
    }),
    requests,
    fail(next) {
      decide = next;
    },
    listKeys,
    fileOf: (key) => join(directory, BUCKET, `${key}${OBJECT_SUFFIX}`),
    async close() {
      relay.closeAllConnections();
      await new Promise((resolve) => relay.close(resolve));
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface RelayedRequest {
  readonly port: number;
  readonly decide: () => ReturnType<DecideFault>;
  /** Whether the object of the request exists. */
  readonly exists: () => Promise<boolean>;
}

async function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  { port, decide, exists }: RelayedRequest,
): Promise<void> {
  const fault = await decide();
  if (fault === 'silent') return;
  if (fault === 'lost') {
    incoming.socket.destroy();
    return;
  }
  const pieces: Buffer[] = [];
  for await (const piece of incoming as AsyncIterable<Buffer>) pieces.push(piece);
  if (typeof fault === 'number') {
    response.writeHead(fault).end('<Error><Code>SlowDown</Code><Message>Please reduce your rate.</Message></Error>');
    return;
  }
  const whole = Buffer.concat(pieces);
  const wrong = findSignatureProblem(incoming, whole, credentials);
  if (wrong !== undefined) {
    response.writeHead(wrong === 'XAmzContentSHA256Mismatch' ? 400 : 403).end(`<Error><Code>${wrong}</Code></Error>`);
    return;
  }
  if (incoming.headers['if-none-match'] === '*' && (await exists())) {
    response.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
    return;
  }
  const body = fault === 'shortened' ? whole.subarray(0, whole.length >> 1) : whole;
  const answer = await forward(incoming, port, body);
  const received: Buffer[] = [];
  for await (const piece of answer as AsyncIterable<Buffer>) received.push(piece);
  if (fault === 'unanswered') {
    incoming.socket.destroy();
    return;
  }
  response.writeHead(answer.statusCode ?? 500, answer.headers);
  const bytes = Buffer.concat(received);
  if (fault !== 'cut') {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, bytes.length >> 1), () => incoming.socket.destroy());
}

function forward({ method, url, headers }: IncomingMessage, port: number, body: Buffer): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sending = request(
    { host: '127.0.0.1', port, method, path: url, headers: { ...headers, 'content-length': body.length } },
    resolve,
  );
  sending.on('error', reject);
  sending.end(body);
  return promise;
}
