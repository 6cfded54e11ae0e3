/** Sends stored files, completely or in part. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ReadableFile } from '../../lib/files/readable-file.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Exchange } from '../context/exchange.ts';
import type { Outcome } from '../routes/outcome.ts';
import type { HeaderList } from '../session/recorded-reply.ts';
import { addSandbox, addTagAndCheckFresh, formatEntityTag, sendReply } from './reply.ts';
import { type SendFailure, type StreamHead, sendPiece } from './send.ts';

/** Sends the file or the requested range, and always closes it. */
export async function sendAndCloseFile<S>(
  { app, request, reply }: Exchange<S>,
  outcome: Extract<Outcome, { kind: 'open file' }>,
  headers: HeaderList,
): Promise<SendFailure | undefined> {
  const { file, sizeBytes, mediaType, version } = outcome;
  try {
    addSandbox(headers);
    headers.push('accept-ranges', 'bytes');
    if (addTagAndCheckFresh(request, headers, version, FILE_TAG)) {
      sendReply(reply, 304, headers);
      return undefined;
    }
    const tag = version === undefined ? undefined : formatEntityTag(version, FILE_TAG);
    const range = parseRange(request.raw.headers, sizeBytes, tag);
    headers.push('content-type', mediaType, 'content-length', String(range.end - range.start));
    if (range.isPart) {
      headers.push('content-range', `bytes ${range.start}-${range.end - 1}/${sizeBytes}`);
    }
    const head = { reply, status: range.isPart ? 206 : 200, headers, timeoutMs: app.limits.sendTimeoutMs };
    return await sendOpenFile(head, file, range);
  } finally {
    await file.close();
  }
}

/** Replaces the format in the tag of a file. */
const FILE_TAG = 'file';

/**
 * Sends a part of a file, from `start` to before `end`, as fast as the client reads; the headers declare its length.
 */
async function sendOpenFile(
  head: StreamHead,
  file: Pick<ReadableFile, 'pieces'>,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<SendFailure | undefined> {
  const { reply } = head;
  const { raw } = reply;
  let left = end - start;
  if (left === 0 || reply.request.method === 'HEAD') {
    await sendPiece(head, '');
    raw.end();
    return undefined;
  }
  try {
    for await (const piece of file.pieces(start, end)) {
      left -= piece.length;
      await sendPiece(head, piece);
      if (raw.destroyed) {
        return undefined;
      }
    }
  } catch (error) {
    if (!raw.headersSent) {
      throw error;
    }
    return { reason: error };
  }
  if (left > 0) {
    return { reason: new Error(`The file became ${left} bytes shorter while it was sent`) };
  }
  raw.end();
  return undefined;
}

interface ByteRange {
  readonly start: number;
  /** The first byte that is not sent. */
  readonly end: number;
  readonly isPart: boolean;
}

/**
 * Parses the Range header (RFC 9110, 14): a single range of bytes; several ranges return the whole file. `tag` is the
 * current ETag of the file; If-Range must match it.
 */
function parseRange(headers: IncomingHttpHeaders, sizeBytes: number, tag: string | undefined): ByteRange {
  const whole: ByteRange = { start: 0, end: sizeBytes, isPart: false };
  const ifRange = headers['if-range'];
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range?.trim() ?? '') ?? [];
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== tag)) {
    return whole;
  }
  const start = first === '' ? Math.max(sizeBytes - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  if (first !== '' && last !== '' && Number(last) < start) {
    return whole;
  }
  if (start >= end) {
    throw problem('range-outside', { sizeBytes });
  }
  return { start, end, isPart: true };
}
