/** Makes uploaded fonts available to the drawings of this thread. */
import { readCoverage, readFontFace, wrapFontBytes } from '../../fonts/font-file.ts';
import { type RegisteredFace, setUploadedFaces, type UploadedFont } from '../../fonts/font-registry.ts';
import { loadCanvas } from './canvas.ts';

/** The fonts that this thread has registered, by the hash of their bytes. */
const registered = new Map<string, RegisteredFace>();

/** Call it before each map and legend: a font that was deleted must not be used any more. */
export async function useUploadedFonts(fonts: readonly UploadedFont[] = []): Promise<void> {
  const faces: RegisteredFace[] = [];
  for (const font of fonts) {
    const known = registered.get(font.hash) ?? (await registerFont(font));
    registered.set(font.hash, known);
    faces.push(known);
  }
  setUploadedFaces(faces);
}

async function registerFont({ hash, bytes }: UploadedFont): Promise<RegisteredFace> {
  const { GlobalFonts } = await loadCanvas();
  const face = describeUploadedFont({ hash, bytes });
  GlobalFonts.register(Buffer.from(bytes), face.cssFamily);
  return face;
}

/** The library knows it under a name of its own, so that it does not mix with other versions of the family. */
export function describeUploadedFont({ hash, bytes }: UploadedFont): RegisteredFace {
  const face = readFontFace(wrapFontBytes(bytes));
  return {
    ...face,
    cssFamily: `${face.family} ~${hash.slice(0, 8)}`,
    loadCoverage: () => readCoverage(wrapFontBytes(bytes)),
  };
}

/** Returns a document with the names of the families instead of those that the library knows. */
export function restoreFamilyNames(svg: Buffer): Buffer {
  if (registered.size === 0) return svg;
  return Buffer.from(svg.toString().replaceAll(/(font-family="[^"]*?) ~[0-9a-f]{8}/g, '$1'));
}
