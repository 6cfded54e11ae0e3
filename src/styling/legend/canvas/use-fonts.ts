/** Makes uploaded fonts available to the drawings of this thread. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { getFontCopies, type RegisteredFace, setUploadedFaces, type UploadedFont } from '../../fonts/font-registry.ts';
import { extractFace, unpackWoff, wrapFontBytes } from '../../fonts/font-tables.ts';
import { loadCanvas } from './canvas.ts';
import { registerIfValid, removeSeparateFaces, storeFontCopy } from './separate-faces.ts';

/** The fonts of this thread, by the hash of their bytes and their name; null for those that the library cannot use. */
const registered = new Map<string, object | null>();

/** Call it before each map and legend: a font that was deleted must not be used any more. */
export async function useUploadedFonts(fonts: readonly UploadedFont[] = []): Promise<void> {
  const faces = listUploadedFaces(fonts);
  const wanted = new Map(faces.flatMap((each) => (each.face.separate === undefined ? [[each.name, each]] : [])));
  if (wanted.size > 0 || registered.size > 0) {
    const library = await loadCanvas();
    const { GlobalFonts } = library;
    for (const [name, font] of registered) {
      if (wanted.has(name)) continue;
      if (font !== null) GlobalFonts.remove(font);
      registered.delete(name);
      // Threads that still use the file keep it open.
      rmSync(join(getFontCopies(), name.split(' ')[0] ?? ''), { force: true });
    }
    removeSeparateFaces(library, new Set(faces.map(({ face }) => `${face.separate?.copyName} ${face.cssFamily}`)));
    for (const [name, { font, face }] of wanted) {
      if (registered.has(name)) continue;
      const getBytes = (): Uint8Array => unpackWoff(font.bytes) ?? font.bytes;
      const register = (): object | null =>
        GlobalFonts.registerFromPath(storeFontCopy(font.hash, getBytes), face.cssFamily);
      registered.set(name, registerIfValid(register));
    }
  }
  // Labels use other fonts instead of those that the library cannot use.
  const isUsable = ({ name, face }: UploadedFace): boolean =>
    face.separate !== undefined || (registered.get(name) ?? null) !== null;
  setUploadedFaces(faces.filter(isUsable).map(({ face }) => face));
}

interface UploadedFace {
  /** The hash of the file and the family under which the library knows the face. */
  readonly name: string;
  readonly font: UploadedFont;
  readonly face: RegisteredFace;
}

/** The maximum size of the copies of faces of all uploaded collections, on disk. Further faces are not used. */
const MAX_COPIED_BYTES = 536_870_912;

export function describeUploadedFonts(fonts: readonly UploadedFont[]): readonly RegisteredFace[] {
  return listUploadedFaces(fonts).map(({ face }) => face);
}

/**
 * The library knows the faces of a family under a name that depends on their bytes, so that they do not mix with other
 * versions of the family.
 */
function listUploadedFaces(fonts: readonly UploadedFont[]): readonly UploadedFace[] {
  const families = Map.groupBy(
    fonts.flatMap(({ hash, faces }) => faces.map(({ face }) => ({ hash, family: face.family }))),
    ({ family }) => family,
  );
  let copied = 0;
  return fonts.flatMap((font) =>
    font.faces.flatMap(({ face, coverage, tableBytes }, index): readonly UploadedFace[] => {
      copied += index === 0 ? 0 : tableBytes;
      if (copied > MAX_COPIED_BYTES && index > 0) return [];
      const cssFamily = nameFamily(families.get(face.family) ?? []);
      const extract = (): Uint8Array => extractFace(wrapFontBytes(font.bytes), index);
      const separate = index === 0 ? {} : { separate: { copyName: `${font.hash}-${index}`, extract } };
      return [
        {
          name: `${font.hash} ${cssFamily}`,
          font,
          face: { ...face, cssFamily, loadCoverage: () => coverage, ...separate },
        },
      ];
    }),
  );
}

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
