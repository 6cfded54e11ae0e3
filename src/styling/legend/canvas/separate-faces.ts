/** Registers faces of collections when text first uses their family: a copy of each can have 20 MB. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER_PREFIX, type FontRegistry, getFontCopies } from '../../fonts/font-registry.ts';
import { InvalidFont } from '../../fonts/font-tables.ts';
import type { CanvasLibrary } from './canvas.ts';

/** The faces of this thread, by the names of their copies and families; null for those that the library cannot use. */
const registered = new Map<string, object | null>();

/** Call it before the library draws text of a family. */
export function registerSeparateFaces({ GlobalFonts }: CanvasLibrary, fonts: FontRegistry, family: string): void {
  for (const { separate } of fonts.listSeparateFaces(family)) {
    const name = `${separate?.copyName} ${family}`;
    if (separate === undefined || registered.has(name)) continue;
    const register = (): object | null =>
      GlobalFonts.registerFromPath(storeFontCopy(separate.copyName, separate.extract), family);
    registered.set(name, registerIfValid(register));
  }
}

/** Removes the faces of uploaded collections except those with these names: copy and family. */
export function removeSeparateFaces({ GlobalFonts }: CanvasLibrary, wanted: ReadonlySet<string>): void {
  for (const [name, font] of registered) {
    if (wanted.has(name) || name.startsWith(FOLDER_PREFIX)) continue;
    if (font !== null) GlobalFonts.remove(font);
    registered.delete(name);
    rmSync(join(getFontCopies(), name.split(' ')[0] ?? ''), { force: true });
  }
}

/** Returns null for a font that is damaged. */
export function registerIfValid(register: () => object | null): object | null {
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
export function storeFontCopy(name: string, getBytes: () => Uint8Array): string {
  const folder = getFontCopies();
  const path = join(folder, name);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Other threads may store the same font at the same time.
  const partial = `${path}.${randomUUID()}`;
  writeFileSync(partial, getBytes(), { mode: 0o600 });
  renameSync(partial, path);
  return path;
}
