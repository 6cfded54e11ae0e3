/** The fonts that administrators have uploaded: files of the global style folder. */
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { DescribedFace } from '../../styling/fonts/font-file.ts';
import { setUploadedFaces, type UploadedFont } from '../../styling/fonts/font-registry.ts';
import { describeUploadedFonts } from '../../styling/legend/canvas/use-fonts.ts';
import type { StyleProcessor } from '../../styling/style-processor.ts';
import { EVERY_FONT, type StyleFile, styleFileKind } from '../kinds/style.ts';
import type { StyleContents } from './style-contents.ts';

/** A map loads all of them. */
export const MAX_FONTS = 100;

/** The largest fonts have all Chinese characters and 20 MB. */
export const MAX_FONT_BYTES = 33_554_432;

/** The total size of all fonts, because they are kept in memory and as files. */
export const MAX_TOTAL_FONT_BYTES = 67_108_864;

/** The total size of cached fonts: more than all fonts, because replaced ones stay for a while. */
const MAX_CACHED_BYTES = 134_217_728;

export interface StoredFont extends UploadedFont {
  readonly file: StyleFile;
}

export interface UploadedFonts {
  /** Returns the fonts in the order of their names. */
  list(catalog: CatalogReader): Promise<readonly StoredFont[]>;
}

export function createUploadedFonts(
  contents: StyleContents,
  work: Pick<StyleProcessor, 'describeFont'>,
): UploadedFonts {
  const cache = createLruCache<UploadedFont | null>(MAX_CACHED_BYTES);
  const load = async ({ content, path }: StyleFile): Promise<UploadedFont | null> => {
    const known = cache.get(content);
    if (known !== undefined) return known;
    const stored = await contents.read(content);
    const bytes = new Uint8Array(new SharedArrayBuffer(stored.length));
    bytes.set(stored);
    const described = await describeStored(work, path, bytes);
    if (described === null) {
      cache.set(content, null, 1);
      return null;
    }
    const faces = described.map(({ face, coverage, tableBytes }) => {
      const shared = new Uint32Array(new SharedArrayBuffer(coverage.byteLength));
      shared.set(coverage);
      return { face, coverage: shared, tableBytes };
    });
    const font = { hash: content, bytes, faces };
    cache.set(content, font, bytes.length);
    return font;
  };
  return {
    async list(catalog) {
      const files = await catalog.findByKey(styleFileKind, 'font', EVERY_FONT, MAX_FONTS);
      const ordered = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
      const fonts: (UploadedFont & { readonly file: StyleFile })[] = [];
      for (const file of ordered) {
        const font = await load(file);
        if (font !== null) fonts.push({ ...font, file });
      }
      const faces = describeUploadedFonts(fonts);
      // Warnings about styles name fonts that are not available.
      setUploadedFaces(faces);
      return fonts;
    },
  };
}

/** Returns null for an invalid font: it may have been stored before uploads were checked as they are now. */
async function describeStored(
  work: Pick<StyleProcessor, 'describeFont'>,
  path: string,
  bytes: Uint8Array,
): Promise<readonly DescribedFace[] | null> {
  try {
    return (await work.describeFont(path, bytes)).faces;
  } catch (error) {
    if (error instanceof Problem && error.code === 'font-invalid') return null;
    throw error;
  }
}

/** Identifies a list of uploaded fonts. */
export function formatFontsVersion(fonts: readonly Pick<UploadedFont, 'hash'>[]): string {
  return fonts.map(({ hash }) => hash).join(' ');
}

/** Returns the fonts for a worker. */
export async function loadFontsToDraw(
  { fonts }: { readonly fonts: UploadedFonts },
  catalog: CatalogReader,
): Promise<readonly UploadedFont[]> {
  return (await fonts.list(catalog)).map(({ file: _, ...font }) => font);
}
