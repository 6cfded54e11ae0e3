/** The server key as text: in the file of the data directory, in a file of the operator, or in the environment. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { KEY_BYTES } from './closed-keystore.ts';

export function formatServerKey(key: KeyObject): string {
  return `${key.export().toString('base64url')}\n`;
}

/**
 * Returns undefined for an invalid key. Both base64 alphabets are accepted, since many tools support only the older
 * one.
 */
export function parseServerKey(text: string): KeyObject | undefined {
  const trimmed = text.trim();
  const bytes = /^[\w+/-]+=?$/.test(trimmed) ? Buffer.from(trimmed, 'base64url') : Buffer.alloc(0);
  return bytes.length === KEY_BYTES ? createSecretKey(bytes) : undefined;
}
