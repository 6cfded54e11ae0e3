/** Recognises archives inside archives, by name or by their first bytes. */

const endings = /\.(?:zip|zipx|jar|war|kmz|tar|tgz|gz|bz2|xz|zst|7z|rar|lz4|lzma|cab|iso)$/i;

const signatures: readonly Buffer[] = [
  'PK\x03\x04',
  'PK\x05\x06',
  '\x1f\x8b',
  'BZh',
  '\xfd7zXZ\x00',
  '\x28\xb5\x2f\xfd',
  '7z\xbc\xaf\x27\x1c',
  'Rar!\x1a\x07',
  'MSCF',
].map((text) => Buffer.from(text, 'latin1'));

export function isArchiveName(name: string): boolean {
  return endings.test(name);
}

export function beginsLikeArchive(firstBytes: Buffer): boolean {
  return signatures.some((signature) => firstBytes.subarray(0, signature.length).equals(signature));
}
