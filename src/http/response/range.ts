/** Parses the Range header (RFC 9110, 14): a single range of bytes; several ranges return the whole file. */
import type { IncomingHttpHeaders } from 'node:http';
import { problem } from '../../lib/problems/problem.ts';

export interface ByteRange {
  readonly start: number;
  /** The first byte that is not sent. */
  readonly end: number;
  readonly isPart: boolean;
}

/** `tag` is the current ETag of the file; If-Range must match it. */
export function parseRange(headers: IncomingHttpHeaders, sizeBytes: number, tag: string | undefined): ByteRange {
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
