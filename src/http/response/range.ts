/** Which part of a file a client asks for (RFC 9110, 14): one range of bytes; who asks for several is sent the whole. */
import type { IncomingHttpHeaders } from 'node:http';
import { problem } from '../../lib/problems/problem.ts';

export interface ByteRange {
  readonly start: number;
  /** The first byte that is not sent. */
  readonly end: number;
  readonly isPart: boolean;
}

/** `tag` is that of the file as it is now: a part of another file is of no use to who has the rest of this one. */
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
