/** Remote bytes that are read in ranges. Other protocols are further implementations of `RangedSource`. */
import { setTimeout as delay } from 'node:timers/promises';
import { isTemporaryFailure } from '../gates/url-gate/temporary-failure.ts';
import type { OpenedUrl, UrlGate } from '../gates/url-gate.ts';
import { problem } from '../lib/problems/problem.ts';

/** Identifies the content of a remote file. */
export interface RemoteVersion {
  readonly sizeBytes: number;
  /** The entity tag, and the time of the last change; undefined if the server does not send it. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

export interface RangeReply {
  /** May be fewer than requested at the end of the file. */
  readonly bytes: Buffer;
  readonly version: RemoteVersion;
}

export interface RangedSource {
  /**
   * Reads from `first` to `last` inclusive. Returns undefined if the file no longer has the known version. Throws the
   * problems of the URL gate.
   */
  readRange(
    url: string,
    range: { readonly first: number; readonly last: number },
    known: RemoteVersion | undefined,
    signal: AbortSignal,
  ): Promise<RangeReply | undefined>;
}

/** The time for one range, which has at most some megabytes. */
const RANGE_TIMEOUT_MS = 30_000;

const PRECONDITION_FAILED = 412;

/** The waiting times before further attempts, after failures that can be over then. */
const RETRY_DELAYS_MS = [100, 1_000];

export function createUrlSource(urlGate: Pick<UrlGate, 'open'>): RangedSource {
  const source = createImpatientSource(urlGate);
  return {
    async readRange(url, range, known, signal) {
      for (const delayMs of RETRY_DELAYS_MS) {
        try {
          return await source.readRange(url, range, known, signal);
        } catch (error) {
          if (!isTemporaryFailure(error)) throw error;
          await delay(delayMs, undefined, { signal });
        }
      }
      return source.readRange(url, range, known, signal);
    },
  };
}

/** Makes one attempt. */
function createImpatientSource(urlGate: Pick<UrlGate, 'open'>): RangedSource {
  return {
    async readRange(url, { first, last }, known, signal) {
      const opened = await urlGate.open(url, {
        signal,
        timeoutMs: RANGE_TIMEOUT_MS,
        maxBytes: last - first + 1,
        range: { first, last, ...(known?.etag === undefined ? {} : { ifMatch: known.etag }) },
        nothingBy: known === undefined ? [] : [PRECONDITION_FAILED],
      });
      if (opened.part === undefined) {
        opened.body.destroy();
        return undefined;
      }
      const { totalBytes: sizeBytes, etag, lastModified } = opened.part;
      const version = { sizeBytes, etag, lastModified };
      if (known !== undefined && !isSameVersion(known, version)) {
        opened.body.destroy();
        return undefined;
      }
      return { bytes: await readBody(opened, opened.part.last - opened.part.first + 1), version };
    },
  };
}

export function isSameVersion(one: RemoteVersion, other: RemoteVersion): boolean {
  return one.sizeBytes === other.sizeBytes && one.etag === other.etag && one.lastModified === other.lastModified;
}

async function readBody({ body, shown }: OpenedUrl, expectedBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  const bytes = Buffer.concat(pieces);
  if (bytes.length !== expectedBytes) {
    const reason = `its response has ${bytes.length} bytes instead of ${expectedBytes}`;
    throw problem('url-unreachable', { url: shown, reason });
  }
  return bytes;
}
