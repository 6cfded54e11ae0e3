/** Makes uploaded fonts available to the drawings of this thread. */
import { createHash } from 'node:crypto';
import { readCoverage, readFontFace, wrapFontBytes } from '../../fonts/font-file.ts';
import { type RegisteredFace, setUploadedFaces, type UploadedFont } from '../../fonts/font-registry.ts';
import { loadCanvas } from './canvas.ts';

/** The fonts that this thread has registered, by the hash of their bytes and their name. */
const registered = new Map<string, object | null>();

/**
 * Call it before each map and legend: a font that was deleted must not be used any more. The library forgets removed
 * fonts, but keeps the memory of their bytes.
 */
export async function useUploadedFonts(fonts: readonly UploadedFont[] = []): Promise<void> {
  const faces = describeUploadedFonts(fonts);
  const wanted = new Map(
    fonts.map(({ hash, bytes }, index) => {
      const family = faces[index]?.cssFamily ?? '';
      return [`${hash} ${family}`, { bytes, family }];
    }),
  );
  if (wanted.size > 0 || registered.size > 0) {
    const { GlobalFonts } = await loadCanvas();
    for (const [name, font] of registered) {
      if (wanted.has(name)) continue;
      if (font !== null) GlobalFonts.remove(font);
      registered.delete(name);
    }
    for (const [name, { bytes, family }] of wanted) {
      if (!registered.has(name)) registered.set(name, GlobalFonts.register(Buffer.from(bytes), family));
    }
  }
  setUploadedFaces(faces);
}

/**
 * The library knows the faces of a family under a name that depends on their bytes, so that they do not mix with other
 * versions of the family.
 */
export function describeUploadedFonts(fonts: readonly UploadedFont[]): readonly RegisteredFace[] {
  const faces = fonts.map((font) => ({ hash: font.hash, ...describeFont(font) }));
  const families = Map.groupBy(faces, ({ family }) => family);
  return faces.map(({ hash: _, ...face }) => ({ ...face, cssFamily: nameFamily(families.get(face.family) ?? []) }));
}

const described = new Map<string, Omit<RegisteredFace, 'cssFamily'>>();

function describeFont({ hash, bytes }: UploadedFont): Omit<RegisteredFace, 'cssFamily'> {
  const known = described.get(hash);
  if (known !== undefined) return known;
  const face = { ...readFontFace(wrapFontBytes(bytes)), loadCoverage: () => readCoverage(wrapFontBytes(bytes)) };
  if (described.size >= MAX_DESCRIBED) described.clear();
  described.set(hash, face);
  return face;
}

/** More than the fonts that a server can have at a time. */
const MAX_DESCRIBED = 200;

function nameFamily(faces: readonly { readonly family: string; readonly hash: string }[]): string {
  const hashes = faces.map(({ hash }) => hash).sort();
  const version = createHash('sha256').update(hashes.join(' ')).digest('hex').slice(0, 8);
  return `${faces[0]?.family ?? ''} ~${version}`;
}

/** Returns a document with the names of the families instead of those that the library knows. */
export function restoreFamilyNames(svg: Buffer): Buffer {
  if (registered.size === 0) return svg;
  return Buffer.from(svg.toString().replaceAll(/(font-family="[^"]*?) ~[0-9a-f]{8}/g, '$1'));
}
