/** Page keys: opaque to clients, and valid only for the same query. */
import { problem } from '../../lib/problems/problem.ts';

/** A key of the source, or an offset. */
export type PagePosition =
  | { readonly kind: 'key'; readonly key: string }
  /** The number of the feature, the first being 1. */
  | { readonly kind: 'position'; readonly position: number };

/** Longer than any useful sort key. */
const MAX_LENGTH = 8_192;

export function writePageKey(place: PagePosition): string {
  return place.kind === 'key' ? `k${Buffer.from(place.key).toString('base64url')}` : `n${place.position}`;
}

export function readPageKey(text: string): PagePosition {
  if (/^n[1-9]\d{0,14}$/.test(text)) return { kind: 'position', position: Number(text.slice(1)) };
  if (text.length > MAX_LENGTH || !/^k[\w-]+$/.test(text)) throw problem('page-key-invalid', {});
  return { kind: 'key', key: Buffer.from(text.slice(1), 'base64url').toString() };
}
