/** What differs whenever a feature does, whatever shape it is asked for in: the base of its ETag. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Geometry } from '../../../../geometry/geometry.ts';
import { parseEntityTags } from '../../../../http/stream/send-service.ts';
import { problem } from '../../../../lib/problems/problem.ts';
import type { Feature, Value } from '../../../../vector/port/port.ts';

/** Of a feature with all its values, as it is kept. */
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

/** The tag of a shape that a feature is shown in; what it is of stands before the dot. */
export function computeShapeTag(tag: string, shape: string): string {
  return shape === '' ? tag : `${tag}.${createHash('sha256').update(shape).digest('base64url').slice(0, 8)}`;
}

/** Refuses to change a feature that is another by now than the one the client has seen, or is there where none should be. */
export function checkTag(headers: Pick<IncomingHttpHeaders, 'if-match' | 'if-none-match'>, feature: Feature): void {
  if (hasMatchingTag(headers['if-match'], feature) === false) {
    throw problem('precondition-failed', { header: 'If-Match' });
  }
  if (hasMatchingTag(headers['if-none-match'], feature) === true) {
    throw problem('precondition-failed', { header: 'If-None-Match' });
  }
}

/** Whether a header names the feature as it is; undefined where there is none. */
function hasMatchingTag(header: string | undefined, feature: Feature): boolean | undefined {
  if (header === undefined || header.trim() === '*') {
    return header === undefined ? undefined : true;
  }
  return parseEntityTags(header).some((each) => each.split('.')[0] === computeFeatureTag(feature));
}
