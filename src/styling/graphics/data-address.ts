/** Pictures inside an address: `data:image/png;base64,…`. They are decoded and checked like files of the style. */

/** In bytes; symbols take a few kilobytes. */
const MAX_DATA_BYTES = 262_144;

export function isDataAddress(href: string): boolean {
  return /^\s*data:/i.test(href);
}

/** Returns undefined for other content than pictures, or beyond the size limit. */
export function readDataAddress(href: string): Uint8Array | undefined {
  const [head, type, encoding] = /^\s*data:(image\/[a-z0-9.+-]{1,20})(?:;[a-z]+=[\w-]+)*(;base64)?,/i.exec(href) ?? [];
  if (head === undefined || type === undefined || href.length > MAX_DATA_BYTES * 3) return undefined;
  const bytes = decodeData(href.slice(head.length), encoding !== undefined);
  return bytes !== undefined && bytes.length <= MAX_DATA_BYTES ? bytes : undefined;
}

function decodeData(text: string, isBase64: boolean): Uint8Array | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return isBase64 ? Buffer.from(decoded, 'base64') : Buffer.from(decoded);
  } catch {
    return undefined;
  }
}
