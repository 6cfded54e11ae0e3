/** Makes uploaded fonts available to the drawings of this thread. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getFontCopies, type RegisteredFace, setUploadedFaces, type UploadedFont } from '../../fonts/font-registry.ts';
import { InvalidFont, unpackWoff } from '../../fonts/font-tables.ts';
import { loadCanvas } from './canvas.ts';

/** The fonts of this thread, by the hash of their bytes and their name; null for those that the library cannot use. */
const registered = new Map<string, object | null>();

/** Call it before each map and legend: a font that was deleted must not be used any more. */
export async function useUploadedFonts(fonts: readonly UploadedFont[] = []): Promise<void> {
  const faces = describeUploadedFonts(fonts);
  const names = fonts.map(({ hash }, index) => `${hash} ${faces[index]?.cssFamily ?? ''}`);
  const wanted = new Map(
    fonts.map((font, index) => [names[index] ?? '', { font, family: faces[index]?.cssFamily ?? '' }]),
  );
  if (wanted.size > 0 || registered.size > 0) {
    const { GlobalFonts } = await loadCanvas();
    for (const [name, font] of registered) {
      if (wanted.has(name)) continue;
      if (font !== null) GlobalFonts.remove(font);
      registered.delete(name);
      // Threads that still use the file keep it open.
      rmSync(join(getFontCopies(), name.split(' ')[0] ?? ''), { force: true });
    }
    for (const [name, { font, family }] of wanted) {
      if (registered.has(name)) continue;
      const register = (): object | null => GlobalFonts.registerFromPath(storeCopy(font), family);
      registered.set(name, registerIfValid(register));
    }
  }
  // Labels use other fonts instead of those that the library cannot use.
  setUploadedFaces(faces.filter((_, index) => (registered.get(names[index] ?? '') ?? null) !== null));
}

/** Returns null for a font that is damaged. */
function registerIfValid(register: () => object | null): object | null {
  try {
    // Another thread may delete the file in between.
    return register() ?? register();
  } catch (error) {
    if (error instanceof InvalidFont) return null;
    throw error;
  }
}

/**
 * Stores a font as a file and returns its path. The library maps files into memory, which the system can release. It
 * would keep fonts from buffers in its own memory, even after their removal.
 */
function storeCopy({ hash, bytes }: UploadedFont): string {
  const folder = getFontCopies();
  const path = join(folder, hash);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Other threads may store the same font at the same time.
  const partial = `${path}.${randomUUID()}`;
  writeFileSync(partial, unpackWoff(bytes) ?? bytes, { mode: 0o600 });
  renameSync(partial, path);
  return path;
}

/**
 * The library knows the faces of a family under a name that depends on their bytes, so that they do not mix with other
 * versions of the family.
 */
export function describeUploadedFonts(fonts: readonly UploadedFont[]): readonly RegisteredFace[] {
  const families = Map.groupBy(
    fonts.map(({ hash, face }) => ({ hash, family: face.family })),
    ({ family }) => family,
  );
  return fonts.map(({ face, coverage }) => ({
    ...face,
    cssFamily: nameFamily(families.get(face.family) ?? []),
    loadCoverage: () => coverage,
  }));
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
