/** The names of the TIFF compressions. */

const names: Readonly<Record<number, string>> = {
  1: 'none',
  2: 'CCITT Huffman (modified, RLE)',
  3: 'CCITT Group 3 fax',
  4: 'CCITT Group 4 fax',
  5: 'LZW',
  6: 'old-style JPEG',
  7: 'JPEG',
  8: 'deflate',
  9: 'JBIG (bilevel)',
  10: 'JBIG (colour)',
  32766: 'NeXT',
  32771: 'CCITT Huffman (words)',
  32773: 'PackBits',
  32809: 'ThunderScan',
  32946: 'deflate',
  33003: 'JPEG 2000 (YCbCr)',
  33004: 'JPEG 2000 (lossy)',
  33005: 'JPEG 2000 (RGB)',
  34661: 'JBIG',
  34676: 'SGI Log Luminance',
  34677: 'SGI Log 24',
  34712: 'JPEG 2000',
  34887: 'LERC',
  34892: 'lossy JPEG (DNG)',
  34925: 'LZMA',
  50000: 'Zstandard',
  50001: 'WebP',
  50002: 'JPEG XL',
};

const readable: ReadonlySet<number> = new Set([1, 5, 7, 8, 32773, 32946, 34887, 50000, 50001]);

export function getCompressionName(compression: number): string {
  return names[compression] ?? `method ${compression}`;
}

export function isReadable(compression: number): boolean {
  return readable.has(compression);
}
