/** Computes ETags of features. The base is the same in every format and CRS. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Geometry } from '../../../../geometry/geometry.ts';
import { parseEntityTags } from '../../../../http/stream/send-service.ts';
import { problem } from '../../../../lib/problems/problem.ts';
import type { Feature, Value } from '../../../../vector/port/port.ts';

/** Computes the tag of a feature with all its stored values. */
export function computeFeatureTag({ id, values }: Feature): string {
  const text = JSON.stringify([id, ...values.map(toJsonValue)]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

function toJsonValue(value: Value | Geometry): unknown {
  if (typeof value === 'bigint') {
    return String(value);
  }
  if (value instanceof Uint8Array) {
    return Buffer.from(value).toString('base64');
  }
  if (typeof value === 'object' && value !== null && 'ordinates' in value) {
    const { type, dimension, ordinates, ends, parts, members = [] } = value;
    return [type, dimension, ...ordinates, ends, parts, members.map(toJsonValue)];
  }
  return value;
}

/** Adds the output shape to a tag, after a dot. */
export function computeShapeTag(tag: string, shape: string): string {
  return shape === '' ? tag : `${tag}.${createHash('sha256').update(shape).digest('base64url').slice(0, 8)}`;
}

/** Throws a Problem if the If-Match or If-None-Match precondition fails. */
export function checkTag(headers: Pick<IncomingHttpHeaders, 'if-match' | 'if-none-match'>, feature: Feature): void {
  if (hasMatchingTag(headers['if-match'], feature) === false) {
    throw problem('precondition-failed', { header: 'If-Match' });
  }
  if (hasMatchingTag(headers['if-none-match'], feature) === true) {
    throw problem('precondition-failed', { header: 'If-None-Match' });
  }
}

/** Returns whether a header contains the tag of the feature; undefined without a header. */
function hasMatchingTag(header: string | undefined, feature: Feature): boolean | undefined {
  if (header === undefined || header.trim() === '*') {
    return header === undefined ? undefined : true;
  }
  return parseEntityTags(header).some((each) => each.split('.')[0] === computeFeatureTag(feature));
}
