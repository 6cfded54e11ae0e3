/** Recognises what is no text at all by its first bytes. */

export interface BinaryKind {
  /** With its article: `a PNG image`. */
  readonly name: string;
  readonly isImage: boolean;
}

const signatures: readonly (readonly [string, BinaryKind])[] = [
  ['\x89PNG\r\n\x1a\n', { name: 'a PNG image', isImage: true }],
  ['\xff\xd8\xff', { name: 'a JPEG image', isImage: true }],
  ['GIF87a', { name: 'a GIF image', isImage: true }],
  ['GIF89a', { name: 'a GIF image', isImage: true }],
  ['II*\0', { name: 'a TIFF image', isImage: true }],
  ['MM\0*', { name: 'a TIFF image', isImage: true }],
  ['\x1f\x8b', { name: 'a gzip file', isImage: false }],
  ['%PDF-', { name: 'a PDF file', isImage: false }],
  ['SQLite format 3\0', { name: 'a database', isImage: false }],
  ['7z\xbc\xaf\x27\x1c', { name: 'a 7z archive', isImage: false }],
  ['Rar!\x1a\x07', { name: 'a RAR archive', isImage: false }],
];

/** An archive begins with an entry, or with its end if it is empty. */
const zipSignatures: readonly string[] = ['PK\x03\x04', 'PK\x05\x06'];

/** Undefined for what may be text, in whatever encoding. */
export function binaryKind(bytes: Uint8Array): BinaryKind | 'zip' | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 32));
  if (zipSignatures.some((signature) => start.startsWith(signature))) return 'zip';
  // Two letters alone might begin a text; its size in the header makes a BMP hold a zero early on.
  if (start.startsWith('BM') && start.includes('\0')) return { name: 'a BMP image', isImage: true };
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return { name: 'a WebP image', isImage: true };
  return signatures.find(([signature]) => start.startsWith(signature))?.[1];
}
